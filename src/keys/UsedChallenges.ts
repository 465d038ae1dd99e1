import { SqlClient } from "@effect/sql"
import { Clock, Effect } from "effect"
import { atMostHourly } from "./AtMostHourly.ts"
import { guarded } from "./database/Guarded.ts"

/** How long after its end a used challenge is remembered still, in milliseconds: longer than any clock is likely to be wrong. */
const remembered = 24 * 60 * 60 * 1000

/** Challenges that were used, in the key store, so that none is good for a second session at any instance. */
export const usedChallenges = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const forget = Effect.flatMap(
    Clock.currentTimeMillis,
    (now) => sql`DELETE FROM closeout_used_challenges WHERE expires_at < ${now - remembered}`
  )
  const tidied = atMostHourly(guarded("forget used challenges")(forget))

  return {
    /** True for exactly one who asks for a challenge; for everyone later, at whichever instance, false. `expiresAt` is in milliseconds. */
    use: (hash: string, expiresAt: number) =>
      Effect.zipLeft(
        guarded("use a challenge")(
          Effect.map(
            sql`INSERT INTO closeout_used_challenges (hash, expires_at) VALUES (${hash}, ${expiresAt})
              ON CONFLICT (hash) DO NOTHING RETURNING hash`,
            (rows) => rows.length === 1
          )
        ),
        tidied
      )
  }
})
