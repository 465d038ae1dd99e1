import { assert, it } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { mostListed } from "../../src/account/Listing.ts"
import { jumping } from "../support/JumpingClock.ts"
import { isThorough } from "../support/Thorough.ts"
import { Pair } from "./support/Accounts.ts"
import { answersTo, echo, pointOf } from "./support/Answering.ts"
import { offered, plan, refusal } from "./support/Client.ts"
import { Service } from "./support/Service.ts"

const idAt = (index: number): Uint8Array => {
  const id = Buffer.alloc(32)
  id.writeUInt32BE(index, 28)
  return id
}

const giftsOf = (count: number, to: Keypair): ReadonlyArray<xdr.LedgerEntry> => {
  const destination = xdr.PublicKey.publicKeyTypeEd25519(to.rawPublicKey())
  const claimants = [
    xdr.Claimant.claimantTypeV0(new xdr.ClaimantV0({ destination, predicate: xdr.ClaimPredicate.claimPredicateUnconditional() }))
  ]
  return Array.from({ length: count }, (_, index) =>
    new xdr.LedgerEntry({
      lastModifiedLedgerSeq: 1,
      data: xdr.LedgerEntryData.claimableBalance(
        new xdr.ClaimableBalanceEntry({
          balanceId: xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(idAt(index)),
          claimants,
          asset: xdr.Asset.assetTypeNative(),
          amount: 1n,
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
