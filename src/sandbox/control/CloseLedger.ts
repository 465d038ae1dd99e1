import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { Network } from "../Network.ts"
import { showTime } from "../ShowTime.ts"
import { controlBody } from "./ControlBody.ts"

/** About a year of ledgers: longer than any entry lives. */
const maxLedgers = 6_300_000

const Closing = Schema.Struct({
  closeSeconds: Schema.optional(Schema.Int.pipe(Schema.positive())),
  ledgers: Schema.optional(Schema.Int.pipe(Schema.between(1, maxLedgers)))
})

/** `POST /sandbox/ledger`: closes a ledger, `closeSeconds` after the last one when that is given, `ledgers` further when that is. */
export const closeLedger = HttpRouter.makeRoute(
  "POST",
  "/sandbox/ledger",
  Effect.gen(function*() {
    const { closeSeconds, ledgers } = yield* controlBody(Closing)
    const network = yield* Network
    const ledger = yield* network.closeLedger({ advanceSeconds: closeSeconds, ledgers })
    return HttpServerResponse.unsafeJson({
      sequence: ledger.sequence,
      hash: ledger.hash,
      closedAt: showTime(ledger.closeTime),
      transactions: ledger.transactions.map(({ facts }) => facts.hash)
    })
  })
)
