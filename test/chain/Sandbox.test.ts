import { assert, describe, it } from "@effect/vitest"
import { Account, Asset, Keypair, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect, Layer, Option } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { native } from "../../src/domain/Asset.ts"
import { Friendbot } from "../../src/sandbox/Friendbot.ts"
import { layer as inMemory } from "../../src/sandbox/InMemoryTransport.ts"
import { Network, sandboxPassphrase } from "../../src/sandbox/Network.ts"
import { DemoAccount } from "../../src/sandbox/scenarios/DemoAccount.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { assetIdOf } from "../../src/stellar/Assets.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { settings } from "./support/Scripted.ts"

/** The chain room over a sandbox network of its own, without a socket. */
const sandbox = () =>
  LedgerEntries.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(ContractRpc.layer, LedgerApi.layer)),
    Layer.provide([inMemory, settings([new URL("http://sandbox.invalid/rpc")], [new URL("http://sandbox.invalid/")], sandboxPassphrase)]),
    Layer.provide(Friendbot.layer),
    Layer.provideMerge(Network.layer())
  )

const addressOf = (keys: Keypair) => AccountAddress.make(keys.publicKey())

/** A signed payment of a lumen; `skip` leaves sequence numbers out. */
const payment = (from: Keypair, to: Keypair, skip = 0n) =>
  Effect.gen(function*() {
    const { passphrase } = yield* Network
    const entries = yield* LedgerEntries
    const live = Option.getOrThrow(yield* entries.one(accountKey(addressOf(from))))
    const sequence = live.entry?.data.type === "account" ? live.entry.data.account.seqNum + skip : 0n
    const transaction = new TransactionBuilder(new Account(from.publicKey(), sequence.toString()), {
      fee: "100",
      networkPassphrase: passphrase
    })
      .addOperation(Operation.payment({ destination: to.publicKey(), asset: Asset.native(), amount: "1" }))
      .setTimeout(0)
      .build()
    transaction.sign(from)
    return { envelope: transaction.toEnvelope().toXdr("base64"), hash: Buffer.from(transaction.hash()).toString("hex") }
  })

describe("the contract RPC of the sandbox", () => {
  it.effect("tells the newest ledger as its header has it", () =>
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      yield* FundedPair
      const { header } = (yield* (yield* Network).snapshot).state
      const latest = yield* rpc.latestLedger
      assert.deepStrictEqual(
        [latest.sequence, latest.closeTime, latest.protocolVersion, latest.baseFee, latest.baseReserve, latest.idPool, latest.flags],
        [header.ledgerSeq, header.closeTime, header.ledgerVersion, header.baseFee, header.baseReserve, header.idPool, header.flags]
      )
    }).pipe(Effect.provide(sandbox())))

  it.effect("takes a transaction, knows it by its hash, and calls a second copy by its name", () =>
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      const { destination, source } = yield* FundedPair
      const { envelope, hash } = yield* payment(source, destination)
      const before = yield* rpc.transaction(hash)
      assert.strictEqual(before.status, "NOT_FOUND")
      assert.isFalse("ledger" in before)
      const sent = yield* rpc.sendTransaction(envelope)
      assert.deepStrictEqual([sent.status, sent.hash, sent.result, sent.resent], ["PENDING", hash, null, false])
      const after = yield* rpc.transaction(hash)
      if (after.status === "NOT_FOUND") return assert.fail("it is not known")
      assert.strictEqual(after.status, "SUCCESS")
      assert.strictEqual(after.ledger, after.latestLedger)
      assert.strictEqual(after.createdAt, after.latestCloseTime)
      assert.strictEqual(after.result?.result.type, "txSuccess")
      assert.strictEqual(after.envelope?.toXdr("base64"), envelope)
      assert.isAtMost(after.oldestLedger, after.latestLedger)
    }).pipe(Effect.provide(sandbox())))

  it.effect("refuses a stale transaction with its result", () =>
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      const { destination, source } = yield* FundedPair
      const { envelope } = yield* payment(source, destination, 5n)
      const sent = yield* rpc.sendTransaction(envelope)
      assert.strictEqual(sent.status, "ERROR")
      assert.strictEqual(sent.result?.result.type, "txBadSeq")
    }).pipe(Effect.provide(sandbox())))

  it.effect("calls an envelope that does not decode the caller's fault", () =>
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      assert.strictEqual((yield* Effect.flip(rpc.sendTransaction("AAAA")))._tag, "UpstreamUnusable")
      assert.strictEqual((yield* rpc.endpoints)[0]?.health, "healthy")
    }).pipe(Effect.provide(sandbox())))

  it.effect("tells what was paid", () =>
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      yield* FundedPair
      const { classic, soroban } = yield* rpc.feeStats
      assert.isAtLeast(Number(classic.p90), 100)
      assert.isAtLeast(Number(soroban.p90), 0)
    }).pipe(Effect.provide(sandbox())))
})

describe("the ledger API of the sandbox", () => {
  it.effect("tells the same newest ledger", () =>
    Effect.gen(function*() {
      yield* FundedPair
      const { header } = (yield* (yield* Network).snapshot).state
      assert.deepStrictEqual(yield* (yield* LedgerApi).latestLedger, { sequence: header.ledgerSeq, closeTime: header.closeTime })
    }).pipe(Effect.provide(sandbox())))

  it.effect("knows an account as the contract RPC does", () =>
    Effect.gen(function*() {
      const { source } = yield* DemoAccount
      const live = Option.getOrThrow(yield* (yield* LedgerEntries).one(accountKey(addressOf(source))))
      const listed = Option.getOrThrow(yield* (yield* LedgerApi).account(addressOf(source)))
      const account = live.entry?.data.type === "account" ? live.entry.data.account : assert.fail("not an account")
      assert.deepStrictEqual(
        [listed.sequence, listed.lastModifiedLedger, listed.numSubEntries, listed.signers.length, listed.data.size],
        [account.seqNum, live.entry?.lastModifiedLedgerSeq, account.numSubEntries, 3, 5]
      )
      assert.isTrue(Option.isNone(yield* (yield* LedgerApi).account(addressOf(Keypair.random()))))
    }).pipe(Effect.provide(sandbox())))

  it.effect("lists the offers of a seller and of a pair", () =>
    Effect.gen(function*() {
      const api = yield* LedgerApi
      const { assets, maker, source } = yield* DemoAccount
      const booked = assetIdOf(assets.booked.toXdrObject())
      assert.strictEqual((yield* api.offersOf(addressOf(source))).offers.length, 3)
      const book = yield* api.offersBetween(native, booked, 3)
      assert.isTrue(book.complete)
      assert.deepStrictEqual(
        book.offers.map(({ amount, price, seller }) => [seller, amount, price.n, price.d]),
        [
          [addressOf(maker), stroops(20_000_000_000n), 2, 5],
          [addressOf(maker), stroops(20_000_000_000n), 41, 100],
          [addressOf(maker), stroops(20_000_000_000n), 21, 50],
          [addressOf(source), stroops(100_000_000n), 3, 5]
        ]
      )
      assert.deepStrictEqual((yield* api.offersOf(addressOf(Keypair.random()))).offers, [])
    }).pipe(Effect.provide(sandbox())))

  it.effect("finds a way to lumens for what has a market, and none for what has not", () =>
    Effect.gen(function*() {
      const api = yield* LedgerApi
      const { assets } = yield* DemoAccount
      const [best] = yield* api.strictSendPaths(assetIdOf(assets.booked.toXdrObject()), stroops(10_000_000n), native)
      assert.deepStrictEqual([best?.sourceAmount, best?.destinationAmount, best?.path], [stroops(10_000_000n), stroops(25_000_000n), []])
      assert.strictEqual(
        (yield* api.strictSendPaths(assetIdOf(assets.pooled.toXdrObject()), stroops(10_000_000n), native)).length > 0,
        true
      )
      assert.deepStrictEqual(yield* api.strictSendPaths(assetIdOf(assets.stranded.toXdrObject()), stroops(10_000_000n), native), [])
    }).pipe(Effect.provide(sandbox())))

  it.effect("lists what an account sponsors", () =>
    Effect.gen(function*() {
      const api = yield* LedgerApi
      const { destination: sponsor, source: owner } = yield* FundedPair
      const sandwich = (operations: ReadonlyArray<ReturnType<typeof Operation.manageData>>) => ({
        as: sponsor,
        signedBy: [sponsor, owner],
        operations: [
          Operation.beginSponsoringFutureReserves({ sponsoredId: owner.publicKey() }),
          ...operations,
          Operation.endSponsoringFutureReserves({ source: owner.publicKey() })
        ]
      })
      const asset = new Asset("USD", sponsor.publicKey())
      yield* perform(
        "sponsor",
        sandwich([
          Operation.manageData({ name: "a/b", value: "x", source: owner.publicKey() }),
          Operation.changeTrust({ asset, source: owner.publicKey() }),
          Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "1", price: "1", source: owner.publicKey() })
        ])
      )
      const [account] = (yield* api.accountsSponsoredBy(addressOf(sponsor))).accounts
      assert.strictEqual(account?.address, addressOf(owner))
      assert.strictEqual(account?.trustlines[0]?.sponsor, addressOf(sponsor))
      assert.strictEqual((yield* api.offersSponsoredBy(addressOf(sponsor))).offers[0]?.seller, addressOf(owner))
      const data = Option.getOrThrow(yield* api.dataEntry(addressOf(owner), "a/b"))
      assert.deepStrictEqual([data.sponsor, data.value], [addressOf(sponsor), Buffer.from("x").toString("base64")])
      assert.isTrue(Option.isNone(yield* api.dataEntry(addressOf(owner), "nothing")))
    }).pipe(Effect.provide(sandbox())))
})
