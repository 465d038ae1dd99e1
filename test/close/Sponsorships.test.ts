import { assert } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { showAmount } from "../../src/domain/Amount.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { acknowledges, answersTo, echo, pointOf } from "./support/Answering.ts"
import { next, offered, plan, refusal, submit } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { accountOf, lumensOf } from "./support/LedgerView.ts"
import { Service } from "./support/Service.ts"
import { decoded, signed } from "./support/Signing.ts"

/** The source sponsors the entries that the ward's operations create. */
const Sponsoring = (source: Keypair, ward: Keypair, ...operations: ReadonlyArray<xdr.Operation>) =>
  perform("the source sponsors its ward", {
    as: source,
    operations: [
      Operation.beginSponsoringFutureReserves({ sponsoredId: ward.publicKey() }),
      ...operations,
      Operation.endSponsoringFutureReserves({ source: ward.publicKey() })
    ],
    signedBy: [source, ward]
  })

const everyKind = (ward: Keypair, asset: Asset) => [
  Operation.changeTrust({ asset, source: ward.publicKey() }),
  Operation.manageData({ name: "a:name", value: "entry", source: ward.publicKey() }),
  Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "1", price: "1", source: ward.publicKey() }),
  Operation.setOptions({ signer: { ed25519PublicKey: Keypair.random().publicKey(), weight: 1 }, source: ward.publicKey() })
]

/** Base reserves that an account pays for others, and others for it. */
const counts = (account: xdr.AccountEntry | null) => {
  const v2 = account?.ext.type === "v1" && account.ext.v1.ext.type === "v2" ? account.ext.v1.ext.v2 : null
  return [v2?.numSponsoring ?? 0, v2?.numSponsored ?? 0]
}

layer(Service.layer(), { excludeTestServices: true })("a close of a sponsor", (it) => {
  it.effect("gives up every kind of entry by itself where the owner can pay", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { source: ward } = yield* on(Pair())
      const issuer = Keypair.random()
      yield* on(fund("10", issuer))
      yield* on(Sponsoring(source, ward, ...everyKind(ward, new Asset("USD", issuer.publicKey()))))
      const asked = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
      const points = asked.decisionPoints.filter(({ type }) => type === "sponsorship")
      assert.deepStrictEqual(
        points.map(({ default: choice, required }) => ({ choice, required })),
        Array.from({ length: 4 }, () => ({ choice: "revoke" as const, required: false }))
      )
      const { plan: ready, received, rounds } = yield* closeThrough({ source, destination })
      assert.lengthOf(rounds, 1)
      assert.strictEqual(ready.steps.filter(({ type }) => type === "REVOKE_SPONSORSHIP").length, 4)
      assert.strictEqual(showAmount(received), ready.estimate.receivedLumens)
      assert.deepStrictEqual(counts(yield* accountOf(ward)), [0, 0])
    }))

  it.effect("pays an owner exactly what it lacks, over all its entries, when the answer says so", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const ward = Keypair.random()
      yield* on(
        Sponsoring(
          source,
          ward,
          Operation.createAccount({ destination: ward.publicKey(), startingBalance: "0.2" }),
          Operation.manageData({ name: "entry", value: "1", source: ward.publicKey() })
        )
      )
      const asked = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
      const points = asked.decisionPoints.filter(({ type }) => type === "sponsorship")
      assert.deepStrictEqual(
        points.map(({ options }) => options.map(({ id }) => id)),
        Array.from({ length: 2 }, () => ["top_up_then_revoke", "transfer_sponsorship"])
      )
      assert.deepStrictEqual(points.map(({ options }) => options[0]?.params?.maxLumens), ["1.3000000", "1.3000000"])
      assert.isTrue(points.every(({ required }) => required))
      const { plan: ready, received, rounds } = yield* closeThrough({ source, destination })
      assert.lengthOf(rounds, 1)
      assert.strictEqual(showAmount(received), ready.estimate.receivedLumens)
      assert.strictEqual(yield* lumensOf(ward), 1_5000000n)
    }))

  it.effect("refuses a top-up beyond the lumens that were agreed", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const ward = Keypair.random()
      yield* on(Sponsoring(source, ward, Operation.createAccount({ destination: ward.publicKey(), startingBalance: "0" })))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      const point = pointOf(asked, `sponsorship:account:${ward.publicKey()}`)
      const short = yield* refusal("next", {
        ...request,
        decisions: [acknowledges(request.destination), echo(point, "top_up_then_revoke", { maxLumens: "0.9999999" })]
      })
      assert.deepInclude(short, { status: 409, code: "plan_changed" })
      const defaulted = yield* refusal("next", {
        ...request,
        decisions: [acknowledges(request.destination), { id: point.id, choice: "revoke" }]
      })
      assert.deepInclude(defaulted, { status: 409, code: "plan_changed" })
    }))

  it.effect("hands a claimable balance over to a sponsor who signs too, and is blocked before", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const [claimant, taker] = [Keypair.random(), Keypair.random()]
      yield* on(fund("20", claimant, taker))
      yield* on(perform("a balance for somebody else", {
        as: source,
        operations: [
          Operation.createClaimableBalance({
            asset: Asset.native(),
            amount: "3",
            claimants: [new Claimant(claimant.publicKey()), new Claimant(taker.publicKey())]
          })
        ]
      }))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      assert.deepStrictEqual(asked.blockers.map(({ reason }) => reason), ["sponsored_claimable_balance"])
      assert.strictEqual(asked.status, "needs_decisions")
      const point = asked.decisionPoints.find(({ type }) => type === "sponsorship")
      const take = (
        newSponsor: string
      ) => [acknowledges(request.destination), { id: point?.id ?? "", choice: "transfer_sponsorship", params: { newSponsor } }]
      const poor = yield* plan({ ...request, decisions: take(Keypair.random().publicKey()) })
      assert.deepStrictEqual(poor.blockers.map(({ reason }) => reason), ["sponsorship_unaffordable"])
      assert.strictEqual(poor.status, "needs_decisions")
      const decisions = take(taker.publicKey())
      const transaction = yield* offered({ ...request, decisions })
      assert.deepStrictEqual(transaction.signing.map(({ account, level }) => [account, level]), [[source.publicKey(), "high"], [
        taker.publicKey(),
        "med"
      ]])
      const alone = yield* refusal("submit", { signedXdr: yield* signed(transaction, source) })
      assert.deepInclude(alone, { status: 422, code: "bad_signatures" })
      const both = yield* decoded(transaction)
      both.sign(source, taker)
      yield* submit(both.toXdr())
      assert.strictEqual(yield* accountOf(source), null)
      assert.deepStrictEqual(counts(yield* accountOf(taker)), [2, 0])
    }))

  it.effect("claims a balance it sponsors and may claim itself, which ends the sponsorship", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* on(perform("a balance for itself", {
        as: source,
        operations: [
          Operation.createClaimableBalance({ asset: Asset.native(), amount: "3", claimants: [new Claimant(source.publicKey())] })
        ]
      }))
      const { plan: ready, received } = yield* closeThrough({ source, destination })
      assert.deepStrictEqual(ready.steps.map(({ type }) => type), ["CLAIM_BALANCES", "MERGE"])
      assert.strictEqual(showAmount(received), ready.estimate.receivedLumens)
      const answers = answersTo(ready)
      const complete = yield* next({ source: source.publicKey(), destination: destination.publicKey(), decisions: answers })
      assert.strictEqual(complete.status, "complete")
    }))
})
