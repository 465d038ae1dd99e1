import { HttpApiBuilder } from "@effect/platform"
import { Layer } from "effect"
import { Api } from "../../api/Api.ts"
import { notYet } from "../NotYet.ts"

/** Groups of which nothing is built yet. */
export const layer = Layer.mergeAll(
  HttpApiBuilder.group(Api, "allowances", (handlers) => handlers.handle("list", notYet).handle("revoke", notYet)),
  HttpApiBuilder.group(Api, "selfService", (handlers) =>
    handlers.handle("page", notYet).handle("challenge", notYet).handle("session", notYet)),
  HttpApiBuilder.group(Api, "myKeys", (handlers) =>
    handlers.handle("list", notYet).handle("create", notYet).handle("rotate", notYet).handle("revoke", notYet)),
  HttpApiBuilder.group(Api, "admin", (handlers) =>
    handlers.handle("create", notYet).handle("list", notYet).handle("revoke", notYet).handle("rotate", notYet))
)
