import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Duration, Effect, Either, Fiber, Logger, Ref, TestClock } from "effect"
import type { ChainFailure } from "../../src/chain/ChainFailure.ts"
import { make } from "../../src/chain/Endpoints.ts"
import type { EndpointTip } from "../../src/chain/EndpointTip.ts"
import { Refused, Throttled, Undecodable, Unreachable } from "../../src/chain/Fault.ts"
import type { Fault } from "../../src/chain/Fault.ts"
import type { RejectedAge } from "../../src/chain/LedgerAge.ts"
import { withPatience } from "../../src/chain/pace/Patience.ts"
import { timed as moved } from "../account/support/World.ts"
import { MovedClock } from "../support/JumpingClock.ts"

const first = "https://first.example"
const second = "https://second.example"

/** Every ledger is current. */
const rejectedAge = () => Effect.succeed(null)

type Script = (origin: string, count: number) => Effect.Effect<string, Fault>

/** Endpoints and a record of their requests. */
const scripted = (script: Script, origins: Arr.NonEmptyReadonlyArray<string> = [first, second], searched = false) =>
  Effect.gen(function*() {
    const asked = yield* Ref.make<ReadonlyArray<string>>([])
    const endpoints = yield* make({
      source: "contract_rpc",
      network: "testnet",
      rejectedAge,
      urls: Arr.map(origins, (origin) => new URL(`${origin}/path?key=hidden`))
    })
    const call = endpoints.run(
      (url) => Effect.flatMap(Ref.updateAndGet(asked, (all) => [...all, url.origin]), (all) => script(url.origin, all.length)),
      { searched }
    )
    return { call, asked: Ref.get(asked), report: endpoints.report }
  })

/** The outcome of a call, and how long it took, in steps of 50 ms. */
const timed = (call: Effect.Effect<string, ChainFailure>) =>
  Effect.gen(function*() {
    const { elapsed, exit } = yield* moved(Effect.either(call))
    return { outcome: yield* exit, elapsed }
  })

const failure = (outcome: Either.Either<string, ChainFailure>): ChainFailure => {
  assert.isTrue(Either.isLeft(outcome), "the call was to fail")
  return Either.isLeft(outcome) ? outcome.left : assert.fail("not a failure")
}

const unreachable = new Unreachable({ reason: "cut" })
const garbled = new Undecodable({ reason: "does not decode" })

describe("failover", () => {
  it.effect("asks the next endpoint when one fails, and stays with the one that answered", () =>
    Effect.gen(function*() {
      const { asked, call, report } = yield* scripted((origin) => (origin === first ? unreachable : Effect.succeed("answer")))
      assert.strictEqual(yield* call, "answer")
      assert.strictEqual(yield* call, "answer")
      assert.deepStrictEqual(yield* asked, [first, second, second])
      assert.deepStrictEqual((yield* report).map(({ health, url }) => [url, health]), [[first, "degraded"], [second, "healthy"]])
    }))

  it.effect("waits less than three seconds for a search where another endpoint can be asked, and ten where none can", () =>
    Effect.gen(function*() {
      const hanging = yield* scripted((origin) => (origin === first ? Effect.never : Effect.succeed("answer")), [first, second], true)
      const other = yield* timed(hanging.call)
      assert.deepStrictEqual(other.outcome, Either.right("answer"))
      assert.isBelow(other.elapsed, 3_000)
      const slow = () => Effect.delay(Effect.succeed("answer"), "9 seconds")
      const alone = yield* timed((yield* scripted(slow, [first], true)).call)
      assert.deepStrictEqual(alone.outcome, Either.right("answer"))
      const both = yield* timed((yield* scripted(slow, [first, second], true)).call)
      assert.deepStrictEqual(both.outcome, Either.right("answer"))
      assert.isBelow(both.elapsed, 12_000)
    }))

  it.effect("asks elsewhere when an answer does not decode, without waiting", () =>
    Effect.gen(function*() {
      const { asked, call } = yield* scripted((origin) => (origin === first ? garbled : Effect.succeed("answer")))
      assert.strictEqual(yield* call, "answer")
      assert.deepStrictEqual(yield* asked, [first, second])
    }))

  it.effect("does not ask elsewhere when the question was refused, and does not hold it against the endpoint", () =>
    Effect.gen(function*() {
      const { asked, call, report } = yield* scripted(() => new Refused({ reason: "bad request" }))
      assert.deepStrictEqual((yield* Effect.flip(call))._tag, "UpstreamUnusable")
      assert.deepStrictEqual(yield* asked, [first])
      assert.deepStrictEqual((yield* report).map(({ health }) => health), ["healthy", "healthy"])
    }))

  it.effect("moves on from an endpoint that hangs after ten seconds", () =>
    Effect.gen(function*() {
      const { call, report } = yield* scripted((origin) => (origin === first ? Effect.never : Effect.succeed("answer")))
      const { elapsed, outcome } = yield* timed(call)
      assert.deepStrictEqual(outcome, Either.right("answer"))
      assert.strictEqual(elapsed, 10_000)
      assert.strictEqual((yield* report)[0]?.health, "degraded")
    }))

  it.effect("calls an endpoint down after three failures in a row, and healthy after one answer", () =>
    Effect.gen(function*() {
      const { call, report } = yield* scripted((_, count) => (count <= 3 ? unreachable : Effect.succeed("answer")), [first])
      const fiber = yield* Effect.fork(call)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* report)[0]?.health, "down")
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(fiber)
      assert.strictEqual((yield* report)[0]?.health, "healthy")
    }))
})

describe("the network that endpoints serve", () => {
  const ours = "the configured network"

  /** Endpoints that name their network as scripted; a question is answered with the origin. */
  const introduced = (name: (origin: string, count: number) => Effect.Effect<string, Fault>) =>
    Effect.gen(function*() {
      const asked = yield* Ref.make<ReadonlyArray<string>>([])
      const endpoints = yield* make({
        source: "ledger_api",
        network: "testnet",
        rejectedAge,
        urls: [new URL(first), new URL(second)],
        identity: {
          passphrase: ours,
          of: ({ origin }) => Effect.flatMap(Ref.updateAndGet(asked, (all) => [...all, origin]), (all) => name(origin, all.length))
        }
      })
      return { endpoints, asked: Ref.get(asked), call: endpoints.run(({ origin }) => Effect.succeed(origin)) }
    })

  it.effect("is asked once, beside the first question", () =>
    Effect.gen(function*() {
      const { asked, call } = yield* introduced(() => Effect.succeed(ours))
      yield* Effect.all([call, call, call], { concurrency: "unbounded" })
      assert.strictEqual(yield* call, first)
      assert.deepStrictEqual(yield* asked, [first])
    }))

  it.effect("decides whether an endpoint is believed: one of another network never is, and counts as down", () =>
    Effect.gen(function*() {
      const { asked, call, endpoints } = yield* introduced((origin) => Effect.succeed(origin === first ? "another network" : ours))
      assert.strictEqual(yield* call, second)
      assert.strictEqual(yield* call, second)
      assert.deepStrictEqual(yield* asked, [first, second])
      assert.deepStrictEqual((yield* endpoints.report).map(({ health }) => health), ["down", "healthy"])
    }))

  it.effect("makes the source unusable, without retries, when no endpoint serves it", () =>
    Effect.gen(function*() {
      const { call } = yield* introduced(() => Effect.succeed("another network"))
      assert.strictEqual((yield* Effect.flip(call))._tag, "UpstreamUnusable")
    }))

  it.effect("is asked again when it was not told", () =>
    Effect.gen(function*() {
      const { asked, call } = yield* introduced((_, count) => (count === 1 ? unreachable : Effect.succeed(ours)))
      assert.strictEqual(yield* call, second)
      assert.deepStrictEqual(yield* asked, [first, second])
    }))

  it.effect("is asked again after a minute of one that named another, and not before", () =>
    Effect.gen(function*() {
      const { asked, endpoints } = yield* introduced((origin, count) =>
        Effect.succeed(origin === first && count === 1 ? "another network" : ours)
      )
      const one = endpoints.among([0])(({ origin }) => Effect.succeed(origin))
      yield* Effect.flip(one)
      yield* TestClock.adjust("59 seconds")
      yield* Effect.flip(one)
      assert.deepStrictEqual(yield* asked, [first])
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* one, first)
      assert.deepStrictEqual(yield* asked, [first, first])
      assert.strictEqual((yield* endpoints.report)[0]?.health, "healthy")
    }))

  it.effect("is heard again in a survey, so that a corrected endpoint comes back", () =>
    Effect.gen(function*() {
      const { call, endpoints } = yield* introduced(() => Effect.succeed("another network"))
      yield* Effect.flip(call)
      yield* endpoints.survey(() => Effect.succeed({ passphrase: ours, ledger: 7, closeTime: 0n, protocolVersion: null }))
      assert.strictEqual(yield* call, first)
    }))
})

describe("a survey", () => {
  const at = (ledger: number, seconds = 5) =>
    Effect.succeed({ passphrase: "", ledger, closeTime: BigInt(ledger * seconds), protocolVersion: null })
  const surveyed = (ask: (origin: string) => Effect.Effect<EndpointTip, Fault>, older: RejectedAge = rejectedAge) =>
    Effect.gen(function*() {
      const endpoints = yield* make({
        source: "ledger_api",
        network: "testnet",
        rejectedAge: older,
        urls: [new URL(first), new URL(second)]
      })
      const fiber = yield* Effect.fork(endpoints.survey(({ origin }) => ask(origin)))
      yield* TestClock.adjust("3 seconds")
      return {
        found: yield* Fiber.join(fiber),
        report: yield* endpoints.report,
        next: yield* endpoints.run(({ origin }) => Effect.succeed(origin))
      }
    })

  it.effect("sends the next questions to the endpoint that is ahead", () =>
    Effect.gen(function*() {
      const { next, report } = yield* surveyed((origin) => at(origin === first ? 99 : 100))
      assert.deepStrictEqual([next, report.map(({ health }) => health)], [second, ["healthy", "healthy"]])
    }))

  /** The first has the lower ledger of the two, `closed` seconds are the ages of both. */
  const reset = (...closed: readonly [first: number, second: number]) => {
    const tip = (ledger: number, age: number) =>
      Effect.succeed({ passphrase: "", ledger, closeTime: BigInt(1_000_000 - age), protocolVersion: null })
    const older: RejectedAge = (closeTime) => {
      const age = Number(1_000_000n - closeTime)
      return Effect.succeed(Math.abs(age) > 60 ? age : null)
    }
    const [of, than] = closed
    return Effect.map(
      surveyed((origin) => (origin === first ? tip(100, of) : tip(5_000_000, than)), older),
      ({ next, report }) => [next, report.map(({ health }) => health)]
    )
  }

  it.effect("finds none ahead whose newest ledger is days old, or days from now, whatever its number", () =>
    Effect.gen(function*() {
      const sound = [first, ["healthy", "degraded"]]
      assert.deepStrictEqual([yield* reset(0, 3 * 86_400), yield* reset(0, -3 * 86_400)], [sound, sound])
    }))

  it.effect("compares ledgers by their numbers where all are old", () =>
    Effect.gen(function*() {
      const late = [second, ["degraded", "healthy"]]
      assert.deepStrictEqual([yield* reset(90, 61), yield* reset(3 * 86_400, 61)], [late, late])
    }))

  it.effect("calls an endpoint that is far behind degraded", () =>
    Effect.gen(function*() {
      const { report } = yield* surveyed((origin) => at(origin === first ? 94 : 100))
      assert.deepStrictEqual(report.map(({ health }) => health), ["degraded", "healthy"])
    }))

  it.effect("takes five ledgers or 25 seconds as no lag, whichever is more", () =>
    Effect.gen(function*() {
      const states = (behind: number, seconds: number) =>
        Effect.map(
          surveyed((origin) => at(origin === first ? 100 - behind : 100, seconds)),
          ({ report }) => report.map(({ health }) => health)[0]
        )
      assert.deepStrictEqual([yield* states(25, 1), yield* states(26, 1)], ["healthy", "degraded"])
      assert.deepStrictEqual([yield* states(5, 6), yield* states(6, 6)], ["healthy", "degraded"])
    }))

  it.effect("waits two and a half seconds for each and tells who did not answer", () =>
    Effect.gen(function*() {
      const { found, next } = yield* surveyed((origin) => (origin === first ? Effect.never : at(100)))
      assert.deepStrictEqual(found.map(({ _tag }) => _tag), ["Silent", "Here"])
      assert.strictEqual(next, second)
    }))
})

describe("retries", () => {
  it.effect("tries four more rounds after 250, 500, 1000 and 2000 ms, and is then unavailable", () =>
    Effect.gen(function*() {
      const { asked, call } = yield* scripted(() => unreachable)
      const { elapsed, outcome } = yield* timed(call)
      const failed = failure(outcome)
      assert.strictEqual(failed._tag, "NetworkUnavailable")
      assert.strictEqual(failed._tag === "NetworkUnavailable" ? failed.network : "", "testnet")
      assert.strictEqual((yield* asked).length, 10)
      assert.isAtLeast(elapsed, 3_750 * 0.8)
      assert.isAtMost(elapsed, 3_750 * 1.2 + 50)
    }))

  it.effect("answers when a later round succeeds", () =>
    Effect.gen(function*() {
      const { asked, call } = yield* scripted((_, count) => (count < 5 ? unreachable : Effect.succeed("answer")))
      const { outcome } = yield* timed(call)
      assert.deepStrictEqual(outcome, Either.right("answer"))
      assert.strictEqual((yield* asked).length, 5)
    }))

  it.effect("does not try again what no endpoint's answer decodes", () =>
    Effect.gen(function*() {
      const { asked, call } = yield* scripted(() => garbled)
      const failed = yield* Effect.flip(call)
      assert.strictEqual(failed._tag, "UpstreamUnusable")
      assert.strictEqual(failed._tag === "UpstreamUnusable" ? failed.source : "", "contract_rpc")
      assert.deepStrictEqual(yield* asked, [first, second])
    }))

  it.effect("asks the only endpoint once more for what does not decode, and no third time", () =>
    Effect.gen(function*() {
      const accident = yield* scripted((_, count) => (count === 1 ? garbled : Effect.succeed("answer")), [first])
      const answer = yield* timed(accident.call)
      assert.deepStrictEqual([answer.outcome, yield* accident.asked], [Either.right("answer"), [first, first]])
      assert.isAtMost(answer.elapsed, 350)
      const broken = yield* scripted(() => garbled, [first])
      assert.strictEqual(failure((yield* timed(broken.call)).outcome)._tag, "UpstreamUnusable")
      assert.deepStrictEqual(yield* broken.asked, [first, first])
    }))

  it.effect("is unavailable, not unusable, when one endpoint is down and the other answers nonsense", () =>
    Effect.gen(function*() {
      const { call } = yield* scripted((origin) => (origin === first ? unreachable : garbled))
      assert.strictEqual(failure((yield* timed(call)).outcome)._tag, "NetworkUnavailable")
    }))
})

describe("429", () => {
  it.effect("with Retry-After: 3 is asked again after three seconds and jitter", () =>
    Effect.gen(function*() {
      const { asked, call } = yield* scripted(
        (_, count) => (count === 1 ? new Throttled({ retryAfter: Duration.seconds(3) }) : Effect.succeed("answer")),
        [first]
      )
      const { elapsed, outcome } = yield* timed(call)
      assert.deepStrictEqual(outcome, Either.right("answer"))
      assert.deepStrictEqual((yield* asked).length, 2)
      assert.isAtLeast(elapsed, 3_000)
      assert.isAtMost(elapsed, 3_100 + 50)
    }))

  it.effect("leaves a throttled endpoint alone in other calls too", () =>
    Effect.gen(function*() {
      const { asked, call } = yield* scripted((origin) =>
        origin === first ? new Throttled({ retryAfter: Duration.seconds(30) }) : Effect.succeed("answer")
      )
      yield* call
      yield* call
      assert.deepStrictEqual(yield* asked, [first, second, second])
    }))

  it.effect("gives up at once when every endpoint asks for a longer wait than a request has", () =>
    Effect.gen(function*() {
      const { asked, call } = yield* scripted((origin) => new Throttled({ retryAfter: Duration.seconds(origin === first ? 40 : 30) }))
      const failed = yield* Effect.flip(call)
      assert.strictEqual(failed._tag, "UpstreamRateLimited")
      assert.strictEqual(failed._tag === "UpstreamRateLimited" ? failed.retryAfterSeconds : 0, 30)
      assert.strictEqual((yield* asked).length, 2)
    }))

  it.effect("asks an endpoint again after a minute, whatever its Retry-After", () =>
    Effect.gen(function*() {
      const { asked, call } = yield* scripted(
        (_, count) => (count === 1 ? new Throttled({ retryAfter: Duration.days(365) }) : Effect.succeed("answer")),
        [first]
      )
      assert.strictEqual((yield* Effect.flip(call))._tag, "UpstreamRateLimited")
      yield* TestClock.adjust("50 seconds")
      assert.strictEqual((yield* Effect.flip(call))._tag, "UpstreamRateLimited")
      assert.strictEqual((yield* asked).length, 1)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* call, "answer")
    }))

  it.effect("asks again when the time is over, though the date was set back by 31 minutes meanwhile", () =>
    Effect.gen(function*() {
      const clock = new MovedClock(Date.parse("2026-01-01"))
      const { call } = yield* scripted(
        (_, count) => (count === 1 ? new Throttled({ retryAfter: Duration.seconds(30) }) : Effect.succeed("answer")),
        [first]
      )
      yield* Effect.withClock(Effect.flip(call), clock)
      clock.setDate(-31 * 60_000)
      clock.wakeAt(Date.parse("2026-01-01") + 31_000)
      assert.deepStrictEqual(yield* Effect.withClock(Effect.either(call), clock), Either.right("answer"))
    }))

  it.effect("uses up the retries when no Retry-After is given", () =>
    Effect.gen(function*() {
      const { asked, call } = yield* scripted(() => new Throttled({ retryAfter: null }), [first])
      assert.strictEqual(failure((yield* timed(call)).outcome)._tag, "UpstreamRateLimited")
      assert.strictEqual((yield* asked).length, 5)
    }))
})

describe("the time for one call", () => {
  it.effect("ends a call after eighteen seconds when endpoints hang", () =>
    Effect.gen(function*() {
      const { call } = yield* scripted(() => Effect.never)
      const { elapsed, outcome } = yield* timed(call)
      assert.strictEqual(failure(outcome)._tag, "DeadlineExceeded")
      assert.strictEqual(elapsed, 18_000)
    }))

  it.effect("tells why the last whole round failed when there was one", () =>
    Effect.gen(function*() {
      const { call } = yield* scripted(() => Effect.never, [first])
      const { elapsed, outcome } = yield* timed(call)
      assert.strictEqual(failure(outcome)._tag, "NetworkUnavailable")
      assert.strictEqual(elapsed, 18_000)
    }))

  it.effect("begins no pause that is longer than what is left of it", () =>
    Effect.gen(function*() {
      const { asked, call } = yield* scripted(() => new Throttled({ retryAfter: Duration.seconds(5) }), [first])
      const { elapsed, outcome } = yield* timed(call)
      assert.strictEqual(failure(outcome)._tag, "UpstreamRateLimited")
      assert.isAtLeast(elapsed, 15_000)
      assert.isBelow(elapsed, 18_000)
      assert.strictEqual((yield* asked).length, 4)
    }))

  it.effect("is cut for every question of a request once one has waited in vain", () =>
    Effect.gen(function*() {
      const { call } = yield* scripted(() => Effect.never, [first])
      const both = Effect.all([Effect.exit(call), Effect.exit(Effect.delay(call, "4 seconds"))], { concurrency: 2 })
      const { elapsed, outcome } = yield* timed(withPatience(Effect.flatMap(both, ([one]) => one)))
      assert.strictEqual(failure(outcome)._tag, "NetworkUnavailable")
      // Ten seconds and the pauses between: the later one does not wait the ten seconds that it would have alone.
      assert.isAtMost(elapsed, 11_500)
    }))

  it.effect("is short for an endpoint only while another one is up and was not queried by the request", () =>
    Effect.gen(function*() {
      const slowly = Effect.delay(Effect.succeed("answer"), "3 seconds")
      const outcome = Either.right("answer")
      const only = yield* scripted(() => slowly, [first])
      assert.deepStrictEqual(yield* timed(withPatience(only.call)), { elapsed: 3_000, outcome })
      const two = yield* scripted(() => slowly)
      assert.deepStrictEqual(yield* timed(withPatience(Effect.zipRight(two.call, two.call))), { elapsed: 2_200 + 3_000 + 3_000, outcome })
      assert.deepStrictEqual(yield* two.asked, [first, second, second])
    }))

  it.effect("is long where the other endpoint is down", () =>
    Effect.gen(function*() {
      const slowly = Effect.delay(Effect.succeed("answer"), "3 seconds")
      const { asked, call } = yield* scripted((origin, count) => (origin === second || count < 6 ? unreachable : slowly))
      yield* timed(call)
      assert.strictEqual((yield* timed(withPatience(call))).elapsed, 3_000)
      assert.strictEqual((yield* asked).at(-1), first)
    }))

  it.effect("interrupts the attempt when the caller gives up", () =>
    Effect.gen(function*() {
      const stopped = yield* Ref.make(false)
      const { call } = yield* scripted(() => Effect.onInterrupt(Effect.never, () => Ref.set(stopped, true)))
      const fiber = yield* Effect.fork(call)
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      assert.isTrue(yield* Ref.get(stopped))
    }))
})

describe("the log", () => {
  it.effect("warns once a minute of an endpoint that fails the same way", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => void lines.push(String(message)))
      const { asked, call } = yield* scripted(() => unreachable, [first])
      yield* Effect.provide(timed(call), Logger.replace(Logger.defaultLogger, logger))
      assert.deepStrictEqual([(yield* asked).length, lines], [5, ["an endpoint failed"]])
    }))
})

describe("the report", () => {
  it.effect("names origins only and averages the time of answers", () =>
    Effect.gen(function*() {
      const { call, report } = yield* scripted((_, count) =>
        Effect.delay(Effect.succeed("answer"), count === 1 ? "100 millis" : "200 millis")
      )
      assert.deepStrictEqual((yield* report)[0], { url: first, health: "healthy", avgLatencyMs: 0 })
      yield* timed(call)
      assert.deepStrictEqual((yield* report)[0], { url: first, health: "healthy", avgLatencyMs: 100 })
      yield* timed(call)
      assert.deepStrictEqual((yield* report)[0], { url: first, health: "healthy", avgLatencyMs: 120 })
    }))
})
