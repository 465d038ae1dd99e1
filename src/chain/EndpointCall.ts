import { Clock, Context, Effect } from "effect"
import { steadyNow } from "../fibers/SteadyTime.ts"
import { givenUp, type RunOptions, type WaitLimits, withinPatience } from "./Attempt.ts"
import type { Endpoint } from "./Endpoint.ts"
import type { Fault } from "./Fault.ts"
import { isForeign } from "./Health.ts"
import { isGivenUp, type Patience, patienceOf } from "./pace/Patience.ts"
import { millisWithoutStalls, type Stalls } from "./pace/Stalls.ts"
import { queueWait } from "./QueueWait.ts"
import { foreign, isFinal } from "./RoundFailed.ts"

/** How a round calls one of its endpoints. */
export interface CallOptions<A> extends WaitLimits, RunOptions<A> {
  readonly isLast: boolean
  /** No other endpoint is left in this round. */
  readonly alone: boolean
  /** The endpoint answered. */
  readonly onAnswer: () => void
}

/** What a call needs of its fiber. */
interface CallContext {
  readonly clock: Clock.Clock
  readonly patience: Patience | null
  readonly stalls: Stalls["Type"]
}

/** Sends a question, waits for its answer, and notes how the endpoint fared. */
const sent = <A>(
  endpoint: Endpoint,
  attempt: (url: URL) => Effect.Effect<A, Fault>,
  options: CallOptions<A>,
  { clock, patience, stalls }: CallContext
): Effect.Effect<A, Fault> => {
  const sentAt = steadyNow(clock)
  const began = millisWithoutStalls(clock, stalls)
  const isGuest = () => options.isGuest?.() === true
  const note = () => {
    if (!isGuest()) {
      endpoint.queue.answered(steadyNow(clock))
      endpoint.noteAnswer(millisWithoutStalls(clock, stalls) - began)
    }
    options.onAnswer()
  }
  return Effect.matchEffect(withinPatience(endpoint.url, options, patience, stalls)(endpoint.answer(attempt)), {
    onSuccess: (answer) => {
      note()
      return Effect.succeed(answer)
    },
    onFailure: (fault) => {
      if (fault._tag === "Refused") note()
      return isFinal(fault) || isGuest() ? Effect.fail(fault) : endpoint.noteFault(fault, sentAt)
    }
  })
}

/**
 * The answer of one endpoint: recalled, or asked for in its turn. Fails at once where the request has given the endpoint up, where it serves
 * another network, and where its turn would come too late.
 */
export const callEndpoint = <A>(
  endpoint: Endpoint,
  attempt: (url: URL) => Effect.Effect<A, Fault>,
  options: CallOptions<A>,
  stalls: Stalls["Type"]
): Effect.Effect<A, Fault> =>
  Effect.withFiberRuntime<A, Fault>((fiber) => {
    const patience = patienceOf(fiber)
    const { health, queue, url } = endpoint
    if (isGivenUp(patience, url, options.isLast)) return givenUp
    const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
    const now = steadyNow(clock)
    if (isForeign(health, now)) return foreign
    const recalled = health.ours === true ? options.recall?.(url, now) ?? null : null
    if (recalled !== null) return Effect.succeed(recalled)
    const send = () => sent(endpoint, attempt, options, { clock, patience, stalls })
    const wait = queueWait(queue, health, { alone: options.alone, now, patience, until: options.until })
    return wait === null ? send() : Effect.flatMap(wait, send)
  })
