import { Effect } from "effect"
import { steadyNow } from "../fibers/SteadyTime.ts"
import { withinPatience } from "./Attempt.ts"
import { tolerable } from "./CloseInterval.ts"
import { currentTips, furthestOf } from "./CurrentTips.ts"
import type { Endpoint } from "./Endpoint.ts"
import type { EndpointTip, SurveyedEndpoint } from "./EndpointTip.ts"
import type { Fault } from "./Fault.ts"
import { currentPatience, isGivenUp } from "./pace/Patience.ts"
import { millisWithoutStalls, type Stalls } from "./pace/Stalls.ts"
import { currentPin, pinTo } from "./Pin.ts"
import type { EndpointGroup } from "./Round.ts"
import { surveyTimeout } from "./RpcPolicy.ts"

/** The query for the network and the newest ledger of an endpoint. */
export type AskTip = (url: URL) => Effect.Effect<EndpointTip, Fault>

/** Queries the tip of one endpoint, for `surveyTimeout` at most. */
const surveyOne = (endpoint: Endpoint, ask: AskTip, stalls: Stalls["Type"]): Effect.Effect<SurveyedEndpoint> =>
  Effect.gen(function*() {
    const patience = yield* currentPatience
    if (isGivenUp(patience, endpoint.url, false)) return { _tag: "Silent", throttled: false }
    const clock = yield* Effect.clock
    const start = steadyNow(clock)
    const sent = millisWithoutStalls(clock, stalls)
    const outcome = yield* Effect.either(withinPatience(endpoint.url, { most: surveyTimeout }, patience, stalls)(ask(endpoint.url)))
    if (outcome._tag === "Left") {
      yield* Effect.ignore(endpoint.noteFault(outcome.left, start))
      return { _tag: "Silent", throttled: outcome.left._tag === "Throttled" }
    }
    const took = millisWithoutStalls(clock, stalls) - sent
    yield* endpoint.noteIdentity(outcome.right.passphrase)
    endpoint.noteAnswer(took)
    return endpoint.health.ours === false ? { _tag: "Foreign" } : { _tag: "Here", tip: outcome.right }
  })

/**
 * Of each endpoint whether it lags behind the furthest one, by ledgers and by the times of their headers, or has no current ledger at all;
 * null where it was not heard.
 */
const laggards = (
  found: ReadonlyArray<SurveyedEndpoint>,
  current: ReadonlyArray<EndpointTip | null>
): ReadonlyArray<boolean | null> => {
  const ahead = furthestOf(current)
  return found.map((one, index) => {
    if (one._tag !== "Here" || ahead === null) return null
    const tip = current[index] ?? null
    return tip === null ||
      (ahead.ledger - tip.ledger > tolerable.ledgers && ahead.closeTime - tip.closeTime > BigInt(tolerable.seconds))
  })
}

/** Queries the tips of all endpoints at once, and prefers those that are ahead from then on: of the current ones (`CurrentTips.ts`). */
export const survey = (group: EndpointGroup, ask: AskTip): Effect.Effect<ReadonlyArray<SurveyedEndpoint>> =>
  Effect.gen(function*() {
    const { all, pins, rejectedAge, stalls } = group
    const found = yield* Effect.forEach(all, (endpoint) => surveyOne(endpoint, ask, stalls), { concurrency: "unbounded" })
    const current = yield* currentTips(found, rejectedAge)
    for (const [index, lags] of laggards(found, current).entries()) {
      const endpoint = all[index]
      if (endpoint !== undefined && lags !== null) endpoint.health = { ...endpoint.health, lags }
    }
    const ahead = furthestOf(current)
    if (ahead === null) return found
    const isBehind = (place: number): boolean => (current[place]?.ledger ?? 0) < ahead.ledger
    if (isBehind(group.sticky)) group.sticky = current.indexOf(ahead)
    const pin = pins ? yield* currentPin : null
    // A request that compares endpoints needs one that is ahead: from here on it reads from that one, and is made anew.
    if (pin !== null && pin.index !== null && isBehind(pin.index)) pinTo(pin, current.indexOf(ahead))
    return found
  })
