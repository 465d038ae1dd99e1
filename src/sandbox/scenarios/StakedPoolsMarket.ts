import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, addressVal, i128 } from "../../ledger/soroban/Values.ts"
import { Network } from "../Network.ts"
import { accountVal, callContract } from "./CallContract.ts"
import { fund, perform } from "./Scenario.ts"
import { stakedPoolsContracts } from "./StakedPoolsContracts.ts"
import { reservesOf, type StakedPoolsAssets, withStakedPools } from "./StakedPoolsEntries.ts"
import { rewardsOf } from "./StakedPoolsStakes.ts"

/**
 * Pools of lumens, USDC and PHO in three generations, with stakes that pay rewards, and markets in which USDC and PHO trade against lumens.
 * One to a network: its contracts are always in the same place.
 */
export const StakedPoolsMarket = Effect.gen(function*() {
  const network = yield* Network
  const [issuer, provider] = [Keypair.random(), Keypair.random()]
  const [usdc, pho] = [new Asset("USDC", issuer.publicKey()), new Asset("PHO", issuer.publicKey())]
  const native = Asset.native()
  const assets: StakedPoolsAssets = { usdc, pho }
  yield* fund("100", issuer)
  yield* fund("2000000", provider)
  yield* perform("the provider trusts USDC and PHO", {
    as: provider,
    operations: [usdc, pho].map((asset) => Operation.changeTrust({ asset }))
  })
  yield* perform("the issuer pays out", {
    as: issuer,
    operations: [usdc, pho].map((asset) => Operation.payment({ destination: provider.publicKey(), asset, amount: "2000000" }))
  })
  yield* perform("the provider makes markets", {
    as: provider,
    operations: [usdc, pho].flatMap((asset) => [
      Operation.manageSellOffer({ selling: native, buying: asset, amount: "50000", price: "0.1" }),
      Operation.manageSellOffer({ selling: asset, buying: native, amount: "50000", price: "12" })
    ])
  })
  yield* network.amend((state) => withStakedPools(state, assets, addressOf(provider.publicKey()), network.passphrase))
  const paidIn = [
    ...reservesOf(assets).map(({ amount, asset, pool }) => ({ amount, asset, to: pool })),
    ...rewardsOf(assets).map(({ amount, asset, stake }) => ({ amount, asset, to: stake }))
  ]
  for (const { amount, asset, to } of paidIn) {
    yield* callContract("the provider pays in", {
      as: provider,
      contract: addressOf(asset.contractId(network.passphrase)),
      fn: "transfer",
      args: [accountVal(provider), addressVal(to), i128(amount)]
    })
  }
  return { ...stakedPoolsContracts, issuer, provider, assets, native, usdc, pho }
})
