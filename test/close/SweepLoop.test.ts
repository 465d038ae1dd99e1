import { HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Keypair, Operation, xdr } from "@stellar/stellar-sdk"
import { Context, Effect, Layer, Logger, Metric, Option } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { AutoSweep } from "../../src/close/mediator/AutoSweep.ts"
import { MediatorSigner } from "../../src/close/situation/MediatorSigner.ts"
import { prometheusText } from "../../src/http/metrics/Prometheus.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { addressOf, isRpc, methodOf } from "../account/support/World.ts"
import { MovedClock, pass } from "../support/JumpingClock.ts"
import type { HistoryAnswer } from "./support/LateHistory.ts"
import { signerOf, sweeper } from "./support/SweptMediator.ts"
import { enacted, mediated, payment, watchedLedger } from "./support/WatchedLedger.ts"

/** What the sources do beside answering. `reads`: how often entries were read. */
const sources: {
  reads: number
  /** What happens while the fee of a sweep is read. */
  meanwhile: Effect.Effect<unknown, unknown>
  /** What is said to have become of each transaction; null: the truth. */
  outcome: xdr.TransactionResultResult | null
} = { reads: 0, meanwhile: Effect.void, outcome: null }

/** An answer about a transaction that says that it failed. */
const failedBy = (result: xdr.TransactionResultResult, { result: told, ...envelope }: HistoryAnswer) => ({
  ...envelope,
  result: {
    ...told,
    status: "FAILED",
    resultXdr: new xdr.TransactionResult({ feeCharged: 100n, result, ext: xdr.TransactionResultExt.v0() }).toXdr("base64")
  }
})

const ledger = watchedLedger((request, send) => {
  const method = isRpc(request) ? methodOf(request) : ""
  if (method === "getLedgerEntries") sources.reads += 1
  const { meanwhile, outcome } = sources
  if (method === "getFeeStats") return Effect.zipRight(Effect.orDie(meanwhile), send)
  if (method !== "getTransaction" || outcome === null) return send
  return Effect.flatMap(
    send,
    (response) =>
      Effect.map(
        response.json,
        (body) => HttpClientResponse.fromWeb(request, new Response(JSON.stringify(failedBy(outcome, body as HistoryAnswer))))
      )
  )
})

/** All log lines, each with its level before what is logged. */
const log = () => {
  const lines: Array<ReadonlyArray<unknown>> = []
  const logger = Logger.make(({ logLevel, message }) =>
    void lines.push([logLevel.label, ...(Array.isArray(message) ? message : [message])])
  )
  return { lines, layer: Logger.replace(Logger.defaultLogger, logger) }
}

/** A network whose time stands still until it is moved, and sweeps on it, with what is logged since the last look at that. */
const scene = Effect.gen(function*() {
  const clock = new MovedClock(0)
  yield* Effect.withClockScoped(clock)
  Object.assign(sources, { reads: 0, meanwhile: Effect.void, outcome: null })
  const made = yield* mediated
  const { mediator, registry } = made
  const { lines, layer } = log()
  const sweeping = (to: Keypair | null, signer = signerOf(mediator)) =>
    Effect.map(
      Layer.build(
        Layer.provide(sweeper(registry, signer, to === null ? {} : { TESTNET_MEDIATOR_SWEEP_ACCOUNT: to.publicKey() }), layer)
      ),
      Context.get(AutoSweep)
    )
  return { ...made, sweeping, pass: (millis: number) => pass(clock, millis), aLedger: pass(clock, 5_000), told: () => lines.splice(0) }
})

const missing = "The sweep account does not exist on this network."

/** A sweep that failed, for the nth time in a row. */
const failure = (level: "WARN" | "ERROR", failures: number, reason = missing) => [
  [level, "the mediator's surplus could not be moved", { network: "testnet", reason, failures }]
]

/** Stroops that this process moved; the counter belongs to it. */
const swept = Effect.map(
  Metric.snapshot,
  (all) => BigInt(/^closeout_mediator_swept_stroops_total\{network="testnet"\} (\d+)$/m.exec(prometheusText(all))?.[1] ?? "0")
)

/** The hash of the newest transaction. */
const newestHash = Effect.map(
  Effect.flatMap(Network, ({ snapshot }) => snapshot),
  ({ history }) => history.latest.transactions[0]?.facts.hash
)

const moved = (lumens: string) =>
  Effect.map(newestHash, (hash) => [["INFO", "the mediator's surplus was moved", { network: "testnet", lumens, hash }]])

describe("sweeps by themselves", () => {
  it.scoped("are off without a mediator, and without a sweep account", () =>
    Effect.gen(function*() {
      const { aLedger, gift, mediator, operator, sweeping, told } = yield* scene
      yield* gift("7.25")
      for (
        const [to, signer] of [[null, signerOf(mediator)], [operator, MediatorSigner.layerNone], [null, MediatorSigner.layerNone]] as const
      ) {
        const { isOn, trouble } = yield* sweeping(to, signer)
        yield* aLedger
        assert.deepStrictEqual([isOn, yield* trouble, sources.reads, told()], [false, Option.none(), 0, []])
      }
    }).pipe(Effect.provide(ledger)))

  it.scoped("come once a ledger, and are told and counted where something was moved", () =>
    Effect.gen(function*() {
      const { aLedger, gift, operator, pass, sweeping, told } = yield* scene
      yield* gift("7.25")
      const counted = yield* swept
      const { isOn, trouble } = yield* sweeping(operator)
      assert.isTrue(isOn)
      yield* pass(4_999)
      assert.deepStrictEqual([sources.reads, told()], [0, []])
      yield* pass(1)
      assert.deepStrictEqual(told(), yield* moved("7.2499900"))
      for (const amount of ["0.05", "0.05"]) {
        yield* gift(amount)
        yield* aLedger
        assert.deepStrictEqual([told(), yield* trouble], [[], Option.none()])
      }
      assert.strictEqual((yield* swept) - counted, 7_2499900n)
      yield* gift("0.0000001")
      yield* aLedger
      assert.deepStrictEqual(told(), yield* moved("0.0999901"))
      assert.strictEqual((yield* swept) - counted, 7_2499900n + 999_901n)
    }).pipe(Effect.provide(ledger)))

  it.scoped("come as often as ledgers do, once that was measured", () =>
    Effect.gen(function*() {
      const { aLedger, operator, pass, sweeping } = yield* scene
      const { latestLedger } = yield* ContractRpc
      const { closeLedger } = yield* Network
      yield* sweeping(operator)
      yield* latestLedger
      yield* closeLedger({ ledgers: 20, advanceSeconds: 40 })
      yield* latestLedger
      yield* aLedger
      assert.strictEqual(sources.reads, 1)
      yield* pass(1_999)
      assert.strictEqual(sources.reads, 1)
      yield* pass(1)
      assert.strictEqual(sources.reads, 2)
    }).pipe(Effect.provide(ledger)))
})

describe("a sweep that fails", () => {
  it.scoped("is a warning, from the second one in a row on an error, and trouble until one goes well", () =>
    Effect.gen(function*() {
      const { aLedger, gift, stranger, sweeping, told } = yield* scene
      const to = Keypair.random()
      yield* gift("1")
      const { trouble } = yield* sweeping(to)
      const levels = [["WARN", Option.none()], ["ERROR", Option.some(missing)], ["ERROR", Option.some(missing)]] as const
      for (const [at, [level, expected]] of levels.entries()) {
        yield* aLedger
        assert.deepStrictEqual([told(), yield* trouble], [failure(level, at + 1), expected])
      }
      yield* fund("5", to)
      yield* aLedger
      assert.deepStrictEqual([told(), yield* trouble], [yield* moved("0.9999900"), Option.none()])
      yield* enacted(to, Operation.accountMerge({ destination: stranger.publicKey() }))
      yield* gift("1")
      yield* aLedger
      assert.deepStrictEqual([told(), yield* trouble], [failure("WARN", 1), Option.none()])
    }).pipe(Effect.provide(ledger)))

  const quicker = [
    ["where another instance used up the sequence number before", { outcome: null, isQuicker: true }],
    ["where it used it up in the same ledger", { outcome: xdr.TransactionResultResult.txBadSeq(), isQuicker: false }]
  ] as const
  for (const [name, { isQuicker, outcome }] of quicker) {
    it.scoped(`counts as done ${name}`, () =>
      Effect.gen(function*() {
        const { aLedger, gift, mediator, operator, sweeping, told } = yield* scene
        const to = Keypair.random()
        yield* gift("3")
        const { trouble } = yield* sweeping(to)
        yield* aLedger
        yield* aLedger
        yield* fund("5", to)
        told()
        const byAnother = Effect.provide(enacted(mediator, payment(mediator, operator, "1")), yield* Effect.context<Network>())
        Object.assign(sources, { outcome, meanwhile: isQuicker ? byAnother : Effect.void })
        yield* aLedger
        assert.deepStrictEqual([told(), yield* trouble], [[], Option.none()])
      }).pipe(Effect.provide(ledger)))
  }

  it.scoped("counts as refused from the second time in a row on that the sequence number is not the next one and the surplus stays", () =>
    Effect.gen(function*() {
      const { aLedger, gift, mediator, operator, sweeping, told } = yield* scene
      yield* gift("3")
      const { trouble } = yield* sweeping(operator)
      const usedUp = Effect.provide(enacted(mediator, payment(mediator, operator, "0.0000001")), yield* Effect.context<Network>())
      const reason = "The sequence number of the mediator was not the next one, and the surplus is still there."
      for (const times of [1, 2]) {
        sources.meanwhile = usedUp
        yield* aLedger
        assert.deepStrictEqual([told(), yield* trouble], [[], Option.none()], `${times}`)
        for (const failures of [2, 3]) {
          yield* aLedger
          assert.deepStrictEqual([told(), yield* trouble], [failure("ERROR", failures, reason), Option.some(reason)])
        }
        sources.meanwhile = Effect.void
        yield* aLedger
        assert.strictEqual(told().length, 1)
        assert.deepStrictEqual(yield* trouble, Option.none())
        yield* gift("3")
      }
    }).pipe(Effect.provide(ledger)))

  it.scoped("is no refusal where the surplus is gone at the next look, or the next sweep moves it", () =>
    Effect.gen(function*() {
      const { aLedger, gift, mediator, operator, sweeping, told } = yield* scene
      const { trouble } = yield* sweeping(operator)
      const context = yield* Effect.context<Network>()
      const spend = (amount: string) => Effect.provide(enacted(mediator, payment(mediator, operator, amount)), context)
      for (const [amount, lines] of [["2.95", 0], ["1", 1]] as const) {
        yield* gift("3")
        sources.meanwhile = spend(amount)
        yield* aLedger
        assert.deepStrictEqual([told(), yield* trouble], [[], Option.none()])
        sources.meanwhile = Effect.void
        yield* aLedger
        assert.deepStrictEqual([told().map(([level]) => level), yield* trouble], [Array(lines).fill("INFO"), Option.none()])
      }
    }).pipe(Effect.provide(ledger)))

  it.scoped("does not count as done where its ledger says that it failed otherwise", () =>
    Effect.gen(function*() {
      const { aLedger, gift, operator, sweeping, told } = yield* scene
      yield* gift("3")
      yield* sweeping(operator)
      sources.outcome = xdr.TransactionResultResult.txFailed([])
      yield* aLedger
      const reason = "The transaction was included in a ledger but failed. Only its fee was charged. Plan again."
      assert.deepStrictEqual(told(), failure("WARN", 1, reason))
    }).pipe(Effect.provide(ledger)))

  it.scoped("by a defect is told and counted like any other, and does not end the sweeps", () =>
    Effect.gen(function*() {
      const { aLedger, gift, mediator, operator, sweeping, told } = yield* scene
      yield* gift("3")
      const signer = Layer.succeed(MediatorSigner, {
        mediator: Option.some({ address: addressOf(mediator), sign: () => Effect.die("the key is gone") })
      })
      const { trouble } = yield* sweeping(operator, signer)
      const reason = "it failed unexpectedly"
      for (const [at, level] of (["WARN", "ERROR", "ERROR"] as const).entries()) {
        yield* aLedger
        assert.deepStrictEqual(told(), failure(level, at + 1, reason))
        assert.deepStrictEqual(yield* trouble, at === 0 ? Option.none() : Option.some(reason))
      }
    }).pipe(Effect.provide(ledger)))
})
