import { assert, it } from "@effect/vitest"
import { Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { closeAccount } from "../../src/client/Client.ts"
import { lumen } from "../../src/ledger/Asset.ts"
import { submitRequests } from "../../src/sandbox/scenarios/LendingMarket.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { pays } from "../close/leaving/support/Paying.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { serviceOver } from "../sandbox/contracts/ProtocolsServed.ts"
import { isThorough } from "../support/Thorough.ts"
import { optionsFor } from "./support/Closes.ts"

it.scopedLive.runIf(isThorough)(
  "an account that repays a debt out of what it holds is closed, and the rest of it is sold",
  () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { destination, eurc, issuer, native, source } = yield* service.on(LendingNewcomer)
      yield* service.on(perform("the account trusts EURC", { as: source, operations: [Operation.changeTrust({ asset: eurc })] }))
      yield* service.on(submitRequests("the account borrows", source, ["supplyCollateral", native, 1_000n * lumen], [
        "borrow",
        eurc,
        20n * lumen
      ]))
      yield* service.on(pays(issuer, source, eurc, "2"))
      const { closed } = yield* closeAccount(optionsFor(service, source, destination.publicKey())).effect
      assert.isNull(yield* accountOf(source))
      assert.isAbove(Number(closed.receivedLumens), 5_000)
    }).pipe(Effect.provide(serviceOver(["lend_1"])))
)
