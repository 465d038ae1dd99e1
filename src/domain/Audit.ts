import { Effect } from "effect"

/** What operators look for in the log, as the field `audit` of its line. */
export type AuditedAction = "key_created" | "key_rotated" | "key_revoked" | "admin_token_refused"

/** Whose action it was: the operator's, a person's in a session, or someone's without the right token. */
export type AuditedActor = "operator" | "self-service" | "stranger"

/** An audit line: what was done, by whom, and the ids of keys. It has no secret, no address and no name of an owner. */
export const audited = (
  message: string,
  { action, by, ...ids }: {
    readonly action: AuditedAction
    readonly by: AuditedActor
    readonly keyId?: string
    readonly rotatedFrom?: string | null
    readonly graceSeconds?: number
  }
): Effect.Effect<void> => Effect.annotateLogs(Effect.logInfo(message), { audit: action, by, ...ids })
