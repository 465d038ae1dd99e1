import { assert } from "@effect/vitest"
import { Asset, type Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { Hang, Latency } from "../../src/sandbox/faults/Connection.ts"
import { LaggingLedgerApi } from "../../src/sandbox/faults/LimitedServer.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { lessLumens, lessSince, withoutAccount } from "./support/AccountLies.ts"
import { Pair } from "./support/Accounts.ts"
import { coSign, offered, plan, refusal, submit } from "./support/Client.ts"
import { acknowledged } from "./support/Judged.ts"
import { exchanges, lumensAt } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"
import { Sources, sourcesService } from "./support/Sources.ts"

const memo = "customer 42"
const alone = { excludeTestServices: true } as const

const pay = (from: Keypair, to: Keypair, amount: string) =>
  perform("lumens arrive", { as: from, operations: [Operation.payment({ destination: to.publicKey(), asset: Asset.native(), amount })] })

const closeLedgers = (count: number) => Effect.flatMap(Service, ({ sandbox }) => Effect.replicateEffect(sandbox.closeLedger(), count))

/** An account that is ready for its last transaction into an exchange. */
const ready = Effect.gen(function*() {
  const { on } = yield* Service
  const { destination: donor, source } = yield* on(Pair())
  const { payments } = yield* exchanges
  return { source, donor, payments, request: { source: source.publicKey(), destination: payments, memo } }
})

const stroop = "0.0000001"

const disagree = { status: 503, code: "sources_disagree", details: { about: "account" } }

const behind = { status: 503, code: "contract_rpc_lagging" }

layer(sourcesService(1), alone)("a close through the mediator over one contract RPC", (it) => {
  it.effect("that has not seen a deposit is refused at every gate, and the deposit reaches the exchange", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [rpc] = yield* Sources
      const { donor, payments, request, source } = yield* ready
      const early = yield* offered(request)
      const coSigned = yield* signed({ xdr: yield* coSign(early.xdr) }, source)
      yield* rpc!.stuck(Effect.gen(function*() {
        yield* on(pay(donor, source, "50"))
        yield* closeLedgers(12)
        const refused = yield* refusal("next", request)
        assert.deepInclude(refused, { ...behind, details: { behind: 13, ageSeconds: null }, retry: "after_delay", retryAfter: "5" })
        assert.deepInclude(yield* refusal("coSign", { transaction: early.xdr }), behind)
        assert.deepInclude(yield* refusal("submit", { signedXdr: coSigned }), behind)
      }))
      const before = yield* lumensAt(payments)
      yield* submit(yield* signed({ xdr: yield* coSign((yield* offered(request)).xdr) }, source))
      assert.strictEqual((yield* lumensAt(payments)) - before, 150_0000000n - 200n)
      // Both sources show that the account is gone.
      assert.deepInclude(yield* refusal("coSign", { transaction: early.xdr }), { status: 404, code: "not_found" })
    }))
})

layer(sourcesService(2), alone)("a close through the mediator over two contract RPCs", (it) => {
  it.effect("of which the quick one is stale and the right one slow rests on the right one", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [quick, slow] = yield* Sources
      const { donor, payments, request, source } = yield* ready
      yield* slow!.faults.set({ fault: new Latency({ millis: 1600 }), rpc: "*" })
      const before = yield* lumensAt(payments)
      const envelope = yield* quick!.stuck(Effect.gen(function*() {
        yield* on(pay(donor, source, "50"))
        yield* closeLedgers(12)
        return yield* signed({ xdr: yield* coSign((yield* offered(request)).xdr) }, source)
      }))
      yield* submit(envelope)
      assert.strictEqual((yield* lumensAt(payments)) - before, 150_0000000n - 200n)
    }))

  it.effect("of which one is silent goes on", () =>
    Effect.gen(function*() {
      const [, silent] = yield* Sources
      const { payments, request, source } = yield* ready
      const before = yield* lumensAt(payments)
      yield* silent!.faults.clear()
      yield* silent!.faults.set({ fault: new Hang({}), rpc: "*" })
      yield* submit(yield* signed({ xdr: yield* coSign((yield* offered(request)).xdr) }, source))
      yield* silent!.faults.clear()
      assert.strictEqual((yield* lumensAt(payments)) - before, 100_0000000n - 200n)
    }))

  it.effect("whose only endpoint that has caught up is silent is refused", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [stale, silent] = yield* Sources
      const { donor, request, source } = yield* ready
      const transaction = yield* offered(request)
      yield* silent!.faults.set({ fault: new Hang({}), rpc: "*" })
      yield* stale!.stuck(Effect.gen(function*() {
        yield* on(pay(donor, source, "50"))
        yield* closeLedgers(8)
        assert.deepInclude(yield* refusal("coSign", { transaction: transaction.xdr }), behind)
      }))
      yield* silent!.faults.clear()
    }))

  it.effect("that contradict each other about one ledger is refused", () =>
    Effect.gen(function*() {
      const [liar] = yield* Sources
      const { request } = yield* ready
      const transaction = yield* offered(request)
      const refused = yield* liar!.lying(lessLumens(request.source), refusal("coSign", { transaction: transaction.xdr }))
      assert.deepInclude(refused, disagree)
    }))

  it.effect("of which neither shows the account that the ledger API lists is refused", () =>
    Effect.gen(function*() {
      const [one, other] = yield* Sources
      const { request } = yield* ready
      const { xdr: built } = yield* offered(request)
      const hidden = withoutAccount(request.source)
      assert.deepInclude(yield* one!.lying(hidden, other!.lying(hidden, refusal("coSign", { transaction: built }))), disagree)
    }))

  it.effect("is refused at every gate while one says that its newest ledger took lumens", () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      const [liar, honest] = yield* Sources
      const { request, source } = yield* ready
      yield* closeLedgers(1)
      const { xdr: built } = yield* offered(request)
      const envelope = yield* signed({ xdr: yield* coSign(built) }, source)
      const refusals = Effect.all([
        refusal("next", request),
        refusal("coSign", { transaction: built }),
        refusal("submit", { signedXdr: envelope })
      ])
      const [atBuild, ...others] = yield* liar!.lying(lessSince(request.source), refusals)
      assert.include(atBuild, { status: 503 })
      for (const refused of others) assert.deepInclude(refused, disagree)
      // No other source has reached that ledger.
      yield* sandbox.faults.set({ fault: new LaggingLedgerApi({ ledgers: 1 }), rest: "*" })
      const ahead = yield* honest!.stuck(Effect.zipRight(closeLedgers(1), liar!.lying(lessSince(request.source), refusals)))
      for (const refused of ahead) assert.deepInclude(refused, { status: 503, code: "ledger_api_lagging" })
      yield* sandbox.faults.clear()
    }))
})

layer(sourcesService(3), alone)("a close through the mediator over three contract RPCs", (it) => {
  for (const [lie, lies] of [["other lumens", lessLumens], ["newer lumens", lessSince], ["no account", withoutAccount]] as const) {
    for (const place of [0, 1, 2]) {
      it.effect(`of which the one at place ${place} reports ${lie} rests on the two others`, () =>
        Effect.gen(function*() {
          const sources = yield* Sources
          const { payments, request, source } = yield* ready
          yield* closeLedgers(1)
          const before = yield* lumensAt(payments)
          yield* sources[place]!.lying(
            lies(request.source),
            Effect.gen(function*() {
              assert.strictEqual((yield* plan(request)).status, "ready")
              const { xdr: built } = yield* offered(request)
              yield* submit(yield* signed({ xdr: yield* coSign(built) }, source))
            })
          )
          assert.strictEqual((yield* lumensAt(payments)) - before, 100_0000000n - 200n)
        }))
    }
  }
})

layer(sourcesService(1), alone)("a stranger who sends a stroop in every ledger", (it) => {
  it.effect("stops no merge, with the ledger API a ledger behind and without", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      for (const lag of [0, 1]) {
        if (lag > 0) yield* sandbox.faults.set({ fault: new LaggingLedgerApi({ ledgers: lag }), rest: "*" })
        const { destination, source } = yield* on(Pair())
        const { source: stranger } = yield* on(Pair())
        yield* closeLedgers(3)
        const before = yield* lumensAt(destination.publicKey())
        yield* on(pay(stranger, source, stroop))
        const envelope = yield* signed(yield* offered(acknowledged(source, destination)), source)
        yield* on(pay(stranger, source, stroop))
        yield* submit(envelope)
        yield* sandbox.faults.clear()
        assert.strictEqual((yield* lumensAt(destination.publicKey())) - before, 100_0000000n - 100n + 2n)
      }
    }))

  it.effect("stops no close through the mediator, which keeps no more than a hundredth of a lumen", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      for (const lag of [0, 1]) {
        const { donor, payments, request, source } = yield* ready
        yield* closeLedgers(3)
        if (lag > 0) yield* sandbox.faults.set({ fault: new LaggingLedgerApi({ ledgers: lag }), rest: "*" })
        const before = yield* lumensAt(payments)
        yield* on(pay(donor, source, stroop))
        const transaction = yield* offered(request)
        yield* on(pay(donor, source, stroop))
        const envelope = yield* signed({ xdr: yield* coSign(transaction.xdr) }, source)
        yield* on(pay(donor, source, "0.0099998"))
        yield* submit(envelope)
        yield* sandbox.faults.clear()
        assert.strictEqual((yield* lumensAt(payments)) - before, 100_0000000n + 1n - 200n)
      }
    }))

  it.effect("stops neither where what came is more, but it is asked for again", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { donor, request, source } = yield* ready
      const transaction = yield* offered(request)
      const envelope = yield* signed({ xdr: yield* coSign(transaction.xdr) }, source)
      yield* on(pay(donor, source, "0.0100001"))
      assert.deepInclude(yield* refusal("coSign", { transaction: transaction.xdr }), { status: 403, details: { rule: "amount_covered" } })
      assert.deepInclude(yield* refusal("submit", { signedXdr: envelope }), {
        status: 409,
        code: "plan_changed",
        details: { planHash: null, changes: [{ kind: "amount", subject: "native", agreed: "99.9999800", current: "100.0099801" }] }
      })
    }))
})

layer(sourcesService(1), alone)("a merge over a contract RPC", (it) => {
  it.effect("that is a ledger behind for a moment waits for it where every stroop counts", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [rpc] = yield* Sources
      const { donor, payments, request, source } = yield* ready
      const before = yield* lumensAt(payments)
      const transaction = yield* offered(request)
      const envelope = yield* rpc!.stuckFor(
        2,
        Effect.gen(function*() {
          yield* on(pay(donor, source, stroop))
          return yield* coSign(transaction.xdr)
        })
      )
      yield* submit(yield* signed({ xdr: envelope }, source))
      assert.strictEqual((yield* lumensAt(payments)) - before, 100_0000000n - 200n)
    }))

  it.effect("that is thirteen ledgers behind the ledger API is not handed over", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [rpc] = yield* Sources
      const { destination, source } = yield* on(Pair())
      yield* rpc!.stuck(Effect.gen(function*() {
        yield* closeLedgers(5)
        assert.deepStrictEqual([...(yield* offered(acknowledged(source, destination))).covers], ["MERGE"])
        yield* closeLedgers(8)
        assert.deepInclude(yield* refusal("next", acknowledged(source, destination)), {
          ...behind,
          details: { behind: 13, ageSeconds: null }
        })
      }))
    }))
})
