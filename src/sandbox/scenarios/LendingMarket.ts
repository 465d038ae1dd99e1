import { Asset, Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../ledger/Asset.ts"
import { addressOf, addressVal, i128, struct, u32, vec } from "../../ledger/soroban/Values.ts"
import { RequestType } from "../contracts/Lend1.ts"
import { Network } from "../Network.ts"
import { accountVal, callContract, type Caller } from "./CallContract.ts"
import { lendingContracts } from "./LendingContracts.ts"
import { type LendingAssets, withLending } from "./LendingEntries.ts"
import { fund, perform } from "./Scenario.ts"

/** A request to a pool: what to do, with how many base units of which asset. */
export type LendingRequest = readonly [kind: keyof typeof RequestType, asset: Asset, amount: bigint]

/** Lets an account make requests to a pool, for itself alone. */
export const submitRequestsTo = Effect.fnUntraced(
  function*(pool: xdr.ScAddress, step: string, as: Keypair, ...requests: ReadonlyArray<LendingRequest>) {
    return yield* submitRequestsSentBy({ as, sentBy: as }, pool, step, ...requests)
  }
)

/** The same in a transaction of someone else, to whose call the account only agrees. */
export const submitRequestsSentBy = Effect.fnUntraced(function*(
  { as, sentBy }: Caller,
  pool: xdr.ScAddress,
  step: string,
  ...requests: ReadonlyArray<LendingRequest>
) {
  const { passphrase } = yield* Network
  const values = requests.map(([kind, asset, amount]) =>
    struct({
      address: addressVal(addressOf(asset.contractId(passphrase))),
      amount: i128(amount),
      request_type: u32(RequestType[kind])
    })
  )
  const own = accountVal(as)
  return yield* callContract(step, { as, sentBy, contract: pool, fn: "submit", args: [own, own, own, vec(...values)] })
})

/** The same for the pool that is always there. */
export const submitRequests = (step: string, as: Keypair, ...requests: ReadonlyArray<LendingRequest>) =>
  submitRequestsTo(lendingContracts.pool, step, as, ...requests)

/**
 * A pool in which someone lends and borrows lumens, USDC and EURC, whose backstop someone holds, and markets in which
 * its assets and BLND trade against lumens. One to a network: its contracts are always in the same place.
 */
export const LendingMarket = Effect.gen(function*() {
  const network = yield* Network
  const [issuer, lender] = [Keypair.random(), Keypair.random()]
  const issued = (code: string): Asset => new Asset(code, issuer.publicKey())
  const [usdc, eurc, blnd] = [issued("USDC"), issued("EURC"), issued("BLND")]
  const native = Asset.native()
  const assets: LendingAssets = { reserves: [native, usdc, eurc], usdc, blnd }
  yield* fund("100", issuer)
  yield* fund("1000000", lender)
  yield* perform("the lender trusts the pool's assets", {
    as: lender,
    operations: [usdc, eurc, blnd].map((asset) => Operation.changeTrust({ asset }))
  })
  yield* perform("the issuer pays out", {
    as: issuer,
    operations: [usdc, eurc, blnd].map((asset) => Operation.payment({ destination: lender.publicKey(), asset, amount: "500000" }))
  })
  yield* perform("the lender makes markets", {
    as: lender,
    operations: [usdc, eurc, blnd].flatMap((asset) => [
      Operation.manageSellOffer({ selling: native, buying: asset, amount: "50000", price: "0.1" }),
      Operation.manageSellOffer({ selling: asset, buying: native, amount: "50000", price: "12" })
    ])
  })
  yield* network.amend((state) => withLending(state, assets, addressOf(lender.publicKey()), network.passphrase))
  yield* submitRequests(
    "the lender lends and borrows",
    lender,
    ["supplyCollateral", native, 100_000n * lumen],
    ["supplyCollateral", usdc, 50_000n * lumen],
    ["supplyCollateral", eurc, 50_000n * lumen],
    ["borrow", native, 20_000n * lumen],
    ["borrow", usdc, 20_000n * lumen],
    ["borrow", eurc, 10_000n * lumen]
  )
  const { backstop, pool } = lendingContracts
  yield* callContract("the lender backs the pool", {
    as: lender,
    contract: backstop,
    fn: "deposit",
    args: [accountVal(lender), addressVal(pool), i128(40_000n * lumen)]
  })
  return { ...lendingContracts, issuer, lender, assets, native, usdc, eurc, blnd }
})
