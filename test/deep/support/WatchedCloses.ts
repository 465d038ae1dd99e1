import { assert } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import { steadyMillis } from "../../../src/fibers/SteadyTime.ts"
import { fund } from "../../../src/sandbox/scenarios/Scenario.ts"
import { coSign, offered } from "../../close/support/Client.ts"
import { failedPayment } from "../../close/support/Frauds.ts"
import { giftAndDrain } from "../../close/support/GiftAndDrain.ts"
import { signed } from "../../close/support/Signing.ts"
import { mediatorHealth, memo, sceneWith } from "../../close/support/WatchedMediator.ts"

/** Closes that share a ledger. */
const inLedger = 50

/**
 * The service builds one close in this many; the others are built by hand in the same form, because a build costs more than the rest of a
 * close.
 */
const buildsEvery = 50

/** A busy machine makes requests time out. */
const retries = 10

/** After this many ledgers of closes, a stranger gives lumens, has the mediator sign for an account, and drains the account. */
const attackEvery = 10

/** Lumens that a stranger gives in each ledger, a few of them more than a sweep leaves. */
const gifts = ["0.0000001", "0.003", "0.0000007"]

/** The result of a campaign, and the alarms of both of its services. */
export interface WatchedCloses {
  readonly closed: number
  readonly attacks: number
  readonly sweeps: number
  /** Alarms that pause the mediator, and those that do not, by rule and transaction. */
  readonly paused: ReadonlyArray<string>
  readonly drained: ReadonlyArray<string>
}

/**
 * This many closes that the mediator signs over HTTP, fifty in a ledger, among gifts, sweeps and drains. A second service over the same
 * network signs nothing and watches. The run ends early after this many minutes. A fraud at the end pauses both: they still watch.
 */
export const watchedCloses = (count: number, minutes: number) =>
  Effect.gen(function*() {
    const made = yield* sceneWith({ closeOnSubmit: false, retention: 60 })
    const { exchange, gift, network, on, operator } = made
    const first = yield* made.start({ TESTNET_MEDIATOR_SWEEP_ACCOUNT: operator.publicKey(), MEDIATOR_WARN_FLOAT_LUMENS: "0.001" })
    const second = yield* made.start({ TESTNET_MEDIATOR_SWEEP_ACCOUNT: operator.publicKey() })

    const built = (source: Keypair) =>
      Effect.map(offered({ source: source.publicKey(), destination: exchange.publicKey(), memo }), ({ xdr: unsigned }) => unsigned)

    const envelopeOf = (source: Keypair, at: number) =>
      first.as(Effect.gen(function*() {
        const unsigned = yield* at % buildsEvery === 0 ? built(source) : made.closeOf(source)
        return xdr.TransactionEnvelope.fromXdr(yield* signed({ xdr: yield* coSign(unsigned) }, source), "base64")
      })).pipe(Effect.sandbox, Effect.retry({ times: retries }), Effect.unsandbox)

    const batch = Effect.fnUntraced(function*(size: number, at: number) {
      const sources = Array.from({ length: size }, () => Keypair.random())
      yield* on(fund("20", ...sources))
      const envelopes = yield* Effect.forEach(sources, envelopeOf, { concurrency: 4 })
      yield* gift(gifts[at % gifts.length] ?? "1")
      const hashes = yield* Effect.forEach(envelopes, (one) => Effect.map(network.submit(one), ({ facts }) => facts.hash))
      yield* network.closeLedger()
      const outcomes = yield* Effect.forEach(hashes, network.outcome)
      return outcomes.filter(Option.exists(({ successful }) => successful)).length
    })

    let [closed, attacks] = [0, 0]
    const end = (yield* steadyMillis) + 60_000 * minutes
    for (let at = 0; closed < count && (yield* steadyMillis) < end; at++) {
      const size = Math.min(inLedger, count - closed)
      const done = yield* batch(size, at)
      assert.strictEqual(done, size, `closes of batch ${at}`)
      closed += done
      if (at % attackEvery === attackEvery - 1) {
        yield* giftAndDrain(first, made)
        attacks += 1
      }
      if (closed % 500 === 0) yield* Effect.sync(() => process.stderr.write(`${closed} closes\n`))
    }
    // Both services check once more before their reports are read.
    for (const { as } of [first, second]) yield* as(Effect.flatMap(made.honest, coSign))
    for (const { service } of [first, second]) {
      const { told } = yield* mediatorHealth(service)
      assert.notInclude(told?.message ?? "", "paused:")
    }
    const lines = [first, second].flatMap(({ log }) => log.lines)
    const alarms = (text: string) => [
      ...new Set(lines.filter((line) => line.text.startsWith(text)).map(({ fields }) => `${fields["rule"]} of ${fields["hash"]}`))
    ]
    const done: WatchedCloses = {
      closed,
      attacks,
      sweeps: lines.filter(({ text }) => text.startsWith("the mediator's surplus was moved")).length,
      paused: alarms("the mediator is paused"),
      drained: alarms("the mediator paid a part of a close")
    }
    yield* gift("1")
    yield* failedPayment.commit(made)
    for (const { service } of [first, second]) {
      yield* Effect.repeat(Effect.delay(mediatorHealth(service), "1 second"), { until: ({ told }) => told?.status === "down" })
    }
    return done
  })
