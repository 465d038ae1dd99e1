import type { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { RateLimited } from "../../domain/failure/Request.ts"
import { clientAddress, siteAddress, trustedProxyHops } from "../request/ClientAddress.ts"
import { RateLimitStore } from "./RateLimitStore.ts"

/** What a client address may do in a day without the operator: accounts cost nothing to invent, and each may have keys of its own. */
const mostADay = {
  /** Signed challenges that are looked at: each asks the sources who may sign, and one that opens a session is remembered. */
  sessions: 50,
  /** Keys made or replaced: each is a row that is kept, and has a rate of its own. */
  keys: 20,
  /** Accounts made on the sandbox: each stays in memory. */
  accounts: 100
} as const

const windowSeconds = 86_400

/** How much more a whole IPv6 site (48 bits) may do than one client address: someone who holds all of it gains no more than this. */
const siteShare = 1.5

/** Counts what strangers do that costs more than a refusal. Fails when the client's address, or its IPv6 site, has done it too often that day. */
export const selfServiceBound = Effect.gen(function*() {
  const limits = yield* RateLimitStore
  const hops = yield* trustedProxyHops
  const count = (id: string, limit: number) =>
    Effect.flatMap(
      limits.count({ kind: "day", id }, { limit, windowSeconds }),
      ({ allowed, resetSeconds }) => (allowed ? Effect.void : new RateLimited({ retryAfterSeconds: resetSeconds }))
    )
  return (what: keyof typeof mostADay, request: HttpServerRequest.HttpServerRequest): Effect.Effect<void, RateLimited> =>
    Effect.zipRight(
      count(`${what} ${clientAddress(request, hops)}`, mostADay[what]),
      count(`${what} site ${siteAddress(request, hops)}`, mostADay[what] * siteShare)
    )
})
