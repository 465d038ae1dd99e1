import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { openVault, VaultsMarket } from "../../../src/sandbox/scenarios/VaultsMarket.ts"

/**
 * An account that owes 120 USDx and 100 EURx to two vaults, and holds both. Among the vaults of other owners, the one in USD is in the
 * middle of its list, and the one in EUR is the lowest.
 */
export const VaultsPair = Effect.gen(function*() {
  const market = yield* VaultsMarket
  const { eur, usd } = market
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* fund("8000", source)
  yield* fund("100", destination)
  yield* perform("the account trusts what vaults lend", {
    as: source,
    operations: [usd, eur].map((asset) => Operation.changeTrust({ asset }))
  })
  yield* openVault("the account opens a vault in USD", { owner: source, denomination: "USD", collateral: 3_600n, debt: 120n })
  yield* openVault("the account opens a vault in EUR", { owner: source, denomination: "EUR", collateral: 1_500n, debt: 100n })
  return { ...market, source, destination }
})
