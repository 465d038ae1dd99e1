import { assert, describe, it } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Metric, type Scope } from "effect"
import { prometheusText } from "../../src/http/metrics/Prometheus.ts"
import { UnknownArms } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { jumping } from "../support/JumpingClock.ts"
import type { ErrorBody } from "../support/TestService.ts"
import { ownDetails } from "../support/TestService.ts"
import { coSign, offered, plan, refusal, submit } from "./support/Client.ts"
import { type Fraud, frauds, merge } from "./support/Frauds.ts"
import { giftAndDrain } from "./support/GiftAndDrain.ts"
import { honestCloses } from "./support/HonestCloses.ts"
import { signed } from "./support/Signing.ts"
import { mediatorHealth, memo, type Scene, scene } from "./support/WatchedMediator.ts"

type Started = Effect.Effect.Success<ReturnType<Scene["start"]>>

/** A test that waits for periodic checks no longer than they take. */
const onJumpingClock = <A, E>(name: string, test: () => Effect.Effect<A, E, Scope.Scope>) =>
  it.scopedLive(name, () => Effect.provide(test(), jumping), 60_000)

/** Polls until a condition holds. */
const until = <A, E, R>(look: Effect.Effect<A, E, R>, holds: (seen: A) => boolean) =>
  Effect.repeat(Effect.delay(look, "1 second"), { until: holds })

/** The reason of the mediator's pause, once it is paused. */
const refusedNext = ({ service }: Started, transaction: string) =>
  Effect.map(
    until(service.call<ErrorBody>("POST", "/testnet/mediator/sign", { transaction }), ({ status }) => status !== 200),
    ({ body, status }) => ({ status, code: body.error.code, details: ownDetails(body) })
  )

const paused = { status: 403, code: "mediator_refused", details: { rule: "mediator_paused" } }

const gauge = (value: number) => `closeout_mediator_paused{network="testnet"} ${value}\n`

const setting = "TESTNET_MEDIATOR_CHECKED_UNTIL"

/** Checks the alarm about a fraud within two ledgers; returns the fraud's hash. */
const caught = (made: Scene, started: Started, { commit, name, rule }: Fraud) =>
  Effect.gen(function*() {
    const { network } = made
    const honest = yield* started.as(made.honest)
    yield* started.as(coSign(honest))
    assert.include(prometheusText(yield* Metric.snapshot), gauge(0), name)
    const hash = yield* commit(made)
    const { state: { header } } = yield* network.snapshot
    assert.deepStrictEqual(yield* refusedNext(started, honest), paused, name)
    assert.include(prometheusText(yield* Metric.snapshot), gauge(1), name)
    assert.isAtMost((yield* network.snapshot).state.header.ledgerSeq - header.ledgerSeq, 2, name)
    const { status, told } = yield* mediatorHealth(started.service)
    assert.deepStrictEqual([status, told?.status], [503, "down"], name)
    assert.include(told?.message ?? "", `transaction ${hash} breaks the rule ${rule}; `)
    assert.include(told?.message ?? "", setting)
    const lines = started.log.lines.filter(({ text }) => text.startsWith("the mediator is paused"))
    assert.deepStrictEqual(lines.flatMap(({ fields }) => (fields["hash"] === null ? [] : [[fields["hash"], fields["rule"]]])), [[
      hash,
      rule
    ]], name)
    return hash
  })

describe("a mediator whose account was misused", () => {
  onJumpingClock("is paused by each fraud, says which, and goes on where the setting covers it", () =>
    Effect.gen(function*() {
      const made = yield* scene
      yield* made.gift("50")
      const last = yield* Effect.reduce(frauds, "", (checked, fraud) =>
        Effect.scoped(Effect.flatMap(
          made.start(checked === "" ? {} : { [setting]: checked }),
          (started) => caught(made, started, fraud)
        )))
      assert.match(last, /^[0-9a-f]{64}$/)
      const again = yield* made.start()
      assert.deepStrictEqual(yield* refusedNext(again, yield* again.as(made.honest)), paused)
      const alarms = prometheusText(yield* Metric.snapshot).split("\n").filter((line) => line.startsWith("closeout_mediator_alarms_total{"))
      // Metrics belong to the process, so alarms of other test files in this worker count as well.
      assert.includeMembers(alarms.map((line) => /rule="(\w+)"/.exec(line)?.[1]), [...new Set(frauds.map(({ rule }) => rule))])
    }))
})

describe("a mediator whose account nobody misuses", () => {
  onJumpingClock("signs for a dozen closes while strangers give it something in every ledger, and is swept", () =>
    Effect.gen(function*() {
      const { swept } = yield* honestCloses(12)
      assert.isAbove(swept, 0)
    }))
})

describe("a stranger", () => {
  onJumpingClock("does not pause a mediator by a gift and a drain of that size, and the loss is counted", () =>
    Effect.gen(function*() {
      const made = yield* scene
      const first = yield* made.start()
      const hash = yield* giftAndDrain(first, made)
      yield* first.as(Effect.flatMap(made.honest, coSign))
      const later = yield* made.start()
      yield* later.as(Effect.flatMap(made.honest, coSign))
      for (const { log, service } of [first, later]) {
        const { status, told } = yield* mediatorHealth(service)
        assert.deepStrictEqual([status, told?.status], [200, "up"])
        const alarms = log.lines.flatMap(({ fields }) => (fields["rule"] === undefined ? [] : [`${fields["rule"]} ${fields["hash"]}`]))
        assert.deepStrictEqual([...new Set(alarms)], [`drained_close ${hash}`])
      }
      assert.match(prometheusText(yield* Metric.snapshot), /^closeout_mediator_alarms_total\{.*rule="drained_close"/m)
    }))

  onJumpingClock(
    "does not pause one by a gift in a form that it cannot read, while what its key signs in such a form does",
    () =>
      Effect.gen(function*() {
        const made = yield* scene
        const { mediator, network, stranger, transaction } = made
        const started = yield* made.start()
        const { as } = started
        yield* as(Effect.flatMap(made.honest, coSign))
        yield* network.faults.set({ fault: new UnknownArms({ in: ["envelopes"] }), rest: "/accounts/:id/transactions" })
        yield* made.gift("1")
        yield* as(Effect.flatMap(made.honest, coSign))
        const payment = { destination: stranger.publicKey(), asset: Asset.native(), amount: "0.5" }
        const { facts } = yield* transaction("a theft", { as: mediator, operations: [Operation.payment(payment)] })
        assert.deepStrictEqual(yield* refusedNext(started, yield* as(made.honest)), paused)
        assert.include((yield* mediatorHealth(started.service)).told?.message, `transaction ${facts.hash} breaks the rule unreadable; `)
      })
  )
})

describe("the watch over a mediator", () => {
  onJumpingClock("pauses it when its account was merged, which the account shows too", () =>
    Effect.gen(function*() {
      const made = yield* scene
      const { as, log } = yield* made.start()
      yield* made.gift("1")
      yield* as(Effect.flatMap(made.honest, coSign))
      const hash = yield* merge.commit(made)
      const told = Effect.sync(() => log.lines.filter(({ text }) => text.startsWith("the mediator is paused")))
      const lines = yield* until(told, ({ length }) => length === 2)
      assert.deepStrictEqual(lines.map(({ fields }) => [fields["rule"], fields["hash"]]), [["own_transaction", hash], [
        "account_gone",
        null
      ]])
    }))

  onJumpingClock(
    "pauses it without being asked for a signature, blocks plans, and loses no close that was signed for",
    () =>
      Effect.gen(function*() {
        const made = yield* scene
        const { closing, exchange } = made
        const settings = { [setting]: "0".repeat(64) }
        const source = yield* closing()
        const body = { source: source.publicKey(), destination: exchange.publicKey(), memo }
        const { found, ready } = yield* Effect.scoped(Effect.gen(function*() {
          const { as, service } = yield* made.start(settings)
          const { xdr } = yield* as(offered(body))
          const ready = yield* as(Effect.flatMap(coSign(xdr), (one) => signed({ xdr: one }, source)))
          yield* made.gift("5")
          const [fraud] = frauds
          if (fraud === undefined) return yield* Effect.dieMessage("no fraud")
          const found = yield* fraud.commit(made)
          const { told } = yield* until(mediatorHealth(service), ({ status }) => status === 503)
          assert.include(told?.message ?? "", found)
          assert.deepInclude(yield* as(refusal("submit", { signedXdr: ready })), paused)
          const { blockers } = yield* as(plan(body))
          assert.deepStrictEqual(blockers.map(({ reason }) => reason), ["mediator_unavailable"])
          assert.deepInclude(yield* as(refusal("next", body)), { status: 422, code: "plan_blocked" })
          return { found, ready }
        }))
        const { as } = yield* made.start({ [setting]: found })
        assert.strictEqual((yield* as(submit(ready))).status, "success")
      })
  )

  onJumpingClock("pauses it when lumens are missing that no transaction it can read took", () =>
    Effect.gen(function*() {
      const made = yield* scene
      const { mediator, network, stranger } = made
      yield* made.gift("5")
      const { as, log, service } = yield* made.start()
      yield* as(Effect.flatMap(made.honest, coSign))
      yield* network.faults.set({ fault: new UnknownArms({ in: ["envelopes"] }), rest: "/accounts/:id/transactions" })
      // The payment has no signature, as with an unreadable contract call that the mediator authorized.
      const payment = { source: mediator.publicKey(), destination: stranger.publicKey(), asset: Asset.native(), amount: "2" }
      yield* network.enact(stranger.publicKey(), [Operation.payment(payment)])
      const { told } = yield* until(mediatorHealth(service), ({ status }) => status === 503)
      assert.include(told?.message ?? "", "breaks the rule lumens_missing")
      const lines = log.lines.filter(({ text }) => text.startsWith("the mediator is paused"))
      assert.deepStrictEqual(lines.map(({ fields }) => fields["rule"]), ["lumens_missing"])
    }))

  onJumpingClock("follows a new mediator, and leaves closes alone that the former one signed for", () =>
    Effect.gen(function*() {
      const made = yield* scene
      const { closeOf, closing, mediator, on, operator, ready, transaction } = made
      const [source, fresh] = [yield* closing(), Keypair.random()]
      const inFlight = yield* Effect.scoped(Effect.flatMap(made.start(), ({ as }) => as(ready(source))))
      yield* on(fund("1", fresh))
      const settings = { TESTNET_MEDIATOR_FORMER: mediator.publicKey(), TESTNET_MEDIATOR_SWEEP_ACCOUNT: operator.publicKey() }
      const { as, log, service } = yield* made.start(settings, fresh)
      assert.strictEqual((yield* as(submit(inFlight))).status, "success")
      yield* made.gift("1")
      yield* transaction("what is left of the former one", {
        as: mediator,
        operations: [Operation.accountMerge({ destination: fresh.publicKey() })]
      })
      const next = yield* closing()
      const last = yield* as(ready(next, fresh))
      assert.strictEqual((yield* as(submit(last))).status, "success")
      yield* as(Effect.flatMap(Effect.flatMap(closing(), (one) => closeOf(one, fresh)), coSign))
      yield* until(Effect.sync(() => log.lines), (lines) => lines.some(({ text }) => text.startsWith("the mediator's surplus was moved")))
      assert.deepStrictEqual((yield* mediatorHealth(service)).status, 200)
      assert.deepStrictEqual(log.lines.filter(({ fields }) => fields["rule"] !== undefined), [])
    }))

  onJumpingClock("is told of where the history of the account cannot be read", () =>
    Effect.gen(function*() {
      const { honest, network, start } = yield* scene
      const { as, service } = yield* start()
      yield* as(Effect.flatMap(honest, coSign))
      yield* network.faults.set({ fault: new ServiceUnavailable({}), rest: "/accounts/:id/transactions" })
      const { status, told } = yield* until(mediatorHealth(service), (seen) => seen.told?.message !== undefined)
      assert.match(told?.message ?? "", /^its transactions have been unwatched for \d+ seconds: /)
      assert.strictEqual(status, 200)
      yield* network.faults.clear()
      yield* until(mediatorHealth(service), (seen) => seen.told?.message === undefined)
    }))
})
