import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { indexOf } from "../LedgerIndex.ts"
import { requestOrigin } from "../RequestOrigin.ts"
import { accountResource } from "./AccountResource.ts"
import { Problem } from "./Problem.ts"
import { checkAccount, pathPart } from "./Query.ts"
import { View } from "./View.ts"

/** `GET /accounts/{id}`. */
export const account = HttpRouter.makeRoute(
  "GET",
  "/accounts/:id",
  Effect.gen(function*() {
    const id = yield* Effect.flatMap(pathPart("id"), (text) => checkAccount("account_id", text))
    const chain = yield* View
    const found = indexOf(chain.state).accounts.get(id)
    if (found === undefined) return yield* Problem.notFound
    return HttpServerResponse.unsafeJson(accountResource(chain, id, found, yield* requestOrigin))
  })
)
