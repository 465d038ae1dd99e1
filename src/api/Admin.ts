import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { failures } from "./ErrorTable.ts"
import { IssuedKey, KeyList, KeyRecord } from "./KeyRecords.ts"
import { KeyPath, Owner, OwnerQuery } from "./Parameters.ts"
import { bodyFailures } from "./RouteFailures.ts"
import { AdminAuth } from "./Security.ts"

const create = HttpApiEndpoint.post("create", "/admin/api-keys")
  .setPayload(
    Schema.Struct({
      owner: Owner,
      rateLimit: Schema.optionalWith(Schema.Struct({ limit: Schema.Number, windowSeconds: Schema.Number }), { exact: true }).annotations({
        description: "The key's own rate: limit 1 to 1000000, windowSeconds 1 to 86400."
      })
    }).annotations({ identifier: "CreateKeyRequest" })
  )
  .addSuccess(IssuedKey, { status: 201 })
  .addError(failures("InvalidRateLimit", "KeyStoreUnavailable"))
  .addError(bodyFailures)
  .annotate(OpenApi.Summary, "Create a key")
  .annotate(OpenApi.Description, "The key is shown once.")

const list = HttpApiEndpoint.get("list", "/admin/api-keys")
  .setUrlParams(OwnerQuery)
  .addSuccess(KeyList)
  .addError(failures("KeyStoreUnavailable"))
  .annotate(OpenApi.Summary, "List keys")
  .annotate(OpenApi.Description, "The newest 1000 records, or those of one owner. Keys of the setting `API_KEYS` are not among them.")

const revoke = HttpApiEndpoint.post("revoke", "/admin/api-keys/:id/revoke")
  .setPath(KeyPath)
  .addSuccess(KeyRecord)
  .addError(failures("ApiKeyNotFound", "KeyStoreUnavailable"))
  .addError(bodyFailures)
  .annotate(OpenApi.Summary, "Revoke a key")
  .annotate(OpenApi.Description, "May be repeated.")

const rotate = HttpApiEndpoint.post("rotate", "/admin/api-keys/:id/rotate")
  .setPath(KeyPath)
  .addSuccess(IssuedKey)
  .addError(failures("ApiKeyNotFound", "KeyStoreUnavailable"))
  .addError(bodyFailures)
  .annotate(OpenApi.Summary, "Rotate a key")
  .annotate(OpenApi.Description, "Revokes a live key and gives its successor, shown once, with the same owner and rate.")

/** Key management by the operator. */
export class Admin extends HttpApiGroup.make("admin")
  .add(create)
  .add(list)
  .add(revoke)
  .add(rotate)
  .middleware(AdminAuth)
  .annotate(OpenApi.Title, "Administration")
  .annotate(OpenApi.Description, "API keys, for the operator only.")
{}
