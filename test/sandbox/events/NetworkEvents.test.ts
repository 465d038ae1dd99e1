import { assert, it } from "@effect/vitest"
import { Asset, AuthClawbackEnabledFlag, AuthRequiredFlag, AuthRevocableFlag, Keypair, Operation, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { assetId } from "../../../src/ledger/Asset.ts"
import { addressOf } from "../../../src/sandbox/AssetName.ts"
import { AuthorizationGranted } from "../../../src/sandbox/events/AuthorizationGranted.ts"
import { AuthorizationRevoked } from "../../../src/sandbox/events/AuthorizationRevoked.ts"
import { BalanceClawedBack } from "../../../src/sandbox/events/BalanceClawedBack.ts"
import { EntryArchived } from "../../../src/sandbox/events/EntryArchived.ts"
import { OfferCrossed } from "../../../src/sandbox/events/OfferCrossed.ts"
import { PaymentReceived } from "../../../src/sandbox/events/PaymentReceived.ts"
import { ReserveRaised } from "../../../src/sandbox/events/ReserveRaised.ts"
import { indexOf } from "../../../src/sandbox/LedgerIndex.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { DemoAccount } from "../../../src/sandbox/scenarios/DemoAccount.ts"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { get, post, startWithClients } from "../Clients.ts"
import { signedEnvelope } from "../Envelopes.ts"

const onNetwork = Effect.provide(Network.layer())

const index = Effect.flatMap(Network, ({ snapshot }) => Effect.map(snapshot, ({ state }) => indexOf(state)))

const lineOf = (holder: string, asset: Asset) =>
  Effect.map(index, ({ trustlines }) => {
    const id = assetId(asset.toXdrObject())
    return (trustlines.get(holder) ?? []).find(({ body }) => assetId(body.asset) === id)?.body
  })

const named = (asset: Asset) => `${asset.getCode()}:${asset.getIssuer()}`

/** An asset whose issuer has all powers over it, and a holder of ten. */
const regulated = Effect.gen(function*() {
  const [holder, issuer] = [Keypair.random(), Keypair.random()]
  yield* fund("100", holder, issuer)
  const asset = new Asset("REG", issuer.publicKey())
  yield* perform("issue", {
    as: issuer,
    signedBy: [issuer, holder],
    operations: [
      Operation.setOptions({ setFlags: AuthRevocableFlag }),
      Operation.setOptions({ setFlags: AuthClawbackEnabledFlag }),
      Operation.changeTrust({ asset, source: holder.publicKey() }),
      Operation.payment({ asset, amount: "10", destination: holder.publicKey() })
    ]
  })
  return { asset, holder: holder.publicKey(), issuer }
})

it.effect("an offer is crossed by a stranger, those before it first", () =>
  Effect.gen(function*() {
    const { assets, maker, source } = yield* DemoAccount
    const mine = (yield* index).offers.find(({ body }) => addressOf(body.sellerId) === source.publicKey() && body.price.n === 3)
    assert(mine !== undefined)
    const before = yield* lineOf(source.publicKey(), assets.booked)
    const { ledger, transaction } = yield* new OfferCrossed({ offer: mine.body.offerId.toString(), amount: "15" }).happen()
    const { history } = yield* (yield* Network).snapshot
    assert.deepStrictEqual([ledger, transaction], [history.latest.sequence, history.latest.transactions[0]?.facts.hash])
    const after = yield* index
    assert.strictEqual(after.offers.find(({ body }) => body.offerId === mine.body.offerId)?.body.amount, 5_0000000n)
    assert.strictEqual((yield* lineOf(source.publicKey(), assets.booked))?.balance, (before?.balance ?? 0n) - 15_0000000n)
    const native = Asset.native().toXdrObject().type
    const leftOfMaker = after.offers.filter(({ body }) =>
      body.buying.type === native && assetId(body.selling) === assetId(assets.booked.toXdrObject())
    )
    assert.deepStrictEqual(leftOfMaker.map(({ body }) => body.offerId), [mine.body.offerId])
    assert.isTrue((yield* lineOf(maker.publicKey(), assets.booked)) !== undefined)

    yield* new OfferCrossed({ offer: mine.body.offerId.toString() }).happen()
    assert.isUndefined((yield* index).offers.find(({ body }) => body.offerId === mine.body.offerId))
    const gone = yield* Effect.flip(new OfferCrossed({ offer: mine.body.offerId.toString() }).happen())
    assert.include(gone.message, "no such offer")
  }).pipe(onNetwork))

it.effect("an offer that buys an issued asset is crossed too", () =>
  Effect.gen(function*() {
    const { source } = yield* DemoAccount
    const { offers } = yield* index
    const mine = offers.filter(({ body }) => body.buying.type !== "assetTypeNative" && body.selling.type === "assetTypeNative")
    assert.isAbove(mine.length, 3)
    for (const { body } of mine) {
      const there = (yield* index).offers.some(({ body: { offerId } }) => offerId === body.offerId)
      if (there) yield* new OfferCrossed({ offer: body.offerId.toString() }).happen()
    }
    const left = (yield* index).offers.filter(({ body }) => mine.some((one) => one.body.offerId === body.offerId))
    assert.deepStrictEqual(left, [])
    assert.isTrue((yield* index).accounts.has(source.publicKey()))
  }).pipe(onNetwork))

it.effect("authorization is taken and given, whether or not the issuer had reserved the right", () =>
  Effect.gen(function*() {
    const { assets, maker } = yield* DemoAccount
    const flags = (holder: string, asset: Asset) => Effect.map(lineOf(holder, asset), (line) => line?.flags)
    const holder = maker.publicKey()
    assert.strictEqual(yield* flags(holder, assets.booked), 1)
    yield* new AuthorizationRevoked({ holder, asset: named(assets.booked), maintain: true }).happen()
    assert.strictEqual(yield* flags(holder, assets.booked), 2)
    const offersOfMaker = Effect.map(index, ({ offers }) => offers.length)
    const before = yield* offersOfMaker
    yield* new AuthorizationRevoked({ holder, asset: named(assets.booked) }).happen()
    assert.strictEqual(yield* flags(holder, assets.booked), 0)
    assert.isBelow(yield* offersOfMaker, before)
    yield* new AuthorizationRevoked({ holder, asset: named(assets.pooled) }).happen()
    const { claimableBalances, pools } = yield* index
    assert.lengthOf(pools, 0)
    assert.deepStrictEqual(
      claimableBalances.map(({ body }) => body.amount).toSorted((left, right) => (left < right ? -1 : 1)),
      [10_000_0000000n, 20_000_0000000n]
    )
    yield* new AuthorizationGranted({ holder, asset: named(assets.booked) }).happen()
    assert.strictEqual(yield* flags(holder, assets.booked), 1)
    const nobody = yield* Effect.flip(
      new AuthorizationGranted({ holder: Keypair.random().publicKey(), asset: named(assets.booked) }).happen()
    )
    assert.include(nobody.message, "op_no_trust")
  }).pipe(onNetwork))

it.effect("a balance is clawed back where the line allows it", () =>
  Effect.gen(function*() {
    const { asset, holder } = yield* regulated
    const balance = Effect.map(lineOf(holder, asset), (line) => line?.balance)
    yield* new BalanceClawedBack({ holder, asset: named(asset), amount: "4" }).happen()
    assert.strictEqual(yield* balance, 6_0000000n)
    yield* new BalanceClawedBack({ holder, asset: named(asset) }).happen()
    assert.strictEqual(yield* balance, 0n)
    const { assets, source } = yield* DemoAccount
    const refused = yield* Effect.flip(new BalanceClawedBack({ holder: source.publicKey(), asset: named(assets.booked) }).happen())
    assert.include(refused.message, "not_clawback_enabled")
    const none = yield* Effect.flip(new BalanceClawedBack({ holder: source.publicKey(), asset: named(asset) }).happen())
    assert.include(none.message, "no such trustline")
  }).pipe(onNetwork))

it.effect("a unit arrives, of lumens or of an asset that asks for authorization", () =>
  Effect.gen(function*() {
    const { asset, holder, issuer } = yield* regulated
    const lumens = Effect.map(index, ({ accounts }) => accounts.get(holder)?.body.balance ?? 0n)
    const before = yield* lumens
    yield* new PaymentReceived({ holder, asset: "native" }).happen()
    assert.strictEqual(yield* lumens, before + 1n)
    yield* new PaymentReceived({ holder, asset: named(asset) }).happen()
    yield* new PaymentReceived({ holder, asset: named(asset), amount: "2.5" }).happen()
    assert.strictEqual((yield* lineOf(holder, asset))?.balance, 12_5000001n)
    yield* perform("ask for authorization", { as: issuer, operations: [Operation.setOptions({ setFlags: AuthRequiredFlag })] })
    yield* new AuthorizationRevoked({ holder, asset: named(asset) }).happen()
    const refused = yield* Effect.flip(new PaymentReceived({ holder, asset: named(asset) }).happen())
    assert.include(refused.message, "op_not_authorized")
    yield* new AuthorizationGranted({ holder, asset: named(asset) }).happen()
    yield* new PaymentReceived({ holder, asset: named(asset) }).happen()
  }).pipe(onNetwork))

it.effect("the base reserve is raised", () =>
  Effect.gen(function*() {
    const { ledger } = yield* new ReserveRaised({ baseReserve: 10_000_000 }).happen()
    const { history, state } = yield* (yield* Network).snapshot
    assert.deepStrictEqual([history.latest.sequence, history.latest.header.baseReserve, state.header.baseReserve], [
      ledger,
      10_000_000,
      10_000_000
    ])
  }).pipe(onNetwork))

it.effect("a contract entry is archived", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const contract = xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(new Uint8Array(32).fill(1)))
    const [key, durability] = [xdr.ScVal.scvSymbol("kept"), xdr.ContractDataDurability.persistent]
    const ledgerKey = xdr.LedgerKey.contractData(new xdr.LedgerKeyContractData({ contract, key, durability }))
    const keyHash = createHash("sha256").update(ledgerKey.toXdr()).digest()
    const archived = new EntryArchived({ key: ledgerKey.toXdr("base64") })
    assert.include((yield* Effect.flip(archived.happen())).message, "no such entry")
    const entries = [
      xdr.LedgerEntryData.contractData(
        new xdr.ContractDataEntry({ ext: xdr.ExtensionPoint.v0(), contract, key, durability, val: xdr.ScVal.scvVoid() })
      ),
      xdr.LedgerEntryData.ttl(new xdr.TtlEntry({ keyHash, liveUntilLedgerSeq: 1000 }))
    ].map((data) => new xdr.LedgerEntry({ lastModifiedLedgerSeq: 1, data, ext: xdr.LedgerEntryExt.v0() }))
    yield* network.amend((state) => state.set(entries))
    const { ledger } = yield* archived.happen()
    const { state } = yield* network.snapshot
    const ttl = state.get(xdr.LedgerKey.ttl(new xdr.LedgerKeyTtl({ keyHash })))
    assert.isTrue(ttl?.data.type === "ttl" && ttl.data.ttl.liveUntilLedgerSeq === ledger - 1)
  }).pipe(onNetwork))

it.effect("what is pending meets what happened before it", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const { destination, source } = yield* FundedPair
    const envelope = yield* signedEnvelope(source, [Operation.accountMerge({ destination: destination.publicKey() })])
    assert.strictEqual((yield* network.submit(envelope)).verdict, "pending")
    yield* new PaymentReceived({ holder: source.publicKey(), asset: "native" }).happen()
    const { transactions } = yield* network.closeLedger()
    assert.lengthOf(transactions, 1)
    const { accounts } = yield* index
    assert.isFalse(accounts.has(source.publicKey()))
    assert.strictEqual(accounts.get(destination.publicKey())?.body.balance, 200_0000000n - 100n + 1n)
  }).pipe(Effect.provide(Network.layer({ closeOnSubmit: false }))))

it.scopedLive("events are let happen over HTTP, and refused with a reason", () =>
  Effect.gen(function*() {
    const { ledgerApiUrl, on } = yield* startWithClients()
    const { source } = yield* on(FundedPair)
    const happen = (event: object) => post(`${ledgerApiUrl}/sandbox/events`, JSON.stringify({ event }))
    const paid = yield* happen({ _tag: "PaymentReceived", holder: source.publicKey(), asset: "native" })
    assert.strictEqual(paid.status, 200)
    const found = yield* get(`${ledgerApiUrl}/transactions/${JSON.parse(paid.text).transaction}`)
    assert.strictEqual(JSON.parse(found.text).ledger, JSON.parse(paid.text).ledger)
    const refused = yield* happen({ _tag: "OfferCrossed", offer: "12" })
    assert.strictEqual(refused.status, 409)
    assert.include(refused.text, "no such offer")
    for (
      const wrong of [
        { _tag: "Nothing" },
        { _tag: "PaymentReceived", holder: "G", asset: "native" },
        { _tag: "PaymentReceived", holder: source.publicKey(), asset: "native", amount: "0" },
        { _tag: "BalanceClawedBack", holder: source.publicKey(), asset: "native" },
        { _tag: "EntryArchived", key: "AAAA" },
        { _tag: "ReserveRaised", baseReserve: 0.5 }
      ]
    ) {
      assert.strictEqual((yield* happen(wrong)).status, 400, JSON.stringify(wrong))
    }
  }))
