import { type Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../ledger/Asset.ts"
import { addressOf, addressVal, asU128, i128, i32, u128, u256 } from "../../ledger/soroban/Values.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import { concentratedKeys } from "../contracts/Amm1.ts"
import { Network } from "../Network.ts"
import { poolTokensOf, withInstanceValues } from "./Amm1Entries.ts"
import { Amm1Market, type AmountOf, depositTo, inPoolOrder } from "./Amm1Market.ts"
import { accountVal, callContract } from "./CallContract.ts"
import { fund, perform } from "./Scenario.ts"

/** Seconds by which the positions put the network's clock ahead, so that they have earned something. */
export const rewardedSeconds = 7_200

const spacing = 60

/** The usable tick next below the price of so much of the second token for so much of the first. */
const tickOf = (first: bigint, second: bigint): number =>
  Math.floor(Math.log(Number(second) / Number(first)) / Math.log(1.0001) / spacing) * spacing

type Market = Effect.Effect.Success<typeof Amm1Market>

/** Ranges at ten lumens a USDC: one around the price, and one that is all in USDC. */
export const rangesOf = (passphrase: string, { native, usdc }: Market) => {
  const [first] = poolTokensOf(passphrase, native, usdc)
  const isNativeFirst = first !== undefined && poolTokensOf(passphrase, native)[0]?.toXdr("base64") === xdrBase64(first)
  const at = isNativeFirst ? tickOf(10n, 1n) : tickOf(1n, 10n)
  // The second token is held below the price, the first above it.
  const aside = isNativeFirst ? [at - 1_200, at - 600] as const : [at + 600, at + 1_200] as const
  return { around: [at - 1_200, at + 1_200] as const, aside }
}

/** Traders leave fees in the concentrated pool: so many base units of an asset, spread over the liquidity that works. */
export const leaveFees = Effect.fnUntraced(function*(market: Market, asset: Asset, amount: bigint) {
  const { amend, passphrase } = yield* Network
  const { concentrated, native, provider, usdc } = market
  const token = addressOf(asset.contractId(passphrase))
  yield* callContract("traders leave fees", {
    as: provider,
    contract: token,
    fn: "transfer",
    args: [accountVal(provider), addressVal(concentrated), i128(amount)]
  })
  const isFirst = poolTokensOf(passphrase, native, usdc)[0]?.toXdr("base64") === xdrBase64(addressVal(token))
  const [growth, reserve] = isFirst
    ? [concentratedKeys.feeGrowth0, concentratedKeys.reserve0]
    : [concentratedKeys.feeGrowth1, concentratedKeys.reserve1]
  const amountAt = (storage: ReadonlyMap<string, Parameters<typeof asU128>[0]>, key: typeof growth): bigint =>
    asU128(storage.get(xdrBase64(key)) ?? u128(0n))
  yield* amend((state) =>
    withInstanceValues(state, concentrated, (storage) => {
      storage.set(xdrBase64(growth), u256((amount << 128n) / amountAt(storage, concentratedKeys.liquidity)))
      storage.set(xdrBase64(reserve), u128(amountAt(storage, reserve) + amount))
    })
  )
})

/** Has an account put amounts into a range of the concentrated pool. */
export const depositInto = Effect.fnUntraced(
  function*(market: Market, as: Keypair, [lower, upper]: readonly [number, number], ...amounts: ReadonlyArray<AmountOf>) {
    const { passphrase } = yield* Network
    return yield* callContract("the account puts liquidity into a range", {
      as,
      contract: market.concentrated,
      fn: "deposit_position",
      args: [accountVal(as), i32(lower), i32(upper), inPoolOrder(passphrase, ...amounts), u128(0n)]
    })
  }
)

/**
 * Gives an account shares of a pool of constant product and of a stable one, and two ranges of a concentrated one, in one of which
 * fees have come in; two hours of rewards accrue. It pays 3,000 lumens.
 */
export const takeAmm1Positions = Effect.fnUntraced(function*(market: Market, source: Keypair) {
  const { aqua, closeLedger, constantProduct, eurc, issuer, native, passphrase, stable, usdc } = { ...market, ...(yield* Network) }
  yield* perform("the account trusts what is traded", {
    as: source,
    operations: [usdc, eurc, aqua].map((asset) => Operation.changeTrust({ asset }))
  })
  yield* perform("the issuer pays the account", {
    as: issuer,
    operations: [usdc, eurc].map((asset) => Operation.payment({ destination: source.publicKey(), asset, amount: "1000" }))
  })
  yield* depositTo(constantProduct, "the account takes shares", source, [native, 2_000n * lumen], [usdc, 200n * lumen])
  yield* depositTo(stable, "the account takes stable shares", source, [usdc, 100n * lumen], [eurc, 120n * lumen])
  const { around, aside } = rangesOf(passphrase, market)
  yield* depositInto(market, source, around, [native, 1_000n * lumen], [usdc, 100n * lumen])
  yield* depositInto(market, source, aside, [native, 0n], [usdc, 50n * lumen])
  yield* leaveFees(market, native, 50n * lumen)
  yield* closeLedger({ advanceSeconds: rewardedSeconds })
})

/** A market of these pools, with an account that has such positions, and a destination. */
export const Amm1Positions = Effect.gen(function*() {
  const market = yield* Amm1Market
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* fund("10000", source, destination)
  yield* takeAmm1Positions(market, source)
  return { ...market, source, destination }
})
