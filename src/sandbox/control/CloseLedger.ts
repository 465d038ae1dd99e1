import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { Network } from "../Network.ts"
import { showTime } from "../ShowTime.ts"
import { controlBody } from "./ControlBody.ts"

const Closing = Schema.Struct({ closeSeconds: Schema.optional(Schema.Int.pipe(Schema.positive())) })

/** `POST /sandbox/ledger`: closes a ledger, `closeSeconds` after the last one when that is given. */
export const closeLedger = HttpRouter.makeRoute(
  "POST",
  "/sandbox/ledger",
  Effect.gen(function*() {
    const { closeSeconds } = yield* controlBody(Closing)
    const network = yield* Network
    const ledger = yield* network.closeLedger(closeSeconds === undefined ? {} : { advanceSeconds: closeSeconds })
    return HttpServerResponse.unsafeJson({
      sequence: ledger.sequence,
      hash: ledger.hash,
      closedAt: showTime(ledger.closeTime),
      transactions: ledger.transactions.map(({ facts }) => facts.hash)
    })
  })
)
