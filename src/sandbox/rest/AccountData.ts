import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { indexOf } from "../LedgerIndex.ts"
import { Problem } from "./Problem.ts"
import { checkAccount, pathPart } from "./Query.ts"
import { View } from "./View.ts"

/** `GET /accounts/{id}/data/{key}`: the only place of this API that tells who sponsors a data entry. */
export const accountData = HttpRouter.makeRoute(
  "GET",
  "/accounts/:id/data/:key",
  Effect.gen(function*() {
    const id = yield* Effect.flatMap(pathPart("id"), (text) => checkAccount("account_id", text))
    const key = yield* pathPart("key")
    const chain = yield* View
    const found = (indexOf(chain.state).data.get(id) ?? []).find(({ body }) => body.dataName.toString() === key)
    if (found === undefined) return yield* Problem.notFound
    return HttpServerResponse.unsafeJson({
      value: Buffer.from(found.body.dataValue.toBytes()).toString("base64"),
      ...(found.sponsor === undefined ? {} : { sponsor: found.sponsor })
    })
  })
)
