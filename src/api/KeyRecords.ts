import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { ApiKeyRecord } from "../domain/ApiKeyRecord.ts"

/** A new key, shown this once. */
export const IssuedKey = Schema.Struct({
  key: Schema.String.annotations({ description: "The key, `lk_` and 43 characters. It is shown this once; only its SHA-256 is stored." }),
  record: ApiKeyRecord
}).annotations({ identifier: "IssuedKey", description: "A new key with its record." })

/** The same with status 201. */
export const CreatedKey = IssuedKey.annotations({
  ...HttpApiSchema.annotations({ status: 201 }),
  identifier: "IssuedKey",
  description: "A new key with its record."
})

/** Records of keys. */
export const KeyList = Schema.Struct({
  keys: Schema.Array(ApiKeyRecord).annotations({ description: "Records of keys, the newest first." })
}).annotations({
  identifier: "KeyList",
  description: "Records of keys."
})

/** One record. */
export const KeyRecord = Schema.Struct({ record: ApiKeyRecord }).annotations({
  identifier: "KeyRecord",
  description: "The record of one key."
})
