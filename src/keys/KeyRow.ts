import type { ApiKeyRecord, LiveKey } from "../domain/ApiKeyRecord.ts"
import { showMillis } from "../domain/Instant.ts"
import type { Network } from "../domain/Network.ts"

/** PostgreSQL gives large numbers as texts. */
export type Whole = number | string

/** A row of the table of keys. Times are milliseconds since 1970. */
export interface Row {
  readonly id: string
  readonly digest: string
  readonly owner: string
  readonly network: Network | null
  readonly label: string | null
  readonly last4: string | null
  readonly created_at: Whole
  readonly expires_at: Whole | null
  readonly revoked_at: Whole | null
  readonly rotated_from: string | null
  readonly replaced_by: string | null
  readonly last_used_at: Whole | null
  readonly rate_limit: Whole | null
  readonly rate_window_seconds: Whole | null
  readonly rate_window: string | null
}

const shown = (millis: Whole | null): string | null => (millis === null ? null : showMillis(Number(millis)))

/** What a row says of its key, as it goes over the wire. */
export const recordOf = (row: Row): ApiKeyRecord => ({
  id: row.id,
  owner: row.owner,
  label: row.label,
  last4: row.last4,
  createdAt: showMillis(Number(row.created_at)),
  expiresAt: shown(row.expires_at),
  revokedAt: shown(row.revoked_at),
  rotatedFrom: row.rotated_from,
  lastUsedAt: shown(row.last_used_at),
  rateLimit: row.rate_limit === null || row.rate_window_seconds === null
    ? null
    : { limit: Number(row.rate_limit), windowSeconds: Number(row.rate_window_seconds) }
})

/** The name of the key's window of the rate limit. */
export const rateWindowOf = (row: Row): string => row.rate_window ?? row.id

/** What a row says of a key that opens the API. */
export const liveKeyOf = (row: Row): LiveKey => ({ ...recordOf(row), rateWindow: rateWindowOf(row) })
