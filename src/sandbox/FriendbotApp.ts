import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Friendbot, type FriendbotRefusal } from "./Friendbot.ts"
import { requestOrigin } from "./RequestOrigin.ts"
import { Problem, problemResponse } from "./rest/Problem.ts"
import { transactionResource } from "./rest/TransactionResource.ts"

const details: Readonly<Record<FriendbotRefusal["reason"], string>> = {
  not_an_account: "The parameter addr must be the address of an account (G...).",
  already_funded: "createAccountAlreadyExist: the account is already funded.",
  network_refused: "The network did not accept the funding transaction."
}

/** `GET` or `POST /friendbot?addr=G...`: answers with the transaction that created the account. */
export const FriendbotApp = Effect.gen(function*() {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const address = new URL(url, "http://localhost").searchParams.get("addr") ?? ""
  const friendbot = yield* Friendbot
  const origin = yield* requestOrigin
  return yield* friendbot.fund(address).pipe(
    Effect.map((record) => HttpServerResponse.unsafeJson(transactionResource(record, record.facts.hash, origin))),
    Effect.catchTag("FriendbotRefusal", ({ reason }) => Effect.succeed(problemResponse(Problem.badRequest(details[reason]))))
  )
})
