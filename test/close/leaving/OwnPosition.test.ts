import { assert, it } from "@effect/vitest"
import type { Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, i128, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { withManyPairs } from "../../../src/sandbox/scenarios/PairsEntries.ts"
import { addLiquidity, swapInPair, transferToken } from "../../../src/sandbox/scenarios/PairsMarket.ts"
import { PairsNewcomer } from "../../../src/sandbox/scenarios/PairsNewcomer.ts"
import { xdrBase64 } from "../../../src/xdr/XdrBytes.ts"
import { laterLedger, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo, echo, pointOf } from "../support/Answering.ts"
import { type Asked, type NextBody, offered, plan, refusal, submit } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { type Lie, Sources, sourcesService } from "../support/Sources.ts"

const STROOPS = 10_000_000n

const idOf = (pair: xdr.ScAddress): string => `position:amm_2:${strkeyOf(pair)}:shares`

/** An account that provides 3,000 lumens and as much USDC in a pair, and a provider with far more. */
const Own = Effect.gen(function*() {
  const { on } = yield* Service
  const scene = yield* on(PairsNewcomer)
  const { destination, pairs, provider, source, tokens } = scene
  yield* on(addLiquidity("the account provides lumens and USDC", source, { token: tokens.lumens, amount: 3_000n * STROOPS }, {
    token: tokens.usdc,
    amount: 310n * STROOPS
  }))
  yield* laterLedger
  const share = (amount: bigint) =>
    on(transferToken("a stranger gives shares", provider, { token: pairs.lumensUsdc, amount }, addressOf(source.publicKey())))
  let turn = 0
  /** Others move the price by two per cent, back and forth. */
  const moved = Effect.suspend(() => {
    const [sold, bought, amount] = turn++ % 2 === 0
      ? [tokens.lumens, tokens.usdc, 1_000n] as const
      : [tokens.usdc, tokens.lumens, 100n] as const
    return on(swapInPair("others trade", provider, { token: sold, amount: amount * STROOPS }, bought))
  })
  return {
    ...scene,
    share,
    moved,
    id: idOf(pairs.lumensUsdc),
    request: { source: source.publicKey(), destination: destination.publicKey() }
  }
})

/** The first plan of a request, and the request with its answers and the one that leaves what comes later. */
const leavingLater = (request: Asked) =>
  Effect.map(plan(request), (first) => ({
    first,
    given: { ...request, decisions: [...answersTo(first), echo(pointOf(first, "later"), "leave_what_came_later")] }
  }))

/** The next exit fails on the ledger, because others trade between build and submit. */
const failedOnLedger = (
  { id, moved, source }: { readonly id: string; readonly moved: Effect.Effect<unknown, unknown>; readonly source: Keypair },
  request: Asked
) =>
  Effect.gen(function*() {
    const transaction = yield* offered(request)
    assert.deepStrictEqual([transaction.covers, transaction.coversTargets.map(String).join().includes(id.split(":")[2] ?? "")], [[
      "EXIT_POSITIONS"
    ], true])
    yield* Effect.orDie(moved)
    assert.strictEqual((yield* refusal("submit", { signedXdr: yield* signed(transaction, source) })).code, "transaction_failed")
    yield* laterLedger
  })

it.scopedLive(
  "a position of one's own is not left behind by the answer for what comes later, when a stranger added to it and its exit failed",
  () =>
    Effect.gen(function*() {
      const held = yield* Own
      const { first, given } = yield* leavingLater(held.request)
      assert.deepInclude(pointOf(first, held.id), { required: false, default: "exit" })
      yield* held.share(1n)
      yield* laterLedger
      yield* failedOnLedger(held, given)
      yield* failedOnLedger(held, given)
      const told = yield* plan(given)
      assert.deepInclude(pointOf(told, held.id), { required: true, answered: false, default: null })
      assert.deepStrictEqual(told.warnings.filter(({ code }) => code === "came_later"), [])
      assert.deepInclude(yield* refusal("next", given), { code: "needs_decisions", details: { missing: [held.id] } })
      // The owner's own answer allows one more try.
      const again = { ...given, decisions: [...given.decisions, echo(pointOf(told, held.id), "exit")] }
      assert.deepStrictEqual((yield* offered(again)).covers, ["EXIT_POSITIONS"])
    }).pipe(Effect.provide(serviceOver(["amm_2"]))),
  120_000
)

/** Gifts of one unit in this many pairs of lumens, each with a token of its own, which a stranger opened. */
const many = 22

it.scopedLive(
  "nor by the answer to a question about many that strangers gave: it covers the positions that it names",
  () =>
    Effect.gen(function*() {
      const { passphrase, sandbox } = yield* Service
      const held = yield* Own
      const dust = {
        count: many,
        reserves: [9_000_000n, 10_000_000n],
        supply: 9_486_832n,
        holder: held.request.source,
        shares: 20n
      } as const
      yield* sandbox.amend((state) => withManyPairs(state, passphrase, dust).state)
      yield* laterLedger
      const first = yield* plan(held.request)
      const group = pointOf(first, "positions:amm_2")
      const answer = echo(group, "acknowledge_forfeit")
      assert.lengthOf(answer.params?.ids ?? [], many)
      assert.notInclude(answer.params?.ids ?? [], held.id)
      const decisions = [...answersTo(first).filter(({ id }) => id !== group.id), answer]
      const given = { ...held.request, decisions }
      const ready = yield* plan(given)
      assert.deepStrictEqual([ready.status, pointOf(ready, held.id).required], ["ready", false])
      yield* failedOnLedger(held, given)
      yield* failedOnLedger(held, given)
      const told = yield* plan(given)
      assert.deepInclude(pointOf(told, held.id), { required: true, answered: false })
      assert.deepInclude(pointOf(told, group.id), { required: true, answered: true })
      assert.deepInclude(yield* refusal("next", given), { code: "needs_decisions", details: { missing: [held.id] } })
    }).pipe(Effect.provide(serviceOver(["amm_2"]))),
  120_000
)

it.scopedLive(
  "shares that a stranger gives in every ledger delay nothing, also in the pair that the account itself leaves meanwhile",
  () =>
    Effect.gen(function*() {
      const held = yield* Own
      const first = yield* plan(held.request)
      const later = echo(pointOf(first, "later"), "leave_what_came_later")
      assert.include(later.params?.had ?? [], held.id)
      const decisions = [...answersTo(first, "convert_to_native"), later]
      const given = { ...held.request, decisions }
      const covered: Array<string> = []
      while ((yield* accountOf(held.source)) !== null) {
        yield* held.share(200_000n)
        yield* laterLedger
        const transaction = yield* offered(given)
        yield* held.share(200_000n)
        yield* submit(yield* signed(transaction, held.source))
        covered.push(transaction.covers.join("+"))
        assert.isBelow(covered.length, 6)
      }
      assert.deepStrictEqual([covered[0], covered.length], ["EXIT_POSITIONS", 2])
    }).pipe(Effect.provide(serviceOver(["amm_2"]))),
  120_000
)

/** The common beginning of keys of contract entries, in base64. */
const contractData = "AAAABg"

/** Reports that every entry of a contract changed in the newest ledger. */
const liesOfLedgers: Lie = (method, result) => {
  if (method !== "getLedgerEntries") return result
  const entries = result["entries"] as ReadonlyArray<Record<string, unknown>>
  const changed = { lastModifiedLedgerSeq: result["latestLedger"] }
  return { ...result, entries: entries.map((entry) => (String(entry["key"]).startsWith(contractData) ? { ...entry, ...changed } : entry)) }
}

/** The same, and that every call fails. */
const liesOfChange: Lie = (method, result, params) => {
  if (method === "getLedgerEntries") return liesOfLedgers(method, result, params)
  return method === "simulateTransaction"
    ? { error: "HostError: Error(WasmVm, InvalidAction)", latestLedger: result["latestLedger"], events: [] }
    : result
}

/** Reports that more moved in every event than anyone holds. */
const liesOfAmounts: Lie = (method, result) => {
  if (method !== "getEvents") return result
  const events = result["events"] as ReadonlyArray<Record<string, unknown>>
  return { ...result, events: events.map((event) => ({ ...event, value: xdrBase64(i128(10n ** 16n)) })) }
}

it.scopedLive(
  "nor where the only endpoint says that strangers gave all of it since the accepted plan, which saw it",
  () =>
    Effect.gen(function*() {
      const held = yield* Own
      const { given } = yield* leavingLater(held.request)
      yield* held.share(1n)
      yield* laterLedger
      const [liar] = yield* Sources
      const told = yield* liar!.lying(liesOfAmounts, plan(given))
      assert.deepStrictEqual(told.warnings.filter(({ code }) => code === "came_later"), [])
      assert.deepStrictEqual((yield* liar!.lying(liesOfAmounts, offered(given))).covers, ["EXIT_POSITIONS"])
    }).pipe(Effect.provide(sourcesService(1, {}, ["amm_2"]))),
  120_000
)

it.scopedLive.runIf(isThorough)(
  "nor where one of two endpoints says that its entry changed later, and that its exit fails",
  () =>
    Effect.gen(function*() {
      const held = yield* Own
      const { given } = yield* leavingLater(held.request)
      yield* laterLedger
      for (const liar of yield* Sources) {
        const told = yield* liar.lying(liesOfChange, plan(given))
        assert.deepStrictEqual(told.warnings.filter(({ code }) => code === "came_later"), [])
        const { call } = yield* Service
        const { body } = yield* liar.lying(liesOfChange, call<Partial<NextBody>>("POST", "/v1/testnet/close/transactions", given))
        assert.notInclude(body.transactions?.[0]?.covers ?? [], "MERGE")
        assert.deepInclude(yield* liar.lying(liesOfLedgers, refusal("next", given)), { status: 503, code: "sources_disagree" })
      }
      assert.deepStrictEqual((yield* offered(given)).covers, ["EXIT_POSITIONS"])
    }).pipe(Effect.provide(sourcesService(2, {}, ["amm_2"]))),
  120_000
)
