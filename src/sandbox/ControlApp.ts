import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { Network } from "./Network.ts"
import { Problem, problemResponse } from "./rest/Problem.ts"
import { showTime } from "./ShowTime.ts"

const Closing = Schema.Struct({ closeSeconds: Schema.optional(Schema.Int.pipe(Schema.positive())) })

/** `POST /sandbox/ledger`: closes a ledger, `closeSeconds` after the last one when that is given. */
const closeLedger = HttpRouter.makeRoute("POST", "/sandbox/ledger", Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = yield* Effect.map(request.text, (text) => text.trim() || "{}")
  const { closeSeconds } = yield* Schema.decode(Schema.parseJson(Closing))(body)
  const network = yield* Network
  const ledger = yield* network.closeLedger(closeSeconds === undefined ? {} : { advanceSeconds: closeSeconds })
  return HttpServerResponse.unsafeJson({
    sequence: ledger.sequence,
    hash: ledger.hash,
    closedAt: showTime(ledger.closeTime),
    transactions: ledger.transactions.map(({ facts }) => facts.hash)
  })
}))

/** What no real network offers: the hand on the clock. */
export const ControlApp = HttpRouter.fromIterable([closeLedger]).pipe(
  Effect.catchTags({
    RouteNotFound: () => Effect.succeed(problemResponse(Problem.notFound)),
    RequestError: () => Effect.succeed(problemResponse(Problem.badRequest("The body could not be read."))),
    ParseError: ({ message }) => Effect.succeed(problemResponse(Problem.badRequest(message)))
  })
)
