import type { xdr } from "@stellar/stellar-sdk"
import { Deferred, Effect, Exit, FiberId, FiberRef } from "effect"
import { keyText } from "../xdr/LedgerKeys.ts"
import type { LiveEntries, LiveEntry } from "./contract-rpc/LiveEntry.ts"
import type { Fault } from "./Fault.ts"
import { callsTell, type CallWait, currentWait, waitOfAll } from "./pace/AttemptWait.ts"
import { gatheringTime, maxKeysPerCall } from "./RpcPolicy.ts"

/** What a call for the keys of several questions showed, by the text of the key. */
interface JointAnswer {
  readonly found: ReadonlyMap<string, LiveEntry>
  readonly latestLedger: number
}

/** A call that has not gone out yet, so that keys can still be added. */
interface GatheringCall {
  /** By their text. */
  readonly keys: Map<string, xdr.LedgerKey>
  /** Those of the questions in it. */
  readonly waits: Array<CallWait>
  /** How it ended; interrupted where the question that makes it is not waited for any more. */
  readonly end: Deferred.Deferred<Exit.Exit<JointAnswer, Fault>>
  /** Done once every request under way has a question in it: no other is waited for. */
  readonly full: Deferred.Deferred<void>
  readonly travellers: Set<Traveller>
  questions: number
}

/** The calls of some requests that may travel together, those of one batch. */
export interface JointCalls {
  /** One for each endpoint, by its address. */
  readonly gathering: Map<string, GatheringCall>
  /** Requests that have begun and not ended. */
  underWay: number
}

export const jointCalls = (): JointCalls => ({ gathering: new Map(), underWay: 0 })

/** A request that may travel with others. */
interface Traveller {
  readonly calls: JointCalls
}

const current = FiberRef.unsafeMake<Traveller | null>(null)

/** A request whose questions for ledger entries may travel with those of others that have the same `calls`. */
export const withJointCalls = (calls: JointCalls) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      calls.underWay++
    }),
    () => Effect.locally(work, current, { calls }),
    () =>
      Effect.sync(() => {
        calls.underWay--
      })
  )

type Attempt = (url: URL) => Effect.Effect<LiveEntries, Fault>

/** How some keys are requested. */
type Ask = (keys: ReadonlyArray<xdr.LedgerKey>) => Attempt

/** A question for ledger entries, as it is put to an endpoint. */
export interface JointQuestion {
  readonly attempt: Attempt
  /** Whether it waits, or waited last, for a call that another question makes: how that one fares counts once, and there. */
  readonly isGuest: () => boolean
}

/** A question on its way. */
interface PendingQuestion {
  readonly traveller: Traveller
  /** By their text. */
  readonly keys: ReadonlyMap<string, xdr.LedgerKey>
  readonly wait: CallWait | null
}

/** Adds keys to the call that gathers, in one step, so that it cannot go out in between; null where none gathers, or it has no room. */
const joined = (call: GatheringCall | undefined, { keys, traveller, wait }: PendingQuestion): GatheringCall | null => {
  if (call === undefined) return null
  const more = [...keys].filter(([text]) => !call.keys.has(text))
  if (call.keys.size + more.length > maxKeysPerCall) return null
  for (const [text, key] of more) call.keys.set(text, key)
  if (wait !== null) call.waits.push(wait)
  call.questions++
  call.travellers.add(traveller)
  if (call.travellers.size >= traveller.calls.underWay) Deferred.unsafeDone(call.full, Effect.void)
  return call
}

const begun = ({ keys, traveller, wait }: PendingQuestion): GatheringCall => ({
  keys: new Map(keys),
  waits: wait === null ? [] : [wait],
  end: Deferred.unsafeMake(FiberId.none),
  full: Deferred.unsafeMake(FiberId.none),
  travellers: new Set([traveller]),
  questions: 1
})

/** Makes the call that gathers from now on, once others had the time to add their keys. */
const made = (calls: JointCalls, call: GatheringCall, ask: Ask, url: URL): Effect.Effect<JointAnswer, Fault> => {
  const { gathering } = calls
  const close = Effect.sync(() => {
    if (gathering.get(url.href) === call) gathering.delete(url.href)
  })
  const sent = Effect.suspend(() => Effect.zipRight(callsTell(waitOfAll(call.waits)), ask([...call.keys.values()])(url)))
  // It can be waited for only once its end is certain to be announced.
  const open = Effect.sync(() => void gathering.set(url.href, call))
  const gathered = Effect.suspend(() =>
    call.travellers.size >= calls.underWay ? Effect.void : Effect.timeoutOption(Deferred.await(call.full), gatheringTime)
  )
  // Requests that begin together with this one are counted, and add their keys, before it continues.
  return open.pipe(
    Effect.zipRight(Effect.yieldNow()),
    Effect.zipRight(gathered),
    Effect.zipRight(close),
    Effect.zipRight(sent),
    Effect.map(({ entries, latestLedger }): JointAnswer => ({
      found: new Map(entries.map((entry) => [keyText(entry.key), entry])),
      latestLedger
    })),
    Effect.onExit((exit) => Effect.zipRight(close, Deferred.succeed(call.end, exit)))
  )
}

/**
 * A question for some entries. Where its request may travel with others (`withJointCalls`), it shares one call with what they ask of the same
 * endpoint: that goes out once all of them have a question in it, or after `gatheringTime`. Each takes its own out of one answer, of one
 * ledger, given after all of them were put. Where such a call fails, each is put again alone, at once: the keys of one cost no other its
 * answer. Only a refusal for too many calls is that of all.
 */
export const jointQuestion = (ask: Ask, keys: ReadonlyArray<xdr.LedgerKey>): JointQuestion => {
  const alone = ask(keys)
  let [hasTravelled, isGuest] = [false, false]

  const aloneAgain: Attempt = (url) =>
    Effect.suspend(() => {
      isGuest = false
      return alone(url)
    })

  const together = (traveller: Traveller, url: URL, wait: CallWait | null): Effect.Effect<LiveEntries, Fault> => {
    const { calls } = traveller
    const own = new Map(keys.map((key) => [keyText(key), key]))
    const asked: PendingQuestion = { traveller, keys: own, wait }
    const other = joined(calls.gathering.get(url.href), asked)
    isGuest = other !== null
    const call = other ?? begun(asked)
    const end = other === null ? Effect.exit(made(calls, call, ask, url)) : Deferred.await(call.end)
    return Effect.flatMap(end, (exit): Effect.Effect<LiveEntries, Fault> => {
      if (Exit.isSuccess(exit)) {
        const { found, latestLedger } = exit.value
        return Effect.succeed({ latestLedger, entries: [...own.keys()].flatMap((text) => found.get(text) ?? []) })
      }
      const isOfAll = exit.cause._tag === "Fail" && exit.cause.error._tag === "Throttled"
      return isOfAll || call.questions === 1 ? Effect.failCause(exit.cause) : Effect.zipRight(callsTell(wait), aloneAgain(url))
    })
  }

  return {
    isGuest: () => isGuest,
    attempt: (url) =>
      Effect.flatMap(FiberRef.get(current), (traveller) => {
        if (traveller === null || hasTravelled) return aloneAgain(url)
        hasTravelled = true
        return Effect.flatMap(currentWait, (wait) => together(traveller, url, wait))
      })
  }
}
