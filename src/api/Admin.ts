import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { optional } from "../domain/OptionalField.ts"
import { Checked } from "./Checked.ts"
import { failures } from "./ErrorTable.ts"
import { CreatedKey, IssuedKey, KeyList, KeyRecord } from "./KeyRecords.ts"
import { keyTerms, RotateKeyBody, withOptionalBody } from "./KeyRequests.ts"
import { KeyListQuery, KeyPath, Owner } from "./Parameters.ts"
import { bodyFailures } from "./RouteFailures.ts"
import { CarriesSecret } from "./RouteLimits.ts"
import { AdminAuth } from "./Security.ts"
import { strict } from "./Strict.ts"

/** The body of a request for a key of anyone. */
export const CreateKeyBody = strict(
  Schema.Struct({
    owner: Owner,
    rateLimit: optional(
      Schema.Struct({ limit: Schema.Number, windowSeconds: Schema.Number }).annotations({
        jsonSchema: { $ref: "#/components/schemas/RateLimitSetting" }
      })
    ).annotations({ description: "The key's own rate: limit 1 to 1000000, windowSeconds 1 to 86400." }),
    ...keyTerms
  }).annotations({ identifier: "CreateKeyRequest", description: "Who the key is for, and on what terms." })
)

const create = HttpApiEndpoint.post("create", "/admin/api-keys")
  .setPayload(CreateKeyBody)
  .addSuccess(CreatedKey)
  .addError(failures("InvalidRateLimit", "KeyStoreUnavailable"))
  .addError(bodyFailures)
  .annotate(CarriesSecret, true)
  .annotate(OpenApi.Identifier, "createKey")
  .annotate(OpenApi.Summary, "Create a key")
  .annotate(OpenApi.Description, "The key is shown once.")

const list = HttpApiEndpoint.get("list", "/admin/api-keys")
  .setUrlParams(KeyListQuery)
  .addSuccess(KeyList)
  .addError(failures("KeyStoreUnavailable"))
  .annotate(OpenApi.Identifier, "listKeys")
  .annotate(OpenApi.Summary, "List keys")
  .annotate(
    OpenApi.Description,
    "The newest 1000 records, of one owner, or of live keys that were not used for so many days. Keys of the setting `API_KEYS` are not among them."
  )

const revoke = HttpApiEndpoint.post("revoke", "/admin/api-keys/:id/revoke")
  .setPath(KeyPath)
  .addSuccess(KeyRecord)
  .addError(failures("ApiKeyNotFound", "KeyStoreUnavailable"))
  .addError(bodyFailures)
  .annotate(OpenApi.Identifier, "revokeKey")
  .annotate(OpenApi.Summary, "Revoke a key")
  .annotate(OpenApi.Description, "May be repeated.")

const rotate = withOptionalBody(HttpApiEndpoint.post("rotate", "/admin/api-keys/:id/rotate").setPath(KeyPath).setPayload(RotateKeyBody))
  .addSuccess(IssuedKey)
  .addError(failures("ApiKeyNotFound", "KeyStoreUnavailable"))
  .addError(bodyFailures)
  .annotate(CarriesSecret, true)
  .annotate(OpenApi.Identifier, "rotateKey")
  .annotate(OpenApi.Summary, "Rotate a key")
  .annotate(
    OpenApi.Description,
    "Gives the successor of a live key, shown once, with the same owner, label, expiry, rate and window of that rate. The old key ends at once, or after `graceSeconds`."
  )

/** Key management by the operator. */
export class Admin extends HttpApiGroup.make("admin")
  .add(create)
  .add(list)
  .add(revoke)
  .add(rotate)
  .middleware(Checked)
  .middleware(AdminAuth)
  .annotate(OpenApi.Title, "Administration")
  .annotate(OpenApi.Description, "API keys, for the operator only.")
{}
