import { Asset, getLiquidityPoolId, Keypair, LiquidityPoolAsset, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { fund, perform } from "./Scenario.ts"

/** Weight of the master key and the highest threshold: it can do everything alone. */
const fullWeight = 3

/**
 * An account with a bit of everything that delays a close: two assets with a market (an order book, a
 * pool), one without any, open offers, data entries and further signers. Keys are made anew each time.
 */
export const DemoAccount = Effect.gen(function*() {
  const [source, destination, issuer, maker, cosigner] = [
    Keypair.random(),
    Keypair.random(),
    Keypair.random(),
    Keypair.random(),
    Keypair.random()
  ]
  const preimage = randomBytes(32)
  yield* fund("200", source, destination, issuer)
  yield* fund("50000", maker)

  const booked = new Asset("USD", issuer.publicKey())
  const pooled = new Asset("EURO", issuer.publicKey())
  const stranded = new Asset("VOUCHER", issuer.publicKey())
  const pool = new LiquidityPoolAsset(Asset.native(), pooled, 30)
  const poolId = Buffer.from(getLiquidityPoolId("constant_product", pool.getLiquidityPoolParameters())).toString("hex")

  yield* perform("the maker trusts what it trades", {
    as: maker,
    operations: [
      Operation.changeTrust({ asset: booked }),
      Operation.changeTrust({ asset: pooled }),
      Operation.changeTrust({ asset: pool })
    ]
  })
  yield* perform("the account trusts three assets", {
    as: source,
    operations: [booked, pooled, stranded].map((asset) => Operation.changeTrust({ asset }))
  })
  yield* perform("the issuer pays out", {
    as: issuer,
    operations: [
      Operation.payment({ destination: maker.publicKey(), asset: booked, amount: "10000" }),
      Operation.payment({ destination: maker.publicKey(), asset: pooled, amount: "10000" }),
      Operation.payment({ destination: source.publicKey(), asset: booked, amount: "250.5" }),
      Operation.payment({ destination: source.publicKey(), asset: pooled, amount: "80.25" }),
      Operation.payment({ destination: source.publicKey(), asset: stranded, amount: "12" })
    ]
  })
  yield* perform("the maker makes markets", {
    as: maker,
    operations: [
      ...["0.4", "0.41", "0.42"].map((price) =>
        Operation.manageSellOffer({ selling: Asset.native(), buying: booked, amount: "2000", price })
      ),
      ...["2.55", "2.6"].map((price) => Operation.manageSellOffer({ selling: booked, buying: Asset.native(), amount: "1000", price })),
      Operation.liquidityPoolDeposit({
        liquidityPoolId: poolId,
        maxAmountA: "20000",
        maxAmountB: "10000",
        minPrice: "0.5",
        maxPrice: "4"
      })
    ]
  })
  yield* perform("the account opens offers", {
    as: source,
    operations: [
      Operation.manageSellOffer({ selling: booked, buying: Asset.native(), amount: "20", price: "3" }),
      Operation.manageSellOffer({ selling: Asset.native(), buying: booked, amount: "10", price: "0.6" }),
      Operation.manageBuyOffer({ selling: Asset.native(), buying: pooled, buyAmount: "15", price: "1.5" })
    ]
  })
  yield* perform("the account writes data and adds signers", {
    as: source,
    operations: [
      ...["profile", "contact", "settings", "note.1", "note.2"].map((name, at) => Operation.manageData({ name, value: `entry ${at + 1}` })),
      Operation.setOptions({ signer: { ed25519PublicKey: cosigner.publicKey(), weight: 1 } }),
      Operation.setOptions({ signer: { sha256Hash: createHash("sha256").update(preimage).digest(), weight: 1 } }),
      Operation.setOptions({ masterWeight: fullWeight, lowThreshold: 1, medThreshold: 2, highThreshold: fullWeight })
    ]
  })
  return { source, destination, issuer, maker, cosigner, preimage, assets: { booked, pooled, stranded }, poolId }
})
