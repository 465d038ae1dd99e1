import { Effect } from "effect"
import { steadyNow } from "../fibers/SteadyTime.ts"
import { withinPatience } from "./Attempt.ts"
import { tolerable } from "./CloseInterval.ts"
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

/** Of each endpoint whether it lags behind the furthest one, by ledgers and by the times of their headers; null where it was not heard. */
const laggards = (found: ReadonlyArray<SurveyedEndpoint>): ReadonlyArray<boolean | null> => {
  const tips = found.map((one) => (one._tag === "Here" ? one.tip : null))
  const ahead = tips.reduce((most, tip) => ((tip?.ledger ?? 0) > (most?.ledger ?? 0) ? tip : most), null)
  return tips.map((tip) =>
    tip === null || ahead === null
      ? null
      : ahead.ledger - tip.ledger > tolerable.ledgers && ahead.closeTime - tip.closeTime > BigInt(tolerable.seconds)
  )
}

/** Queries the tips of all endpoints at once, and prefers those that are ahead from then on. */
export const survey = (group: EndpointGroup, ask: AskTip): Effect.Effect<ReadonlyArray<SurveyedEndpoint>> =>
  Effect.gen(function*() {
    const { all, pins, stalls } = group
    const found = yield* Effect.forEach(all, (endpoint) => surveyOne(endpoint, ask, stalls), { concurrency: "unbounded" })
    const ledgers = found.map((one) => (one._tag === "Here" ? one.tip.ledger : null))
    const furthest = ledgers.reduce((most: number, ledger) => Math.max(most, ledger ?? 0), 0)
    const lagging = laggards(found)
    for (const [index, endpoint] of all.entries()) {
      const lags = lagging[index] ?? null
      if (lags !== null) endpoint.health = { ...endpoint.health, lags }
    }
    if ((ledgers[group.sticky] ?? 0) < furthest) group.sticky = ledgers.indexOf(furthest)
    const pin = pins ? yield* currentPin : null
    // A request that compares endpoints needs one that is ahead: from here on it reads from that one, and is made anew.
    if (pin !== null && pin.index !== null && (ledgers[pin.index] ?? 0) < furthest) pinTo(pin, ledgers.indexOf(furthest))
    return found
  })
