import { Effect, type Scope } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A loopback port that another listener holds until the scope ends. */
export const takenPort: Effect.Effect<number, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => {
    const made = createServer()
    return new Promise<typeof made>((resolve) => made.listen(0, "127.0.0.1", () => resolve(made)))
  }),
  (made) => Effect.sync(() => made.close())
).pipe(Effect.map((made) => (made.address() as AddressInfo).port))
