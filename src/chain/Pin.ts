import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Exit, type Fiber, FiberRef } from "effect"
import { NetworkUnavailable } from "../domain/failure/Upstream.ts"
import type { Network } from "../domain/Network.ts"
import { keyText } from "../xdr/LedgerKeys.ts"
import type { SimulationAnswer } from "./contract-rpc/SimulationAnswer.ts"
import type { EntryAnswer } from "./EntryAnswer.ts"
import { newUntrustedCalls, type UntrustedCalls } from "./UntrustedCalls.ts"

/** A shown entry that outlives its request, with the endpoint it came from. */
export interface EntryEvidence extends EntryAnswer {
  /** The endpoint that showed it, by its place in the settings; null where it may have been any. */
  readonly by: number | null
  /** Of an instance, keys of what it stores that counts as well; none: its executable alone does. */
  readonly inside: ReadonlyArray<xdr.ScVal>
}

/** The endpoint a request reads from, and everything it showed: the cache of one request. */
export interface Pin {
  /** Its place in the settings; null before its first answer. */
  index: number | null
  /** Endpoints that are queried only after all others. */
  readonly avoided: ReadonlyArray<number>
  /** Whether another one had to answer in its stead: then what was read is of two endpoints. */
  moved: boolean
  /** The newest ledger that it was met on; 0 before its first answer. */
  newest: number
  /** By the text of the key, in the order in which it was shown. */
  readonly shown: Map<string, ReadonlyArray<EntryAnswer>>
  /** The answers to getter calls, by the name of the queried origin and the text of the question. */
  readonly answers: Map<string, SimulationAnswer>
  /** What the request has spent on getters of code that anyone may have written. */
  readonly untrusted: UntrustedCalls
}

const newPin = ({ avoided = [], from = null }: EndpointPreference = {}): Pin => ({
  index: from,
  avoided,
  moved: false,
  newest: 0,
  shown: new Map(),
  answers: new Map(),
  untrusted: newUntrustedCalls()
})

/** The endpoints that a request prefers, by their place in the settings. */
export interface EndpointPreference {
  /** It is queried before all others. Left out or null: the healthiest is. */
  readonly from?: number | null
  /** They are queried after all others. Left out: none is. */
  readonly avoided?: ReadonlyArray<number>
}

const current = FiberRef.unsafeMake<Pin | null>(null)

/** The pin of the request that a fiber works for; null outside of one. */
export const pinOf = (fiber: Pick<Fiber.RuntimeFiber<unknown, unknown>, "getFiberRef">): Pin | null => fiber.getFiberRef(current)

/** The same of the fiber that runs this. */
export const currentPin: Effect.Effect<Pin | null> = FiberRef.get(current)

/** Endpoints in the order in which a request asks them. */
export const inOrder = (preferred: ReadonlyArray<number>, pin: Pin | null): ReadonlyArray<number> => {
  if (pin === null) return preferred
  const { avoided, index } = pin
  const others = preferred.filter((one) => one !== index)
  const [last, usual] = [others.filter((one) => avoided.includes(one)), others.filter((one) => !avoided.includes(one))]
  return [...preferred.filter((one) => one === index), ...usual, ...last]
}

/** Notes which endpoint answered: the request keeps to it. */
export const pinTo = (pin: Pin | null, index: number): void => {
  if (pin === null) return
  if (pin.index !== null && pin.index !== index) pin.moved = true
  pin.index = index
}

/** Notes the ledger of an answer. */
export const noteLedger = (pin: Pin | null, ledger: number): void => {
  if (pin !== null && ledger > pin.newest) pin.newest = ledger
}

/**
 * What the endpoint showed under a key, as long as it has named no newer ledger since: within one ledger an entry stays the same, however
 * often it is queried.
 */
export const entryIn = (pin: Pin | null, text: string): EntryAnswer | null => {
  if (pin === null || pin.moved) return null
  const last = pin.shown.get(text)?.at(-1)
  return last !== undefined && last.latestLedger >= pin.newest ? last : null
}

/** The same of what a contract said. */
export const answerIn = (pin: Pin | null, text: string): SimulationAnswer | null => {
  const last = pin === null || pin.moved ? undefined : pin.answers.get(text)
  return last !== undefined && pin !== null && last.latestLedger >= pin.newest ? last : null
}

/** Notes what it showed. */
export const noteEntries = (pin: Pin | null, answers: ReadonlyArray<EntryAnswer>): void => {
  for (const one of pin === null ? [] : answers) {
    noteLedger(pin, one.latestLedger)
    const text = keyText(one.key)
    pin?.shown.set(text, [...(pin.shown.get(text) ?? []), one])
  }
}

/** Work that belongs to no request, and the endpoint that all its reads came from; null where it was more than one, or none. */
export const withEndpoint = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  preferred: EndpointPreference = {}
): Effect.Effect<readonly [A, by: number | null], E, R> =>
  Effect.suspend(() => {
    const pin = newPin(preferred)
    return Effect.map(Effect.locally(work, current, pin), (value) => [value, pin.moved ? null : pin.index] as const)
  })

/** How often all is read anew because the endpoint failed in between. */
const mostMoves = 2

/**
 * Runs a request whose reads all come from one endpoint of the contract RPC. Where that one fails and another takes over, everything is
 * read anew from that one, twice at most; then `NetworkUnavailable`. Inside another pinned request it belongs to that.
 */
export const pinned = <A, E, R>(
  network: Network,
  work: Effect.Effect<A, E, R>,
  preferred: EndpointPreference = {}
): Effect.Effect<A, E | NetworkUnavailable, R> => {
  const attempt = (left: number): Effect.Effect<A, E | NetworkUnavailable, R> =>
    Effect.suspend(() => {
      const pin = newPin(preferred)
      return Effect.flatMap(Effect.exit(Effect.locally(work, current, pin)), (exit): Effect.Effect<A, E | NetworkUnavailable, R> => {
        if (!pin.moved || Exit.isInterrupted(exit)) return exit
        if (left > 0) return attempt(left - 1)
        return Exit.isSuccess(exit) ? Effect.fail(new NetworkUnavailable({ network, source: "contract_rpc" })) : exit
      })
    })
  return Effect.flatMap(currentPin, (outer) => (outer === null ? attempt(mostMoves) : work))
}
