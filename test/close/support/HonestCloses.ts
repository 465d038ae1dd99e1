import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { ledgerSeconds } from "../../../src/domain/Ledger.ts"
import { coSign, offered, submit } from "./Client.ts"
import { signed } from "./Signing.ts"
import { mediatorHealth, memo, scene } from "./WatchedMediator.ts"

/** Strangers' gifts of this many lumens exceed the amount that a sweep leaves. */
const gifts = ["0.0000001", "0.003", "0.0000007"]

/**
 * Runs this many closes through a mediator, one after the other. Strangers give lumens in every ledger and the service sweeps them. The
 * mediator signs for each of them, and so does a service that starts afterwards.
 */
export const honestCloses = (count: number) =>
  Effect.gen(function*() {
    const { closing, exchange, gift, operator, start } = yield* scene
    const settings = { TESTNET_MEDIATOR_SWEEP_ACCOUNT: operator.publicKey(), MEDIATOR_WARN_FLOAT_LUMENS: "0.001" }
    const { as, log, service } = yield* start(settings)
    const close = Effect.fnUntraced(function*(at: number) {
      const source = yield* closing()
      const transaction = yield* as(offered({ source: source.publicKey(), destination: exchange.publicKey(), memo }))
      yield* gift(gifts[at % gifts.length] ?? "1")
      const envelope = yield* as(Effect.flatMap(coSign(transaction.xdr), (xdr) => signed({ xdr }, source)))
      yield* as(submit(envelope))
      yield* Effect.sleep(`${ledgerSeconds} seconds`)
    })
    for (let at = 0; at < count; at++) yield* close(at)
    const later = yield* start(settings)
    const source = yield* closing()
    const last = yield* later.as(offered({ source: source.publicKey(), destination: exchange.publicKey(), memo }))
    yield* later.as(coSign(last.xdr))
    for (const one of [service, later.service]) {
      const { told } = yield* mediatorHealth(one)
      assert.strictEqual(told?.status, "up")
      assert.notInclude(told?.message ?? "", "paused")
    }
    assert.deepStrictEqual([...log.lines, ...later.log.lines].filter(({ text }) => text.includes("the mediator is paused")), [])
    const swept = log.lines.filter(({ text }) => text.startsWith("the mediator's surplus was moved")).length
    return { swept }
  })
