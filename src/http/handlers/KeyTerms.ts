import { Clock, Effect } from "effect"
import { InvalidBody } from "../../domain/failure/Input.ts"
import type { KeyTerms } from "../../keys/KeyTable.ts"

interface Given {
  readonly label?: string
  readonly expiresAt?: string
}

/** What a request says of a new key. Fails when the key would have expired already. */
export const termsOf = ({ expiresAt, label }: Given): Effect.Effect<KeyTerms, InvalidBody> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const ends = expiresAt === undefined ? null : Date.parse(expiresAt)
    if (ends === null || ends > now) return Effect.succeed({ label: label ?? null, expiresAt: ends })
    return new InvalidBody({ issues: [{ path: "expiresAt", message: "must lie in the future" }] })
  })
