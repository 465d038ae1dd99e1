import { Schema } from "effect"
import { ApiKeyRecord } from "../domain/ApiKeyRecord.ts"

/** A new key, shown this once. */
export const IssuedKey = Schema.Struct({
  key: Schema.String.annotations({ description: "The key, `lk_` and 43 characters. It is shown this once; only its SHA-256 is stored." }),
  record: ApiKeyRecord
}).annotations({ identifier: "IssuedKey" })

/** Records of keys. */
export const KeyList = Schema.Struct({ keys: Schema.Array(ApiKeyRecord) }).annotations({ identifier: "KeyList" })

/** One record. */
export const KeyRecord = Schema.Struct({ record: ApiKeyRecord }).annotations({ identifier: "KeyRecord" })
