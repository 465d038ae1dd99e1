import { assert } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { fund, perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { sendTokenSentBy } from "../../../../src/sandbox/scenarios/Tokens.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../../support/Layered.ts"
import { acknowledges, echo, pointOf } from "../../support/Answering.ts"
import { buriedUnder } from "../../support/BuriedHistory.ts"
import { plan, refusal } from "../../support/Client.ts"
import { type Lie, lying, lyingService } from "../../support/LyingSources.ts"
import { Service } from "../../support/Service.ts"
import { tokenList } from "./support/DeclaredTokens.ts"
import { gift, holder } from "./support/Holder.ts"

const service = Layer.unwrapScoped(Effect.map(tokenList, ({ file }) => lyingService({ TESTNET_TOKENS_FILE: file })))

/** Hides the account's own transactions from its first queries; then the ledger API has caught up. */
const lateBy = (queries: number): Lie => {
  let left = queries
  return (asked, honest) => {
    const isHistory = asked.includes("/transactions?") && asked.includes("limit=200")
    return isHistory && left-- > 0 ? { status: 200, body: { _embedded: { records: [] } } } : honest
  }
}

/** Keeps no transactions of ledgers before this one. */
const keptSince = (ledger: number): Lie => (asked, { body, status }) => {
  if (asked === "/") return { status, body: { ...(body as object), history_elder_ledger: ledger } }
  if (!asked.includes("/transactions?") || status !== 200) return { body, status }
  const { _embedded: { records } } = body as { readonly _embedded: { readonly records: ReadonlyArray<{ readonly ledger: number }> } }
  return { status, body: { _embedded: { records: records.filter((record) => record.ledger >= ledger) } } }
}

/** An account that made its first call after a plan, with a token that came since; and the answer for what comes later. */
const callingSince = (sentBy?: Keypair) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const { destination, request, source } = yield* holder
    const later = echo(pointOf(yield* plan(request), "later"), "leave_what_came_later")
    yield* laterLedger
    const { giver, token } = yield* gift(source, 5n, { family: "book" })
    yield* on(sendTokenSentBy(token, { as: source, sentBy: sentBy ?? source }, giver.publicKey(), 1n))
    yield* laterLedger
    return { giver, source, token, given: { ...request, decisions: [acknowledges(destination.publicKey()), later] } }
  })

layer(service, { excludeTestServices: true })("an own history that is behind the account", (it) => {
  it.effect("is read once more before it decides what came later", () =>
    Effect.gen(function*() {
      const { given, token } = yield* callingSince()
      const told = yield* lying("api", lateBy(1), plan(given))
      assert.deepInclude(pointOf(told, `token:${token}`), { required: true, answered: false })
    }), 60_000)

  it.effect("and stays so leaves nothing as later: plan and build answer 503", () =>
    Effect.gen(function*() {
      const { given } = yield* callingSince()
      for (const endpoint of ["plan", "next"] as const) {
        const refused = yield* lying("api", lateBy(Number.POSITIVE_INFINITY), refusal(endpoint, given))
        assert.deepInclude(refused, { status: 503, code: "ledger_api_lagging" }, endpoint)
      }
    }), 60_000)
})

layer(service, { excludeTestServices: true })("an own history that strangers bury since the plan", (it) => {
  it.effect("leaves no token as later: a call of the account's own may have brought it", () =>
    Effect.gen(function*() {
      const { given, token } = yield* callingSince()
      const { sandbox } = yield* Service
      const { state: { header } } = yield* sandbox.snapshot
      const bury = buriedUnder(given.source, header.ledgerSeq)
      const told = yield* lying("api", bury, plan(given))
      assert.deepInclude(pointOf(told, `token:${token}`), { required: true, answered: false })
      const refused = yield* lying("api", bury, refusal("next", given))
      assert.deepInclude(refused, { code: "needs_decisions", details: { missing: [`token:${token}`] } })
    }), 60_000)
})

layer(service, { excludeTestServices: true })("an own history whose beginning the ledger API no longer keeps", (it) => {
  it.effect("leaves no token as later where that may hide a call since the plan", () =>
    Effect.gen(function*() {
      const { giver, given, source, token } = yield* callingSince()
      const { on, sandbox } = yield* Service
      yield* on(perform("it pays", {
        as: source,
        operations: [Operation.payment({ destination: giver.publicKey(), asset: Asset.native(), amount: "1" })]
      }))
      const { state: { header } } = yield* sandbox.snapshot
      const told = yield* lying("api", keptSince(header.ledgerSeq), plan(given))
      assert.deepInclude(pointOf(told, `token:${token}`), { required: true, answered: false })
    }), 60_000)

  it.effect("does not count as behind, since no waiting brings it back", () =>
    Effect.gen(function*() {
      const { given, token } = yield* callingSince()
      const { sandbox } = yield* Service
      const { state: { header } } = yield* sandbox.snapshot
      const told = yield* lying("api", keptSince(header.ledgerSeq + 1), plan(given))
      assert.deepInclude(pointOf(told, `token:${token}`), { required: true, answered: false })
    }), 60_000)

  it.effect("nor where another one's transaction carried the call, and none of its own followed", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const sender = Keypair.random()
      yield* on(fund("100", sender))
      const { given, token } = yield* callingSince(sender)
      const { state: { header } } = yield* sandbox.snapshot
      const told = yield* lying("api", keptSince(header.ledgerSeq + 1), plan(given))
      assert.deepInclude(pointOf(told, `token:${token}`), { required: true, answered: false })
    }), 60_000)
})
