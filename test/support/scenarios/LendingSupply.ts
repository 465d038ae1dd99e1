import { Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { lendingContracts } from "../../../src/sandbox/scenarios/LendingContracts.ts"
import { submitRequestsTo } from "../../../src/sandbox/scenarios/LendingMarket.ts"
import { LendingNewcomer } from "../../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"

/** Gives an account 300 USDC and lends 200 of them to a pool. */
export const lendTo = Effect.fnUntraced(function*(
  pool: xdr.ScAddress,
  { issuer, source, usdc }: Pick<Effect.Effect.Success<typeof LendingNewcomer>, "issuer" | "source" | "usdc">
) {
  yield* perform("the account trusts USDC", { as: source, operations: [Operation.changeTrust({ asset: usdc })] })
  yield* perform("the issuer pays the account", {
    as: issuer,
    operations: [Operation.payment({ destination: source.publicKey(), asset: usdc, amount: "300" })]
  })
  yield* submitRequestsTo(pool, "the account lends", source, ["supply", usdc, 200n * lumen])
})

/** An account that lends 200 of its 300 USDC and owes nothing. */
export const LendingSupply = Effect.gen(function*() {
  const scene = yield* LendingNewcomer
  yield* lendTo(lendingContracts.pool, scene)
  return scene
})
