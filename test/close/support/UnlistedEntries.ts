import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { Pair } from "./Accounts.ts"

/** An account with a trustline and a data entry that a helper's transaction made: the account's own transactions do not show them. */
export const UnlistedEntries = Effect.gen(function*() {
  const { destination, source } = yield* Pair()
  const { source: helper } = yield* Pair()
  const issuer = Keypair.random()
  yield* fund("10", issuer)
  const usd = new Asset("USD", issuer.publicKey())
  yield* perform("someone else's transaction gives it entries", {
    as: helper,
    signedBy: [helper, source],
    operations: [
      Operation.changeTrust({ asset: usd, source: source.publicKey() }),
      Operation.manageData({ name: "a:b", value: "entry", source: source.publicKey() })
    ]
  })
  return { destination, helper, issuer, source, usd }
})
