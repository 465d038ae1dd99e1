import { Effect } from "effect"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { pinned } from "../../chain/Pin.ts"
import type { WitnessFailure } from "../../chain/witness/SecondWitness.ts"
import { ContractRpcLagging } from "../../domain/failure/Upstream.ts"
import { ProtocolRegistry } from "../../protocols/ProtocolRegistry.ts"
import type { BuildFailure } from "../situation/BuildFailure.ts"
import { otherOrigins } from "./OtherOrigins.ts"
import type { ReadAnew } from "./TokenWitness.ts"

/** A build on one origin of the contract RPC. */
type Attempt<A> = Effect.Effect<A, BuildFailure | WitnessFailure | ReadAnew>

/** Repeats a build whose sources disagree or lag, or whose second witness reports more than was read: from other origins, or anew. */
export const sourceFallback = Effect.gen(function*() {
  const protocols = yield* ProtocolRegistry
  const rpc = yield* ContractRpc
  const api = yield* LedgerApi
  const { ledgerApiUrls, network, rpcUrls } = yield* NetworkSettings
  const fromOthers = yield* otherOrigins
  const hasTwo = rpc.origins.length === 2

  /** Lists of contracts that rest on what sources contradict one another about are dropped. */
  const forgetting = <A>(tried: Attempt<A>) =>
    Effect.tapError(
      tried,
      (failure) =>
        failure._tag === "SourcesDisagree" && "about" in failure && failure.about !== "account" ? protocols.forgetLists : Effect.void
    )

  /** Of two origins that disagree all is read once more by the same lists, since one of them may have erred once. */
  const onceMore = <A>(work: Attempt<A>): Attempt<A> =>
    forgetting(Effect.catchTag(pinned(network, work), "SourcesDisagree", () => pinned(network, work)))

  return <A>(work: Attempt<A>) => {
    const attempt = hasTwo ? onceMore(work) : fromOthers(forgetting(work))
    // The second attempt reads what the witness reported beyond the first. More still is a lag.
    const anew = () => Effect.catchTag(attempt, "ReadAnew", () => new ContractRpcLagging({ behind: null, ageSeconds: null }))
    const whole = Effect.catchTag(attempt, "ReadAnew", anew)
    // One of several endpoints of the contract RPC lags. A survey puts the one that is ahead first.
    const again = Effect.zipRight(rpc.survey, whole)
    const retryLagging = (tried: typeof whole) =>
      Effect.catchTag(tried, "ContractRpcLagging", (lagging) => (rpcUrls.length > 1 ? again : lagging))
    // At most two more attempts, each after a survey.
    const surveyed = retryLagging(retryLagging(whole))
    // The same for the ledger API, once.
    return surveyed.pipe(
      Effect.catchTag("LedgerApiLagging", (lagging) => (ledgerApiUrls.length > 1 ? Effect.zipRight(api.survey, surveyed) : lagging)),
      Effect.catchTags({
        StillDisputed: ({ failure }) => failure,
        WitnessBehind: ({ behind }) => new ContractRpcLagging({ behind, ageSeconds: null })
      })
    )
  }
})
