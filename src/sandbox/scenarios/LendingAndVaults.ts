import { Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../ledger/Asset.ts"
import { submitRequests } from "./LendingMarket.ts"
import { LendingNewcomer } from "./LendingNewcomer.ts"
import { perform } from "./Scenario.ts"
import { openVault, VaultsMarketOf } from "./VaultsMarket.ts"

/**
 * An account that owes 120 USDC to a vault and lends 100 of them on: the debt can be paid only after the pool has paid back, and two USDC
 * more are left then. Lending and vaults are about the same assets.
 */
export const LendingAndVaults = Effect.gen(function*() {
  const lending = yield* LendingNewcomer
  const { eurc, issuer, source, usdc } = lending
  const { treasury, vaults } = yield* VaultsMarketOf({ issuer, usd: usdc, eur: eurc })
  yield* perform("the account trusts USDC", { as: source, operations: [Operation.changeTrust({ asset: usdc })] })
  yield* openVault("the account opens a vault", { owner: source, denomination: "USD", collateral: 3_600n, debt: 120n })
  yield* perform("the issuer pays the account", {
    as: issuer,
    operations: [Operation.payment({ destination: source.publicKey(), asset: usdc, amount: "2" })]
  })
  yield* submitRequests("the account lends what it owes", source, ["supply", usdc, 100n * lumen])
  return { ...lending, treasury, vaults }
})
