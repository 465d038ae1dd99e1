import { assert } from "@effect/vitest"
import { Asset, xdr } from "@stellar/stellar-sdk"
import { Context, Effect, Layer, Logger, LogLevel } from "effect"
import { assetContractEntries } from "../../../../src/sandbox/contracts/Deployment.ts"
import { sendToken } from "../../../../src/sandbox/scenarios/Tokens.ts"
import { embeddedSandbox } from "../../../../src/serving/EmbeddedSandbox.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { anyContract } from "../../../support/Addresses.ts"
import { jumping } from "../../../support/JumpingClock.ts"
import { layer } from "../../../support/Layered.ts"
import { startTestService } from "../../../support/TestService.ts"
import { acceptOf } from "../../support/Accepting.ts"
import { acknowledges, echo, pointOf } from "../../support/Answering.ts"
import { type Asked, next, plan, refusal } from "../../support/Client.ts"
import { Service } from "../../support/Service.ts"
import { type Lie, rpcEndpoint, servingOver, Sources } from "../../support/Sources.ts"
import { tokenList } from "./support/DeclaredTokens.ts"
import { gift, holder, turns } from "./support/Holder.ts"

/** Another instance of the service, which has scanned no events yet. */
class OtherInstance extends Context.Tag("closeout/test/close/OtherInstance")<OtherInstance, Service["Type"]>() {}

const quiet = Logger.minimumLogLevel(LogLevel.None)

/** Two instances over one sandbox and one contract RPC. */
const instances = Layer.provideMerge(
  Layer.scopedContext(Effect.gen(function*() {
    const sandbox = yield* embeddedSandbox({ closeEvery: null, protocols: false, accounts: false })
    const endpoints = [yield* rpcEndpoint(sandbox.network)]
    const { file } = yield* tokenList
    const start = startTestService({ TESTNET_TOKENS_FILE: file }, servingOver(sandbox, endpoints), quiet)
    return Context.make(Service, yield* start).pipe(Context.add(OtherInstance, yield* start), Context.add(Sources, endpoints))
  })),
  jumping
)

/** Keeps no events of ledgers before this one. */
const eventsSince = (ledger: number): Lie => (method, result) => {
  if (method === "getHealth") return { ...result, oldestLedger: ledger }
  if (method !== "getEvents") return result
  const events = result["events"] as ReadonlyArray<{ readonly ledger: number }>
  return { ...result, oldestLedger: ledger, events: events.filter((one) => one.ledger >= ledger) }
}

/** Work at the other instance, whose contract RPC no longer keeps an event of what came before now. */
const onceForgotten = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    yield* laterLedger
    const [endpoint] = yield* Sources
    const { sandbox } = yield* Service
    const { state: { header } } = yield* sandbox.snapshot
    return yield* endpoint!.lying(eventsSince(header.ledgerSeq), Effect.provideServiceEffect(work, Service, OtherInstance))
  })

/** The answer for what comes later, and the acceptance, of the first plan of an account. */
const seenAt = (request: Asked) =>
  Effect.map(plan(request), (told) => ({ later: echo(pointOf(told, "later"), "leave_what_came_later"), accept: acceptOf(told) }))

/** Checks that plan and build require a decision about the token. */
const asksFor = (token: string, given: Asked) =>
  Effect.gen(function*() {
    const told = yield* plan(given)
    assert.deepInclude(pointOf(told, `token:${token}`), { required: true, answered: false })
    assert.deepInclude(yield* refusal("next", given), { code: "needs_decisions", details: { missing: [`token:${token}`] } })
  })

layer(instances, { excludeTestServices: true })("a token that a plan saw and whose events are gone", (it) => {
  for (const kind of ["later", "accept"] as const) {
    it.effect(`is still a required point where ${kind} names it`, () =>
      Effect.gen(function*() {
        const { destination, request, source } = yield* holder
        const { token } = yield* gift(source, 5n)
        const { accept, later } = yield* seenAt(request)
        const own = acknowledges(destination.publicKey())
        const given = kind === "later" ? { ...request, decisions: [own, later] } : { ...request, decisions: [own], accept }
        yield* onceForgotten(asksFor(token, given))
      }), 60_000)
  }

  it.effect("is still a required point where it tells no balance any more", () =>
    Effect.gen(function*() {
      const { destination, request, source } = yield* holder
      const { token } = yield* gift(source, 5n, { family: "book" })
      const { later } = yield* seenAt(request)
      yield* turns(token, { _tag: "Fails", functions: ["balance"] })
      yield* onceForgotten(asksFor(token, { ...request, decisions: [acknowledges(destination.publicKey()), later] }))
    }), 60_000)

  it.effect("delays nothing once it is gone, nor does a contract that never was", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, request, source } = yield* holder
      const { giver, token } = yield* gift(source, 5n)
      const { later } = yield* seenAt(request)
      yield* on(sendToken(token, source, giver.publicKey(), 5n))
      const had = [...(later.params?.had ?? []), `token:${anyContract()}`]
      const decisions = [acknowledges(destination.publicKey()), { ...later, params: { ...later.params, had } }]
      yield* onceForgotten(Effect.gen(function*() {
        const given = { ...request, decisions }
        assert.deepStrictEqual((yield* plan(given)).status, "ready")
        assert.deepStrictEqual((yield* next(given)).transactions.map(({ covers }) => covers), [["MERGE"]])
      }))
    }), 60_000)

  it.effect("is not passed over where so many contracts of assets are before it that no round gets to it", () =>
    Effect.gen(function*() {
      const { passphrase, sandbox } = yield* Service
      const { destination, request, source } = yield* holder
      const { token } = yield* gift(source, 5n)
      const { later } = yield* seenAt(request)
      const assets = Array.from({ length: 310 }, (_, at) => new Asset(`A${at}`, source.publicKey()))
      yield* sandbox.amend((state) =>
        state.set(
          assets.flatMap((asset) => assetContractEntries(asset.toXdrObject(), passphrase, 2_000_000))
            .map((entry) => new xdr.LedgerEntry({ ...entry, lastModifiedLedgerSeq: state.header.ledgerSeq }))
        )
      )
      const had = [...assets.map((asset) => `token:${asset.contractId(passphrase)}`), `token:${token}`]
      const decisions = [acknowledges(destination.publicKey()), { ...later, params: { ...later.params, had } }]
      yield* onceForgotten(Effect.gen(function*() {
        const given = { ...request, decisions }
        assert.deepInclude(pointOf(yield* plan(given), "tokens:others"), { required: true, answered: false })
        yield* asksFor(token, given)
      }))
    }), 60_000)
})
