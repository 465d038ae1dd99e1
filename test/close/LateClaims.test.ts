import { assert } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation, xdr } from "@stellar/stellar-sdk"
import { Effect, type Schema } from "effect"
import type { AccountState } from "../../src/domain/Account.ts"
import type { LedgerState } from "../../src/ledger/LedgerState.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { claimableBalanceKey } from "../../src/xdr/LedgerKeys.ts"
import { laterLedger } from "../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../support/Layered.ts"
import { isThorough } from "../support/Thorough.ts"
import { Pair } from "./support/Accounts.ts"
import { acknowledges, echo, pointOf } from "./support/Answering.ts"
import { type Answer, offered, plan, type PlanBody, refusal } from "./support/Client.ts"
import { type Body, withAnswer } from "./support/Lies.ts"
import { Liars, type Lie, lyingService } from "./support/LyingSources.ts"
import { Service } from "./support/Service.ts"
import { Sources, sourcesService } from "./support/Sources.ts"

/** An account, and a stranger who gives claimable balances of lumens to it. */
const Stranger = Effect.gen(function*() {
  const { on } = yield* Service
  const { destination, source } = yield* on(Pair())
  const stranger = Keypair.random()
  yield* on(fund("100", stranger))
  const claimants = [new Claimant(source.publicKey())]
  const give = (amount: string) =>
    on(perform("the stranger gives", {
      as: stranger,
      operations: [Operation.createClaimableBalance({ asset: Asset.native(), amount, claimants })]
    }))
  /** A new sponsor of the balance, which changes only the ledger of its last modification. */
  const handsOver = (balanceId: string) =>
    Effect.gen(function*() {
      const sponsor = Keypair.random()
      yield* on(fund("100", sponsor))
      yield* on(perform("the stranger hands the sponsorship over", {
        as: sponsor,
        signedBy: [sponsor, stranger],
        operations: [
          Operation.beginSponsoringFutureReserves({ sponsoredId: stranger.publicKey() }),
          Operation.revokeClaimableBalanceSponsorship({ balanceId, source: stranger.publicKey() }),
          Operation.endSponsoringFutureReserves({ source: stranger.publicKey() })
        ]
      }))
      yield* laterLedger
    })
  return { give, handsOver, request: { source: source.publicKey(), destination: destination.publicKey() } }
})

const claimsIn = ({ decisionPoints }: PlanBody) => decisionPoints.filter(({ type }) => type === "claim").map(({ id }) => id)

const idOf = (claim: string | undefined): string => claim?.slice("claim:".length) ?? ""

const given = (request: { readonly source: string; readonly destination: string }, later: Answer) => ({
  ...request,
  decisions: [acknowledges(request.destination), later]
})

/** The common beginning of keys of claimable balances, in base64. */
const claimableBalances = "AAAABA"

/** The contract RPC says that every claimable balance was modified in the newest ledger. */
const rpcLies: Lie = withAnswer("getLedgerEntries", (result) => {
  const entries = result["entries"] as ReadonlyArray<Body>
  const changed = { lastModifiedLedgerSeq: result["latestLedger"] }
  return { ...result, entries: entries.map((one) => (String(one["key"]).startsWith(claimableBalances) ? { ...one, ...changed } : one)) }
})

/** The ledger API reports a newer last modification. */
const apiLies: Lie = (asked, honest) => {
  if (!asked.startsWith("/claimable_balances")) return honest
  const body = honest.body as { readonly _embedded: { readonly records: ReadonlyArray<Body> } }
  const records = body._embedded.records.map((one) => ({ ...one, last_modified_ledger: 1_000_000 }))
  return { ...honest, body: { ...body, _embedded: { records } } }
}

layer(lyingService(), { excludeTestServices: true })("a claimable balance that was there before the plan", (it) => {
  it.effect("is asked about where the plan saw it, though it was modified since, and one that came since is left behind", () =>
    Effect.gen(function*() {
      const { give, handsOver, request } = yield* Stranger
      yield* give("5")
      yield* laterLedger
      const first = yield* plan(request)
      const [seen] = claimsIn(first)
      const later = echo(pointOf(first, "later"), "leave_what_came_later")
      assert.include(later.params?.had ?? [], seen)
      yield* handsOver(idOf(seen))
      yield* give("7")
      yield* laterLedger
      const told = yield* plan(given(request, later))
      assert.deepStrictEqual(claimsIn(told), [seen])
      assert.deepStrictEqual(told.warnings.filter(({ code }) => code === "came_later").map(({ subject }) => subject), [
        "claimable_balances"
      ])
      const { decisions } = given(request, later)
      const answer = echo(pointOf(told, seen ?? ""), "claim")
      const { intent } = yield* offered({ ...request, decisions: [...decisions, answer] })
      assert.lengthOf(intent.operations.filter(({ type }) => type === "claim_claimable_balance"), 1)
    }))

  it.effect("is asked about where a single source says that it was modified since, and the plan did not see it", () =>
    Effect.gen(function*() {
      const { give, request } = yield* Stranger
      yield* give("5")
      yield* laterLedger
      const first = yield* plan(request)
      const [hidden] = claimsIn(first)
      const later = echo(pointOf(first, "later"), "leave_what_came_later", { had: [] })
      yield* laterLedger
      assert.deepStrictEqual(claimsIn(yield* plan(given(request, later))), [hidden])
      const { api, rpc } = yield* Liars
      for (const [liar, lie] of [[rpc, rpcLies], [api, apiLies]] as const) {
        liar.lie = lie
        const told = yield* plan(given(request, later))
        const built = yield* offered(given(request, later))
        liar.lie = null
        assert.deepStrictEqual(claimsIn(told), [hidden])
        assert.deepStrictEqual(told.warnings.filter(({ code }) => code === "came_later"), [])
        // Lumens are claimed unless an answer leaves them behind.
        const claimed = built.intent.operations.flatMap((one) => (one.type === "claim_claimable_balance" ? [`claim:${one.balanceId}`] : []))
        assert.deepStrictEqual(claimed, [hidden])
      }
    }))

  it.effect("is asked about where the plan saw more than it could name, though it was modified since", () =>
    Effect.gen(function*() {
      const { give, handsOver, request } = yield* Stranger
      yield* give("5")
      yield* laterLedger
      const first = yield* plan(request)
      const [unnamed] = claimsIn(first)
      const had = Array.from({ length: 4000 }, (_, at) => `claim:${at.toString(16).padStart(72, "0")}`)
      const full = echo(pointOf(first, "later"), "leave_what_came_later", { had })
      yield* handsOver(idOf(unnamed))
      assert.deepStrictEqual(claimsIn(yield* plan(given(request, full))), [unnamed])
    }))
})

layer(sourcesService(1), { excludeTestServices: true })("a claimable balance that the contract RPC has not reached", (it) => {
  /** The plan, and the answer that leaves behind what came after it. */
  const planned = Effect.gen(function*() {
    const { give, request } = yield* Stranger
    yield* laterLedger
    const later = echo(pointOf(yield* plan(request), "later"), "leave_what_came_later", { maxLumensEach: "1" })
    return { give, request, later }
  })
  /** Runs work while the contract RPC is a ledger behind the one in which the stranger gives. */
  const behind = <A, E, R>(given: Effect.Effect<unknown, E, R>, work: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Sources, ([rpc]) => rpc!.stuck(Effect.zipRight(given, work)))

  it.effect("is left behind like one that it has, where it came after the plan", () =>
    Effect.gen(function*() {
      const { give, later, request } = yield* planned
      const built = yield* behind(give("0.0000001"), offered(given(request, later)))
      assert.deepStrictEqual(built.covers, ["MERGE"])
      const told = yield* behind(give("0.0000001"), plan(given(request, later)))
      assert.deepInclude(told.warnings.find(({ code }) => code === "came_later"), { subject: "claimable_balances" })
    }))

  it.effect("is not merged over without that answer, nor where it is worth more than the answer leaves, nor where the plan saw it", () =>
    Effect.gen(function*() {
      const { give, later, request } = yield* planned
      const lagging = { status: 503, code: "contract_rpc_lagging" }
      const decisions = [acknowledges(request.destination)]
      assert.deepInclude(yield* behind(give("0.0000001"), refusal("next", { ...request, decisions })), lagging)
      assert.deepInclude(yield* behind(give("1.0000001"), refusal("next", given(request, later))), lagging)
      const seen = Effect.gen(function*() {
        const { body } = yield* (yield* Service).call<Schema.Schema.Encoded<typeof AccountState>>(
          "GET",
          `/testnet/account/${request.source}`
        )
        const had = body.claimableBalances.map(({ id }) => `claim:${id}`)
        assert.isNotEmpty(had)
        return yield* refusal("next", given(request, { ...later, params: { ...later.params, had } }))
      })
      assert.deepInclude(yield* behind(give("0.0000001"), seen), lagging)
    }))
})

/** This many claimable balances of one lumen each, and one of 5 lumens among them. */
const withDust = (state: LedgerState, to: string, count: number): LedgerState => {
  const entryOf = (at: number, amount: bigint): xdr.LedgerEntry => {
    const hash = Buffer.alloc(32)
    hash.writeUInt32BE(at, 0)
    const key = claimableBalanceKey(`00000000${hash.toString("hex")}`)
    if (key.type !== "claimableBalance") throw new Error("not the key of a claimable balance")
    return new xdr.LedgerEntry({
      lastModifiedLedgerSeq: state.header.ledgerSeq,
      data: xdr.LedgerEntryData.claimableBalance(
        new xdr.ClaimableBalanceEntry({
          balanceId: key.claimableBalance.balanceId,
          claimants: [
            xdr.Claimant.claimantTypeV0(
              new xdr.ClaimantV0({
                destination: Keypair.fromPublicKey(to).xdrPublicKey(),
                predicate: xdr.ClaimPredicate.claimPredicateUnconditional()
              })
            )
          ],
          asset: Asset.native().toXdrObject(),
          amount,
          ext: xdr.ClaimableBalanceEntryExt.v0()
        })
      ),
      ext: xdr.LedgerEntryExt.v0()
    })
  }
  return state.set(Array.from({ length: count }, (_, at) => entryOf(at, at === Math.floor(count / 2) ? 50_000_000n : BigInt(at + 1))))
}

layer(lyingService(), { excludeTestServices: true })("more than four thousand things that a plan saw", (it) => {
  it.effect.runIf(isThorough)("are named as far as there is room, the dearest first", () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      const { request } = yield* Stranger
      yield* sandbox.amend((state) => withDust(state, request.source, 4_010))
      yield* laterLedger
      // A busy machine may not list all of them within ten seconds; the plan then carries a warning.
      const all = yield* Effect.repeat(plan(request), {
        until: ({ warnings }) => warnings.every(({ code }) => code !== "candidates_dropped"),
        times: 3
      })
      const { had = [] } = pointOf(all, "later").options[0]?.params ?? {}
      assert.lengthOf(had, 4_000)
      const places = had.map((id) => Number.parseInt(idOf(id).slice(8, 16), 16))
      assert.include(places, 2_005)
      assert.deepStrictEqual(places.filter((at) => at < 10), [], "the ten smallest have no room")
    }), 120_000)
})
