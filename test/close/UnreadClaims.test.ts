import { assert, it } from "@effect/vitest"
import { Asset, type Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { mostListed } from "../../src/account/ClaimableListing.ts"
import { BalanceId } from "../../src/domain/Ledger.ts"
import { Latency } from "../../src/sandbox/faults/Connection.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { claimableBalanceKey } from "../../src/xdr/LedgerKeys.ts"
import { jumping } from "../support/JumpingClock.ts"
import { isThorough } from "../support/Thorough.ts"
import { Buyer, Issued, Pair } from "./support/Accounts.ts"
import { answersTo, echo, pointOf } from "./support/Answering.ts"
import { next, offered, plan, refusal } from "./support/Client.ts"
import { Service } from "./support/Service.ts"

const idAt = (index: number): Uint8Array => {
  const id = Buffer.alloc(32)
  id.writeUInt32BE(index, 28)
  return id
}

const balanceAt = (index: number): BalanceId => BalanceId.make(`00000000${Buffer.from(idAt(index)).toString("hex")}`)

/** Claimable balances of one unit each, unless told otherwise, which an account can claim at any time. */
const giftsOf = (count: number, to: Keypair, { amount = 1n, asset = Asset.native(), from = 0 } = {}): ReadonlyArray<xdr.LedgerEntry> => {
  const destination = xdr.PublicKey.publicKeyTypeEd25519(to.rawPublicKey())
  const claimants = [
    xdr.Claimant.claimantTypeV0(new xdr.ClaimantV0({ destination, predicate: xdr.ClaimPredicate.claimPredicateUnconditional() }))
  ]
  return Array.from({ length: count }, (_, index) =>
    new xdr.LedgerEntry({
      lastModifiedLedgerSeq: 1,
      data: xdr.LedgerEntryData.claimableBalance(
        new xdr.ClaimableBalanceEntry({
          balanceId: xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(idAt(from + index)),
          claimants,
          asset: asset.toXdrObject(),
          amount,
          ext: xdr.ClaimableBalanceEntryExt.v0()
        })
      ),
      ext: xdr.LedgerEntryExt.v0()
    }))
}

it.scopedLive.runIf(isThorough)(
  "claimable balances beyond ten thousand are asked about unseen, and nothing is built before they are given up",
  () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { destination, source } = yield* on(Pair("200"))
      yield* sandbox.amend((state) => state.set(giftsOf(mostListed + 1, source)))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      const point = pointOf(asked, "claims_unread")
      assert.deepInclude(point, { type: "claims_unread", required: true, answered: false, default: null })
      // The clock stands still during work, so that no timeout comes before.
      const listed = Number(/^Claimable balances beyond the ([0-9]+) that were listed$/.exec(point.subject)?.[1])
      assert.strictEqual(listed, mostListed, point.subject)
      assert.deepStrictEqual(point.options.map(({ id, needs, params }) => [id, needs, params?.atLeast]), [[
        "i_accept_unread_claims",
        [],
        Math.floor(listed / 2)
      ]])
      const forfeits = answersTo(asked, "forfeit")
      const others = forfeits.filter(({ id }) => id !== point.id)
      assert.deepInclude(yield* refusal("next", { ...request, decisions: others }), {
        code: "needs_decisions",
        details: { missing: ["claims_unread"] }
      })
      const fewer = [...others, echo(point, "i_accept_unread_claims", { atLeast: mostListed + 1 })]
      assert.deepInclude(yield* refusal("next", { ...request, decisions: fewer }), { code: "needs_decisions" })
      assert.deepStrictEqual((yield* offered({ ...request, decisions: forfeits })).covers, ["MERGE"])
    }).pipe(Effect.provide(Layer.provideMerge(Service.layer(), jumping))),
  120_000
)

/** Dust in an asset without a buyer: more than the first pages have, with one good balance behind those. */
const dusty = Effect.gen(function*() {
  const { on, sandbox } = yield* Service
  const { destination, source } = yield* on(Pair("200"))
  const { source: other } = yield* on(Pair("200"))
  const { asset: junk } = yield* on(Issued("JUNK", [other, "10"]))
  const { asset: good } = yield* on(Issued("GOOD", [other, "10"]))
  yield* on(Buyer(good, "10000", "2"))
  const behind = 1300
  yield* sandbox.amend((state) =>
    state.set([
      ...giftsOf(behind, source, { asset: junk }),
      ...giftsOf(1, source, { asset: good, amount: 1000_0000000n, from: behind }),
      ...giftsOf(300, source, { asset: junk, from: behind + 1 }),
      ...giftsOf(1, other, { asset: good, amount: 1000_0000000n, from: behind + 301 })
    ])
  )
  const request = { source: source.publicKey(), destination: destination.publicKey() }
  const asked = yield* plan(request)
  const goodName = `GOOD-${good.getIssuer()}`
  const [claims, sale] = [`claims:${goodName}`, `asset:${goodName}`]
  const unread = { id: "claims_unread", choice: "i_accept_unread_claims", params: { atLeast: 500 } }
  const decisions = [...answersTo(asked, "add_trustline_then_claim", "forfeit"), unread]
  const chosen = [...decisions, echo(pointOf(yield* plan({ ...request, decisions }), sale), "convert_to_native")]
  return {
    request,
    claims,
    claim: `claim:${balanceAt(behind)}`,
    /** A balance that another account can claim, and this one cannot. */
    foreign: `claim:${balanceAt(behind + 301)}`,
    decisions: [...new Map(chosen.map((one) => [one.id, one])).values()],
    /** Makes every page of claimable balances take so long. */
    slowly: (millis: number) =>
      on(
        Effect.flatMap(Network, ({ faults }) =>
          Effect.zipRight(faults.clear(), faults.set({ fault: new Latency({ millis }), rest: "/claimable_balances" })))
      ),
    /** The good balance is gone, as after its claim. */
    gone: sandbox.amend((state) => state.delete([claimableBalanceKey(balanceAt(behind))]))
  }
})

/** Milliseconds a page: the first pages take up all the time there is, or leave some for one more. */
const [slowest, slow] = [2200, 1500]

it.scopedLive(
  "balances of an asset whose claims are answered are not given up with those that were not listed",
  () =>
    Effect.gen(function*() {
      const { claims, decisions, gone, request, slowly } = yield* dusty
      const ready = yield* plan({ ...request, decisions })
      assert.deepStrictEqual([ready.status, ready.unusedDecisions], ["ready", ["claims_unread"]])

      yield* slowly(slow)
      const { covers } = yield* offered({ ...request, decisions })
      assert.includeMembers([...covers], ["CLAIM_BALANCES", "MERGE"])

      yield* slowly(slowest)
      const unlisted = yield* plan({ ...request, decisions })
      assert.strictEqual(unlisted.status, "needs_decisions")
      const { answered, options } = pointOf(unlisted, "claims_unread")
      assert.isFalse(answered)
      assert.include(options[0]?.note, `that these answers claim: ${claims}.`)
      assert.notInclude(unlisted.unusedDecisions, claims)
      assert.deepInclude(yield* refusal("next", { ...request, decisions }), {
        status: 409,
        code: "plan_changed",
        details: { planHash: null, changes: [{ kind: "facts", subject: claims }] }
      })
      const without = decisions.filter(({ id }) => id !== claims)
      assert.deepStrictEqual((yield* offered({ ...request, decisions: without })).covers, ["MERGE"])

      yield* gone
      yield* slowly(slow)
      const last = yield* next({ ...request, decisions })
      assert.deepStrictEqual(last.transactions.map((one) => one.covers), [["MERGE"]])
      assert.include(last.unusedDecisions, claims)
    }).pipe(Effect.provide(Layer.provideMerge(Service.layer(), jumping))),
  120_000
)

it.scopedLive("a balance whose claim is answered by its id is claimed though it was not listed", () =>
  Effect.gen(function*() {
    const { claim, claims, decisions: all, foreign, gone, request, slowly } = yield* dusty
    const named = [claim, foreign].map((id) => ({ id, choice: "add_trustline_then_claim" }))
    const decisions = [...all.filter(({ id }) => id !== claims), ...named]
    yield* slowly(slowest)
    const seen = pointOf(yield* plan({ ...request, decisions }), "later").options[0]?.params?.had ?? []
    assert.deepStrictEqual([seen.includes(claim), seen.includes(foreign)], [true, false])
    const { transactions: [first], unusedDecisions } = yield* next({ ...request, decisions })
    const { covers, intent } = first!
    assert.deepStrictEqual(unusedDecisions, [foreign])
    assert.includeMembers([...covers], ["CLAIM_BALANCES", "MERGE"])
    assert.lengthOf(intent.operations.filter(({ type }) => type === "claim_claimable_balance"), 1)

    yield* gone
    const last = yield* next({ ...request, decisions })
    assert.deepStrictEqual(last.transactions.map((one) => one.covers), [["MERGE"]])
    assert.include(last.unusedDecisions, claim)
  }).pipe(Effect.provide(Layer.provideMerge(Service.layer(), jumping))), 120_000)
