import { assert, describe, it } from "@effect/vitest"
import { Asset, Claimant, Operation } from "@stellar/stellar-sdk"
import { Effect, Stream } from "effect"
import { closeAccount, type CloseEvent } from "../../src/client/Client.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Pair } from "../close/support/Accounts.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { optionsFor, served } from "./support/Closes.ts"

describe("a close by the client", () => {
  it.live("is not stopped by a gift that arrives after the plan and before anything is built", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(Pair())
        const gift = service.on(perform("a stranger gives dust", {
          as: destination,
          operations: [
            Operation.createClaimableBalance({
              asset: Asset.native(),
              amount: "0.0000001",
              claimants: [new Claimant(source.publicKey())]
            })
          ]
        }))
        const happened = (event: CloseEvent) => (event._tag === "planned" && event.final ? Effect.asVoid(gift) : Effect.void)
        yield* Stream.runForEach(closeAccount(optionsFor(service, source, destination.publicKey())).events, happened)
        assert.isNull(yield* accountOf(source))
      })
    ), 120_000)
})
