import { Asset, Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../ledger/Asset.ts"
import { compareValues, u128, vec } from "../../ledger/soroban/Values.ts"
import { Network } from "../Network.ts"
import { amm1ContractsAt } from "./Amm1Contracts.ts"
import { type Amm1Assets, poolTokensOf, withAmm1 } from "./Amm1Entries.ts"
import { accountVal, callContract } from "./CallContract.ts"
import { fund, perform } from "./Scenario.ts"

/** An asset, and how many base units of it. */
export type AmountOf = readonly [asset: Asset, amount: bigint]

/** Amounts as a pool of these tokens orders them. */
export const inPoolOrder = (passphrase: string, ...amounts: ReadonlyArray<AmountOf>): xdr.ScVal => {
  const ordered = amounts
    .map(([asset, amount]) => ({ token: poolTokensOf(passphrase, asset)[0] ?? u128(0n), amount }))
    .toSorted((left, right) => compareValues(left.token, right.token))
  return vec(...ordered.map(({ amount }) => u128(amount)))
}

/** Has an account put amounts into a pool, of a concentrated one over the full range. */
export const depositTo = Effect.fnUntraced(
  function*(pool: xdr.ScAddress, step: string, as: Keypair, ...amounts: ReadonlyArray<AmountOf>) {
    const { passphrase } = yield* Network
    return yield* callContract(step, {
      as,
      contract: pool,
      fn: "deposit",
      args: [accountVal(as), inPoolOrder(passphrase, ...amounts), u128(0n)]
    })
  }
)

/**
 * A router with a pool of constant product, a stable and a concentrated one, into which someone has put lumens, USDC and EURC, and markets in
 * which these and AQUA trade against lumens. One to a network: its contracts are always in the same place.
 */
export const Amm1Market = Effect.gen(function*() {
  const network = yield* Network
  const [issuer, provider] = [Keypair.random(), Keypair.random()]
  const issued = (code: string): Asset => new Asset(code, issuer.publicKey())
  const [usdc, eurc, aqua, native] = [issued("USDC"), issued("EURC"), issued("AQUA"), Asset.native()]
  const assets: Amm1Assets = { native, usdc, eurc, aqua }
  yield* fund("100", issuer)
  yield* fund("1000000", provider)
  yield* perform("the provider trusts what is traded", {
    as: provider,
    operations: [usdc, eurc, aqua].map((asset) => Operation.changeTrust({ asset }))
  })
  yield* perform("the issuer pays out", {
    as: issuer,
    operations: [usdc, eurc, aqua].map((asset) => Operation.payment({ destination: provider.publicKey(), asset, amount: "500000" }))
  })
  yield* perform("the provider makes markets", {
    as: provider,
    operations: [usdc, eurc, aqua].flatMap((asset) => [
      Operation.manageSellOffer({ selling: native, buying: asset, amount: "50000", price: "0.1" }),
      Operation.manageSellOffer({ selling: asset, buying: native, amount: "50000", price: "12" })
    ])
  })
  yield* network.amend((state) => withAmm1(state, assets, network.passphrase))
  const { concentrated, constantProduct, stable } = amm1ContractsAt
  const pair = [[native, 100_000n * lumen], [usdc, 10_000n * lumen]] as const
  yield* depositTo(constantProduct, "the provider fills the pool of constant product", provider, ...pair)
  yield* depositTo(concentrated, "the provider fills the concentrated pool", provider, ...pair)
  yield* depositTo(stable, "the provider fills the stable pool", provider, [usdc, 50_000n * lumen], [eurc, 45_000n * lumen])
  return { ...amm1ContractsAt, issuer, provider, assets, native, usdc, eurc, aqua }
})
