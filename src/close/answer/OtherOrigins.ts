import { Effect } from "effect"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { currentPin, pinned } from "../../chain/Pin.ts"
import { ownOf, type RpcOrigin } from "../../chain/RpcOrigin.ts"
import type { NetworkUnavailable } from "../../domain/failure/Upstream.ts"

/**
 * Does work that reads from one origin of the contract RPC. Where its sources disagree, two of the other origins may agree with one another: then
 * everything is read from one of them. After all origins but one were contradicted, no two agree. One or two origins are not changed.
 */
export const otherOrigins = Effect.gen(function*() {
  const { origins } = yield* ContractRpc
  const { network } = yield* NetworkSettings

  return <A, E extends { readonly _tag: string }, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | NetworkUnavailable, R> =>
    Effect.suspend(() => {
      const contradicted = new Set<RpcOrigin>()
      // Only the request's own pin shows which origin it was read from: the healthiest comes first, in any place.
      const noted = Effect.tapError(work, ({ _tag }) =>
        _tag !== "SourcesDisagree" ? Effect.void : Effect.map(currentPin, (pin) => {
          for (const own of pin === null || pin.moved ? [] : ownOf(origins, pin)) contradicted.add(own)
        }))
      const further = (tried: Effect.Effect<A, E | NetworkUnavailable, R>): Effect.Effect<A, E | NetworkUnavailable, R> =>
        Effect.catchAll(tried, (failure) => {
          if (failure._tag !== "SourcesDisagree" || origins.length < 3) return Effect.fail(failure)
          const [next] = origins.filter((one) => !contradicted.has(one)).slice(0, -1)
          if (next === undefined) return Effect.fail(failure)
          contradicted.add(next)
          return further(pinned(network, noted, { from: next.places[0] }))
        })
      return further(pinned(network, noted))
    })
})
