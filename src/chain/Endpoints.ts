import { Array as Arr, Clock, Context, Duration, Effect } from "effect"
import { DeadlineExceeded } from "../domain/failure/Upstream.ts"
import type { Network } from "../domain/Network.ts"
import { rareWarning } from "../fibers/RareWarning.ts"
import { steadyMillis, steadyNow } from "../fibers/SteadyTime.ts"
import { type Asking, givenUp, type RunOptions, waitedFor } from "./Attempt.ts"
import type { ChainFailure, ChainSource } from "./ChainFailure.ts"
import { laggards } from "./CloseInterval.ts"
import type { EndpointTip, SurveyedEndpoint } from "./EndpointTip.ts"
import type { Fault } from "./Fault.ts"
import { answered, failed, type Health, isForeign, isUp, preference, standingOf, unknown } from "./Health.ts"
import { lineWait } from "./LineWait.ts"
import { askedAgain } from "./ObservedCall.ts"
import { askingLine } from "./pace/AskingLine.ts"
import { currentPatience, isGivenUp, patienceOf, wasSilent } from "./pace/Patience.ts"
import { retryPolicy } from "./pace/RetryPolicy.ts"
import { Stalls, undisturbed } from "./pace/Stalls.ts"
import { currentPin, inOrder, keepTo, pinOf } from "./Pinned.ts"
import { foreign, isFinal, RoundFailed } from "./RoundFailed.ts"
import { attemptTimeout, callTimeout, longestHang, surveyTimeout } from "./RpcPolicy.ts"

/** How an endpoint fared. */
export interface EndpointReport {
  /** Origin only: paths and queries may hold credentials. */
  readonly url: string
  /** `healthy` answered last; `degraded` failed last, or lags; `down` failed three times in a row, or serves another network. */
  readonly health: Health["status"]
  /** Moving average over answers in milliseconds; 0 before the first. */
  readonly avgLatencyMs: number
}

/** Puts a question to endpoints. */
export type Run = <A>(attempt: (url: URL) => Effect.Effect<A, Fault>, options?: RunOptions<A>) => Effect.Effect<A, ChainFailure>

/** Several endpoints of one source, used as one. */
export interface Endpoints {
  /**
   * Asks endpoint after endpoint until one answers, in rounds (`RetryPolicy.ts`). For a request an endpoint is waited for as long as its patience
   * says (`Patience.ts`), otherwise, and where the answer has to be searched for and nobody else can be asked, ten seconds; those in which this process was late itself
   * are not counted. The whole call is cut off after eighteen. A question that is refused as wrong is not asked elsewhere.
   */
  readonly run: Run
  /** The same of some of them, by their places, and of no other: no request keeps to the one that answers. */
  readonly among: (places: Arr.NonEmptyReadonlyArray<number>) => Run
  /**
   * Asks every endpoint where it stands, all at once and once each. What they say decides who is asked from now on: none that
   * serves another network, and those that lag only after the others.
   */
  readonly survey: (ask: (url: URL) => Effect.Effect<EndpointTip, Fault>) => Effect.Effect<ReadonlyArray<SurveyedEndpoint>>
  readonly report: Effect.Effect<ReadonlyArray<EndpointReport>>
}

/** By endpoint, as `NetworkSettings` has it: all users of one share its minute. */
const warnings = new WeakMap<URL, ReturnType<typeof rareWarning>>()

const warningOf = (url: URL) => {
  const warning = warnings.get(url) ?? rareWarning("an endpoint failed")
  warnings.set(url, warning)
  return warning
}

export interface EndpointsOptions {
  readonly source: ChainSource
  readonly network: Network
  readonly urls: Arr.NonEmptyReadonlyArray<URL>
  /** The network that endpoints must serve, and how to ask one. Each is asked once, beside its first question. */
  readonly identity?: {
    readonly passphrase: string
    readonly of: (url: URL) => Effect.Effect<string, Fault>
  }
  /** Whether a request keeps to the endpoint that answered it first (`Pinned.ts`). Left out: it does not. */
  readonly pins?: boolean
}

/** Endpoints of one source, nothing known of them yet. */
export const make = Effect.fnUntraced(function*({ identity, network, pins = false, source, urls }: EndpointsOptions) {
  const states = urls.map(() => unknown)
  /** Which answered last. */
  let sticky = 0
  const stalls = yield* Stalls
  const lines = urls.map(askingLine)
  const doors = yield* Effect.forEach(urls, () => Effect.makeSemaphore(1))
  const healthAt = (index: number): Health => states[index] ?? unknown

  const noteAnswer = (index: number, took: number) => {
    states[index] = answered(healthAt(index), Math.max(0, took))
  }

  /** Notes a fault, and fails with it. */
  const noteFault = (index: number, url: URL, fault: Fault, sent: number): Effect.Effect<never, Fault> =>
    Effect.gen(function*() {
      const now = yield* steadyMillis
      states[index] = failed(healthAt(index), fault, now)
      const { restsUntil, status } = healthAt(index)
      if (fault._tag === "Throttled") lines[index]?.refused(sent, now, restsUntil)
      else if (status === "down" && fault._tag === "Unreachable") lines[index]?.lost(now)
      yield* warningOf(url)({ source, endpoint: url.origin, fault: fault._tag, reason: "reason" in fault ? fault.reason : "429" })
      return yield* fault
    })

  const noteIdentity = (index: number, passphrase: string) =>
    Effect.gen(function*() {
      if (identity === undefined) return
      const ours = passphrase === identity.passphrase
      const before = healthAt(index)
      states[index] = { ...before, ours, namedAt: yield* steadyMillis }
      if (!ours && before.ours !== false) {
        yield* Effect.logError("an endpoint serves another network and is not used").pipe(
          Effect.annotateLogs({ source, network, endpoint: urls[index]?.origin })
        )
      }
    })

  /**
   * Fails for an endpoint of another network. What it says of itself is asked for once, and of one that named another network again after a
   * while; who comes meanwhile waits for that.
   */
  const identified = (index: number, url: URL): Effect.Effect<void, Fault> => {
    if (identity === undefined) return Effect.void
    const verdictOf = Effect.map(steadyMillis, (now) => isForeign(healthAt(index), now)).pipe(
      Effect.flatMap((is) => (is ? Effect.fail(foreign) : Effect.succeed(healthAt(index).ours === true)))
    )
    const settle = Effect.gen(function*() {
      if (yield* verdictOf) return
      yield* noteIdentity(index, yield* identity.of(url))
      yield* verdictOf
    })
    return Effect.flatMap(verdictOf, (known) => (known ? Effect.void : (doors[index]?.withPermits(1)(settle) ?? settle)))
  }

  /** An answer of an endpoint that is ours. Where that is not known yet, it is asked for beside. */
  const answerOf = <A>(index: number, url: URL, attempt: (url: URL) => Effect.Effect<A, Fault>): Effect.Effect<A, Fault> =>
    identity === undefined || healthAt(index).ours === true
      ? attempt(url)
      : Effect.zipLeft(attempt(url), identified(index, url), { concurrent: true })

  const ask = <A>(
    index: number,
    url: URL,
    attempt: (url: URL) => Effect.Effect<A, Fault>,
    asking: Asking & RunOptions<A> & { readonly alone: boolean; readonly isLast: boolean; readonly noteFirst: () => void }
  ): Effect.Effect<A, Fault> =>
    Effect.withFiberRuntime<A, Fault>((fiber) => {
      const patience = patienceOf(fiber)
      if (isGivenUp(patience, url, asking.isLast)) return givenUp
      const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
      const [known, line] = [healthAt(index), lines[index]]
      if (isForeign(known, steadyNow(clock))) return foreign
      const recalled = known.ours === true ? asking.recall?.(url, steadyNow(clock)) ?? null : null
      if (recalled !== null) return Effect.succeed(recalled)
      const put = () => {
        const start = steadyNow(clock)
        const sent = undisturbed(clock, stalls)
        const isGuest = () => asking.isGuest?.() === true
        const note = () => {
          if (!isGuest()) {
            line?.answered(steadyNow(clock))
            noteAnswer(index, undisturbed(clock, stalls) - sent)
          }
          asking.noteFirst()
        }
        return Effect.matchEffect(waitedFor(url, asking, patience, stalls)(answerOf(index, url, attempt)), {
          onSuccess: (answer) => {
            note()
            return Effect.succeed(answer)
          },
          onFailure: (fault) => {
            if (fault._tag === "Refused") note()
            return isFinal(fault) || isGuest() ? Effect.fail(fault) : noteFault(index, url, fault, start)
          }
        })
      }
      const now = steadyNow(clock)
      const wait = line === undefined ? null : lineWait(line, known, { alone: asking.alone, now, patience, until: asking.until })
      return wait === null ? put() : Effect.flatMap(wait, put)
    })

  /** `retry`: there was a round before it. */
  const round = <A>(
    attempt: (url: URL) => Effect.Effect<A, Fault>,
    { only, retry, ...asking }: Asking & RunOptions<A> & {
      readonly only: ReadonlyArray<number> | null
      readonly retry: boolean
      readonly until: number
    }
  ): Effect.Effect<A, RoundFailed> =>
    Effect.withFiberRuntime<A, RoundFailed>((fiber) => {
      const faults: Array<Fault> = []
      const pin = pins && only === null ? pinOf(fiber) : null
      const preferred = inOrder(preference(states, sticky), pin)
      const order = only === null ? preferred : preferred.filter((one) => only.includes(one))
      const patience = patienceOf(fiber)
      const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
      const mayAnswer = (index: number): boolean => {
        const url = urls[index]
        return url !== undefined && isUp(healthAt(index), steadyNow(clock)) && !wasSilent(patience, url)
      }
      const from = (place: number): Effect.Effect<A, RoundFailed> => {
        const index = order[place] ?? -1
        const url = urls[index]
        if (url === undefined) {
          return Arr.isNonEmptyArray(faults)
            ? new RoundFailed({ faults, callEndsAt: asking.until })
            : Effect.dieMessage("a source of ledger data without an endpoint")
        }
        // A search that takes long and one that hangs look alike: where somebody else can be asked, neither is waited out.
        const most = asking.searched === true && place < order.length - 1 ? longestHang : asking.most
        const noteFirst = () => {
          if (only === null) sticky = index
        }
        // After the first round all of them were queried.
        const isLast = retry || !order.slice(place + 1).some(mayAnswer)
        const asked = ask(index, url, attempt, { ...asking, most, alone: place === order.length - 1, isLast, noteFirst })
        return Effect.matchEffect(askedAgain({ retry, failover: place > 0 })(asked), {
          onSuccess: (answer) => {
            keepTo(pin, index)
            return Effect.succeed(answer)
          },
          onFailure: (fault) => {
            if (isFinal(fault)) return new RoundFailed({ faults: [fault], callEndsAt: asking.until })
            faults.push(fault)
            return from(place + 1)
          }
        })
      }
      return from(0)
    })

  const runAmong = (only: ReadonlyArray<number> | null): Run => (attempt, asking = {}) =>
    Effect.clockWith((clock) => {
      const until = steadyNow(clock) + Duration.toMillis(callTimeout)
      let rounds = 0
      let last: RoundFailed | null = null
      const once = Effect.suspend(() => round(attempt, { most: attemptTimeout, ...asking, until, only, retry: rounds++ > 0 }))
      const noted = Effect.tapError(once, (failure) => Effect.sync(() => void (last = failure.isOverdue ? last : failure)))
      const failureOf = ({ isUnanswered }: RoundFailed) =>
        last === null || isUnanswered ? new DeadlineExceeded() : last.failure({ network, source })
      return Effect.mapError(Effect.retry(noted, retryPolicy), failureOf)
    })

  const surveyOne = (index: number, url: URL, ask: (url: URL) => Effect.Effect<EndpointTip, Fault>): Effect.Effect<SurveyedEndpoint> =>
    Effect.gen(function*() {
      const patience = yield* currentPatience
      if (isGivenUp(patience, url, false)) return { state: "silent", throttled: false }
      const clock = yield* Effect.clock
      const start = steadyNow(clock)
      const sent = undisturbed(clock, stalls)
      const outcome = yield* Effect.either(waitedFor(url, { most: surveyTimeout }, patience, stalls)(ask(url)))
      if (outcome._tag === "Left") {
        yield* Effect.ignore(noteFault(index, url, outcome.left, start))
        return { state: "silent", throttled: outcome.left._tag === "Throttled" }
      }
      const took = undisturbed(clock, stalls) - sent
      yield* noteIdentity(index, outcome.right.passphrase)
      noteAnswer(index, took)
      return healthAt(index).ours === false ? { state: "foreign" } : { state: "here", standing: outcome.right }
    })

  const survey = (ask: (url: URL) => Effect.Effect<EndpointTip, Fault>): Effect.Effect<ReadonlyArray<SurveyedEndpoint>> =>
    Effect.gen(function*() {
      const found = yield* Effect.forEach(urls, (url, index) => surveyOne(index, url, ask), { concurrency: "unbounded" })
      const ledgers = found.map((one) => (one.state === "here" ? one.standing.ledger : null))
      const furthest = ledgers.reduce((most: number, ledger) => Math.max(most, ledger ?? 0), 0)
      for (const [index, lags] of laggards(found).entries()) {
        if (lags !== null) states[index] = { ...healthAt(index), lags }
      }
      if ((ledgers[sticky] ?? 0) < furthest) sticky = ledgers.indexOf(furthest)
      const pin = pins ? yield* currentPin : null
      // Whoever compares them needs one that is ahead: from here on the request is that one's, and is made anew.
      if (pin !== null && pin.index !== null && (ledgers[pin.index] ?? 0) < furthest) keepTo(pin, ledgers.indexOf(furthest))
      return found
    })

  const report = Effect.sync(() =>
    states.map((health, index): EndpointReport => ({
      url: urls[index]?.origin ?? "",
      health: standingOf(health),
      avgLatencyMs: Math.round(health.avgLatencyMs)
    }))
  )

  return { run: runAmong(null), among: runAmong, survey, report } satisfies Endpoints
})
