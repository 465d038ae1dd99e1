import { HttpClientError, HttpClientResponse } from "@effect/platform"
import { Clock, Effect, Layer, Logger, LogLevel } from "effect"
import { EventLoopLoad } from "../../../src/close/load/EventLoopLoad.ts"
import { Latency } from "../../../src/sandbox/faults/Connection.ts"
import { RequestsPerSecond } from "../../../src/sandbox/faults/RateLimiting.ts"
import { DemoAccount } from "../../../src/sandbox/scenarios/DemoAccount.ts"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { type Between, isRpc } from "../../account/support/World.ts"
import { closesAtOnce } from "../../close/support/ManyCloses.ts"
import { Service } from "../../close/support/Service.ts"
import { inVirtualTime } from "../../sim/VirtualTime.ts"
import { virtualService } from "./VirtualService.ts"

export const sources = ["rpc", "rest"] as const

/** One request to a source: its time, in seconds after the closes began, and whether it got an answer. */
export interface Sent {
  readonly source: (typeof sources)[number]
  readonly at: number
  readonly became: "answered" | "refused" | "lost"
}

export interface Load {
  readonly closes: number
  /** Requests that each source allows a second. */
  readonly perSecond: number
  /** Whether a 429 answer has a `Retry-After`. */
  readonly tells: boolean
  /** Seconds, after the closes began, in which no source answers. */
  readonly dead?: { readonly from: number; readonly to: number }
}

export interface Loaded {
  /** Until the last close was complete. */
  readonly seconds: number
  readonly sent: ReadonlyArray<Sent>
  /** Temporary errors, by code. */
  readonly waited: ReadonlyMap<string, number>
}

/** A machine without CPU limits. */
const idle = Layer.succeed(EventLoopLoad, { looks: () => () => true })

/**
 * Closes this many small accounts at once, in virtual time, over sources that answer after 50 ms and allow this many requests a second. A
 * ledger closes every 5 s, as on a real network: with one for each transaction, waiting transactions would expire.
 */
export const loaded = ({ closes, dead, perSecond, tells }: Load) => {
  const sent: Array<Sent> = []
  let began = Infinity
  const between: Between = (request, send) =>
    Effect.gen(function*() {
      const at = ((yield* Clock.currentTimeMillis) - began) / 1_000
      const note = (became: Sent["became"]) => sent.push({ source: isRpc(request) ? "rpc" : "rest", at, became })
      if (dead !== undefined && at >= dead.from && at < dead.to) {
        note("lost")
        return yield* new HttpClientError.RequestError({ request, reason: "Transport" })
      }
      const answer = yield* send
      note(answer.status === 429 ? "refused" : "answered")
      return answer.status === 429 && !tells ? HttpClientResponse.fromWeb(request, new Response(null, { status: 429 })) : answer
    })
  return Effect.gen(function*() {
    const { sandbox } = yield* Service
    for (const all of [{ rpc: "*" }, { rest: "*" }] as const) {
      yield* sandbox.faults.set({ fault: new RequestsPerSecond({ requests: perSecond }), ...all })
      yield* sandbox.faults.set({ fault: new Latency({ millis: 50 }), ...all })
    }
    began = yield* Clock.currentTimeMillis
    const waited = yield* closesAtOnce(closes, { late: true, made: (at) => (at % 4 === 0 ? DemoAccount : FundedPair) })
    const result: Loaded = { seconds: ((yield* Clock.currentTimeMillis) - began) / 1_000, sent, waited }
    return result
  }).pipe(
    Effect.provide(virtualService(between, { closeOnSubmit: false, closeEvery: "5 seconds" }).pipe(Layer.provide(idle))),
    inVirtualTime,
    Logger.withMinimumLogLevel(LogLevel.None)
  )
}

/** Requests of a source in each second. */
export const bySecond = (sent: ReadonlyArray<Sent>, source: Sent["source"], became?: Sent["became"]): ReadonlyArray<number> => {
  const of = sent.filter((one) => one.source === source)
  const counts = Array.from({ length: Math.ceil(Math.max(0, ...of.map(({ at }) => at))) + 1 }, () => 0)
  for (const one of of) if (became === undefined || one.became === became) counts[Math.floor(one.at)]!++
  return counts
}
