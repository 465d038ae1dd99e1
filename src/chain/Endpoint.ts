import { Effect } from "effect"
import type { Network } from "../domain/Network.ts"
import { objectMemo } from "../fibers/ObjectMemo.ts"
import { rareWarning } from "../fibers/RareWarning.ts"
import { steadyMillis } from "../fibers/SteadyTime.ts"
import type { ChainSource } from "./ChainFailure.ts"
import type { Fault } from "./Fault.ts"
import { type Health, healthAfterAnswer, healthAfterFault, isForeign, unknownHealth } from "./Health.ts"
import { type RequestQueue, requestQueue } from "./pace/RequestQueue.ts"
import { foreign } from "./RoundFailed.ts"

/** What the endpoints of one source have in common. */
export interface EndpointSource {
  readonly source: ChainSource
  readonly network: Network
  /** The network that endpoints must serve, and how to ask one. Each is asked once, beside its first question. */
  readonly identity?: {
    readonly passphrase: string
    readonly of: (url: URL) => Effect.Effect<string, Fault>
  }
}

/** By endpoint, as `NetworkSettings` has it: all users of one share its minute. */
const warningOf = objectMemo((_endpoint: URL) => rareWarning("an endpoint failed"))

/** One endpoint of a source: its health, the queue of its questions, and the network it serves. */
export class Endpoint {
  readonly url: URL
  readonly queue: RequestQueue = requestQueue()
  health: Health = unknownHealth
  readonly #of: EndpointSource
  /** One question about its network at a time. */
  readonly #identifying = Effect.unsafeMakeSemaphore(1)

  constructor(url: URL, source: EndpointSource) {
    this.url = url
    this.#of = source
  }

  /** Notes an answer that took so many milliseconds. */
  noteAnswer(took: number): void {
    this.health = healthAfterAnswer(this.health, Math.max(0, took))
  }

  /** Notes the fault of a question that was sent at some moment, and fails with it. */
  noteFault(fault: Fault, sent: number): Effect.Effect<never, Fault> {
    return Effect.flatMap(steadyMillis, (now): Effect.Effect<never, Fault> => {
      this.health = healthAfterFault(this.health, fault, now)
      const { restsUntil, status } = this.health
      if (fault._tag === "Throttled") this.queue.refused(sent, now, restsUntil)
      else if (status === "down" && fault._tag === "Unreachable") this.queue.lost(now)
      const reason = "reason" in fault ? fault.reason : "429"
      const warning = warningOf(this.url)({ source: this.#of.source, endpoint: this.url.origin, fault: fault._tag, reason })
      return Effect.zipRight(warning, Effect.fail(fault))
    })
  }

  /** Notes the network that it says it serves. */
  noteIdentity(passphrase: string): Effect.Effect<void> {
    return Effect.flatMap(steadyMillis, (namedAt) => {
      const { identity, network, source } = this.#of
      if (identity === undefined) return Effect.void
      const ours = passphrase === identity.passphrase
      const before = this.health
      this.health = { ...before, ours, namedAt }
      if (ours || before.ours === false) return Effect.void
      return Effect.logError("an endpoint serves another network and is not used").pipe(
        Effect.annotateLogs({ source, network, endpoint: this.url.origin })
      )
    })
  }

  /** Whether it is known to serve the configured network; fails where it is known to serve another. */
  readonly #verdict: Effect.Effect<boolean, Fault> = Effect.flatMap(
    steadyMillis,
    (now) => isForeign(this.health, now) ? Effect.fail(foreign) : Effect.succeed(this.health.ours === true)
  )

  /**
   * Fails for an endpoint of another network. It is asked for its network once, and after a while again where it named another one; callers
   * that come meanwhile wait for the answer.
   */
  get #identified(): Effect.Effect<void, Fault> {
    const { identity } = this.#of
    if (identity === undefined) return Effect.void
    const named = Effect.flatMap(identity.of(this.url), (passphrase) => this.noteIdentity(passphrase))
    const settled = Effect.flatMap(this.#verdict, (isOurs) => (isOurs ? Effect.void : Effect.zipRight(named, Effect.asVoid(this.#verdict))))
    return Effect.flatMap(this.#verdict, (isOurs) => (isOurs ? Effect.void : this.#identifying.withPermits(1)(settled)))
  }

  /** Its answer, where it serves the configured network. Where that is not known yet, it is asked for beside. */
  answer<A>(attempt: (url: URL) => Effect.Effect<A, Fault>): Effect.Effect<A, Fault> {
    return this.#of.identity === undefined || this.health.ours === true
      ? attempt(this.url)
      : Effect.zipLeft(attempt(this.url), this.#identified, { concurrent: true })
  }
}
