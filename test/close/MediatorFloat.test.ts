import { assert } from "@effect/vitest"
import { Asset, Keypair, Operation, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { fileURLToPath } from "node:url"
import { MediatorSigner } from "../../src/close/situation/MediatorSigner.ts"
import { withFields } from "../../src/ledger/entries/Account.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { embeddedSandbox } from "../../src/serving/EmbeddedSandbox.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { layer } from "../support/Layered.ts"
import { serviceLog } from "../support/ServiceLog.ts"
import { startTestService } from "../support/TestService.ts"
import { HolderWithMarket, Pair } from "./support/Accounts.ts"
import { acknowledges, echo, pointOf } from "./support/Answering.ts"
import { coSign, offered, plan, refusal, submit } from "./support/Client.ts"
import { exchanges, forge } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"
import { Sources, sourcesService } from "./support/Sources.ts"

const memo = "customer 42"

const mediator = Effect.gen(function*() {
  const { on } = yield* Service
  const { source } = yield* on(Pair())
  const { intent } = yield* offered({ source: source.publicKey(), destination: (yield* exchanges).payments, memo })
  return intent.guarantees.mergeDestination ?? ""
})

/** The mediator's account with other fields; null removes it from the ledger. */
const amend = (address: string, fields: Parameters<typeof withFields>[1] | null) =>
  Effect.flatMap(Service, ({ sandbox }) =>
    sandbox.amend((state) => {
      const found = state.get(accountKey(address))
      if (found?.data.type !== "account") throw new Error("the mediator is missing")
      return fields === null
        ? state.delete([accountKey(address)])
        : state.set([new xdr.LedgerEntry({ ...found, data: xdr.LedgerEntryData.account(withFields(found.data.account, fields)) })])
    }))

interface Report {
  readonly details: Readonly<Record<string, { readonly status: string; readonly message?: string }>>
}

const health = Effect.gen(function*() {
  const { call } = yield* Service
  const { body, status } = yield* call<Report>("GET", "/health/deep")
  return { status, mediator: body.details["mediator_testnet"] }
})

/** Reports are shared for two seconds, so every state of the mediator gets a service of its own. */
const alone = { excludeTestServices: true } as const

layer(Service.layer(), alone)("a mediator with its reserve", (it) => {
  it.effect("is up without a message, and counted", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* health, { status: 200, mediator: { status: "up" } })
    }))

  it.effect("is nobody's destination, and takes no transfer", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const address = yield* mediator
      const { decision, source } = yield* on(HolderWithMarket())
      const direct = { source: source.publicKey(), destination: address, decisions: [acknowledges(address)] }
      const blocked = yield* plan(direct)
      assert.include(blocked.blockers.map(({ reason }) => reason), "destination_unusable")
      const { source: plain } = yield* on(Pair())
      assert.deepInclude(yield* refusal("next", { ...direct, source: plain.publicKey() }), { status: 422, code: "destination_unusable" })

      const { payments } = yield* exchanges
      const request = { source: source.publicKey(), destination: payments, memo }
      const transfer = echo(pointOf(yield* plan(request), decision), "transfer_to_account", { destination: address })
      const refused = yield* refusal("next", { ...request, decisions: [transfer, acknowledges(address)] })
      assert.deepInclude(refused, { status: 422, code: "transfer_destination_unusable" })
      assert.include(JSON.stringify(refused.details), "mediator")
    }))

  it.effect("needs the memo the exchange asks for, in its type", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      const { payments } = yield* exchanges
      const request = { source: source.publicKey(), destination: payments }
      assert.deepInclude(yield* refusal("next", request), { status: 422, code: "memo_required" })
      assert.deepInclude(yield* refusal("next", { ...request, memo: " " }), { status: 422, code: "memo_required" })
      assert.deepInclude(yield* refusal("next", { ...request, memo: { type: "id", value: "42" } }), { status: 400, code: "invalid_memo" })
    }))

  it.effect("passes nothing on from an account that cannot pay the fee out of what it may spend", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair("1.0000199"))
      const { payments } = yield* exchanges
      const request = { source: source.publicKey(), destination: payments, memo }
      const { blockers } = yield* plan(request)
      assert.deepStrictEqual(blockers.map(({ reason }) => reason), ["insufficient_lumens"])
      // A fee bump does not help here.
      assert.notInclude(blockers[0]?.message, "fee_bump")
      assert.deepInclude(yield* refusal("next", request), {
        status: 422,
        code: "insufficient_lumens",
        details: { needed: "0.0000200", spendable: "0.0000199" }
      })
    }))
})

layer(Service.layer(), alone)("a mediator with a donation it should not have", (it) => {
  it.effect("goes on, and is spoken of", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const address = yield* mediator
      const { source: donor } = yield* on(Pair())
      yield* on(
        perform("a donation", {
          as: donor,
          operations: [Operation.payment({ destination: address, asset: Asset.native(), amount: "0.5" })]
        })
      )
      const told = yield* health
      assert.strictEqual(told.status, 200)
      assert.match(told.mediator?.message ?? "", /^it holds 0\.5000000 lumens beyond its reserve/)
      const { source } = yield* on(Pair())
      const transaction = yield* offered({ source: source.publicKey(), destination: (yield* exchanges).payments, memo })
      yield* submit(yield* signed({ xdr: yield* coSign(transaction.xdr) }, source))
    }))
})

layer(Service.layer({ MEDIATOR_MAX_FLOAT_LUMENS: "2", MEDIATOR_WARN_FLOAT_LUMENS: "0.5" }), alone)(
  "a mediator that holds more than it may lose",
  (it) => {
    it.effect("is paused: nothing is built for it or signed by it, and nothing else stops", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const address = yield* mediator
        const { payments } = yield* exchanges
        const { destination, source } = yield* on(Pair())
        const forged = yield* forge({ source, mediator: address, destination: payments })
        yield* amend(address, { balance: 3_0000001n })
        const paused = { status: 503, code: "mediator_overfunded" }
        const request = { source: source.publicKey(), destination: payments, memo }
        assert.deepStrictEqual((yield* plan(request)).blockers.map(({ reason }) => reason), ["mediator_unavailable"])
        const refused = yield* refusal("next", request)
        assert.deepInclude(refused, paused)
        assert.isNotNull(refused.retryAfter)
        assert.deepInclude(yield* refusal("coSign", { transaction: forged.toXdr() }), paused)
        assert.match((yield* health).mediator?.message ?? "", /^paused: it holds 2\.0000001 lumens beyond its reserve/)
        const direct = {
          source: source.publicKey(),
          destination: destination.publicKey(),
          decisions: [acknowledges(destination.publicKey())]
        }
        assert.strictEqual((yield* plan(direct)).status, "ready")
        yield* amend(address, { balance: 3_0000000n })
        assert.isNotEmpty(yield* coSign(forged.toXdr()), "the bound itself is still allowed")
      }))
  }
)

const log = serviceLog()

layer(Layer.scoped(Service, startTestService({}, undefined, log.layer)), alone)("a mediator that is not ready", (it) => {
  const unready = (name: string, change: Parameters<typeof amend>[1], message: RegExp | null) =>
    it.effect(name, () =>
      Effect.gen(function*() {
        const { on, sandbox } = yield* Service
        const address = yield* mediator
        const { payments } = yield* exchanges
        const { source } = yield* on(Pair())
        const before = (yield* sandbox.snapshot).state.get(accountKey(address))
        const forged = yield* forge({ source, mediator: address, destination: payments })
        yield* amend(address, change)
        const absent = { status: 503, code: "mediator_not_configured" }
        assert.deepInclude(yield* refusal("next", { source: source.publicKey(), destination: payments, memo }), absent)
        log.lines.length = 0
        assert.deepInclude(yield* refusal("coSign", { transaction: forged.toXdr() }), absent)
        const told = log.lines.filter(({ text }) => text === "the mediator's account is missing, or its key cannot sign a payment alone")
        assert.deepStrictEqual(told.map(({ fields }) => [fields["network"], fields["mediator"]]), [[
          "testnet",
          `${address.slice(0, 4)}...${address.slice(-4)}`
        ]])
        if (message !== null) assert.match((yield* health).mediator?.message ?? "", message)
        yield* sandbox.amend((state) => state.set(before === undefined ? [] : [before]))
      }))

  unready("because its account is not on the ledger", null, /does not exist/)
  unready("because its key carries too little weight", { thresholds: Uint8Array.of(1, 0, 2, 2) }, null)

  it.effect("because it is short of its reserve: the dry run refuses", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const address = yield* mediator
      const { payments } = yield* exchanges
      const { source } = yield* on(Pair())
      const forged = yield* forge({ source, mediator: address, destination: payments })
      yield* amend(address, { balance: 9_999_999n })
      assert.deepInclude(yield* refusal("next", { source: source.publicKey(), destination: payments, memo }), {
        status: 422,
        code: "dry_run_failed"
      })
      assert.deepInclude(yield* refusal("coSign", { transaction: forged.toXdr() }), { status: 403, details: { rule: "dry_run" } })
    }))
})

layer(sourcesService(1), alone)("a mediator whose account cannot be read", (it) => {
  it.effect("is up, and says so", () =>
    Effect.gen(function*() {
      const [rpc] = yield* Sources
      const told = yield* rpc!.lying((method, result) => (method === "getLedgerEntries" ? {} : result), health)
      assert.deepStrictEqual(told.mediator, { status: "up", message: "its account could not be read" })
    }))
})

layer(sourcesService(1), alone)("a mediator that is asked to sign", (it) => {
  /** How many requests for entries a signature takes, for an account whose reserve another pays; null: it pays its own. */
  const readsFor = Effect.fnUntraced(function*(sponsor: "exchange" | "stranger" | null) {
    const { on, sandbox } = yield* Service
    const [rpc] = yield* Sources
    const { payments } = yield* exchanges
    const address = yield* mediator
    const { destination: stranger, source: payer } = yield* on(Pair())
    const source = Keypair.random()
    const pays = sponsor === "stranger" ? stranger.publicKey() : payments
    const create = Operation.createAccount({ source: payer.publicKey(), destination: source.publicKey(), startingBalance: "20" })
    const sponsored = [
      Operation.beginSponsoringFutureReserves({ source: pays, sponsoredId: source.publicKey() }),
      create,
      Operation.endSponsoringFutureReserves({ source: source.publicKey() })
    ]
    yield* sandbox.enact(payer.publicKey(), sponsor === null ? [create] : sponsored)
    const forged = yield* forge({ source, mediator: address, destination: payments })
    rpc!.asked.length = 0
    yield* coSign(forged.toXdr())
    return rpc!.asked.filter((method) => method === "getLedgerEntries").length
  })

  it.effect("reads who pays the account's reserve, where that is nobody whom it reads anyway", () =>
    Effect.gen(function*() {
      const alone = yield* readsFor(null)
      assert.strictEqual(yield* readsFor("exchange"), alone)
      assert.strictEqual(yield* readsFor("stranger"), alone + 1)
    }))
})

const withoutMediator = Effect.gen(function*() {
  const sandbox = yield* embeddedSandbox({ closeEvery: null, protocols: false, accounts: false })
  const { address, contracts } = sandbox
  const networks = [{ address, mediator: MediatorSigner.layerNone, contracts }] as const
  return yield* startTestService({}, Layer.succeed(Serving, { sandbox, sandboxOnly: true, networks }))
})

layer(Layer.scoped(Service, withoutMediator), alone)("a network without a mediator", (it) => {
  it.effect("has no health of one, and signs nothing", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const forged = yield* forge({ source, mediator: destination.publicKey(), destination: (yield* exchanges).payments })
      assert.deepStrictEqual(yield* health, { status: 200, mediator: undefined })
      assert.deepInclude(yield* refusal("coSign", { transaction: forged.toXdr() }), { status: 503, code: "mediator_not_configured" })
    }))
})

const expired = fileURLToPath(new URL("../../src/registry/exchange-registry.json", import.meta.url))

layer(Service.layer({ EXCHANGE_REGISTRY_FILE: expired }), alone)("a mediator with an expired registry", (it) => {
  it.effect("signs nothing", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const forged = yield* forge({ source, mediator: destination.publicKey(), destination: destination.publicKey() })
      const refused = yield* refusal("coSign", { transaction: forged.toXdr() })
      assert.deepInclude(refused, { status: 503, code: "registry_expired" })
      assert.deepStrictEqual([refused.retry, refused.retryAfter], ["never", null])
      assert.deepInclude(yield* refusal("coSign", { transaction: "AAAA" }), { status: 400, code: "invalid_transaction" })
    }))
})
