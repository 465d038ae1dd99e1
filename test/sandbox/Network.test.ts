import { assert, it } from "@effect/vitest"
import { Account, Asset, Keypair, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect, Exit, Fiber, Layer, Option, TestClock } from "effect"
import { Friendbot } from "../../src/sandbox/Friendbot.ts"
import { Network, type NetworkOptions } from "../../src/sandbox/Network.ts"
import { sourceAccount } from "../../src/sandbox/network/UnsignedTransaction.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"

const on = (options: Partial<NetworkOptions> = {}) =>
  Effect.provide(Layer.provideMerge(Layer.fresh(Friendbot.layer), Network.layer(options)))

/** A harmless signed transaction of an account, `ahead` numbers past its next one. */
const bump = (keys: Keypair, settings: { ahead?: number; fee?: number; maxTime?: number; minTime?: number } = {}) =>
  Effect.gen(function*() {
    const network = yield* Network
    const { accountId, sequenceNumber } = yield* Effect.map(network.snapshot, (chain) => {
      const account = sourceAccount(chain, keys.publicKey())
      return { accountId: account.accountId(), sequenceNumber: BigInt(account.sequenceNumber()) }
    })
    const source = new Account(accountId, (sequenceNumber + BigInt(settings.ahead ?? 0)).toString())
    const transaction = new TransactionBuilder(source, {
      fee: (settings.fee ?? 100).toString(),
      networkPassphrase: network.passphrase,
      timebounds: { minTime: settings.minTime ?? 0, maxTime: settings.maxTime ?? 0 }
    })
      .addOperation(Operation.bumpSequence({ bumpTo: "0" }))
      .build()
    transaction.sign(keys)
    return transaction
  })

const submit = (transaction: { readonly toEnvelope: () => Parameters<typeof Network.Service.submit>[0] }) =>
  Effect.map(
    Effect.flatMap(Network, (network) => network.submit(transaction.toEnvelope())),
    ({ verdict }) => (typeof verdict === "string" ? verdict : verdict.rejected.result.type)
  )

it.effect("closes a ledger on each accepted transaction, at the clock's time and never before the last", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(1_800_000_000_000)
    const network = yield* Network
    const times = Effect.map(network.snapshot, ({ history }) => [history.latest.sequence, history.latest.closeTime])
    const { source } = yield* FundedPair
    assert.deepStrictEqual(yield* times, [2, 1_800_000_000n])
    for (let count = 0; count < 100; count++) yield* submit(yield* bump(source))
    assert.deepStrictEqual(yield* times, [102, 1_800_000_000n])
    yield* TestClock.adjust("1 minute")
    yield* network.closeLedger()
    assert.deepStrictEqual(yield* times, [103, 1_800_000_060n])
    yield* TestClock.setTime(1_800_000_000_000)
    yield* network.closeLedger()
    assert.deepStrictEqual(yield* times, [104, 1_800_000_060n])
  }).pipe(
    // The network starts before the clock is set: its first ledger is at the epoch.
    on()
  ))

it.effect("runs on from where it was moved to", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(1_800_000_000_000)
    const network = yield* Network
    const closed = Effect.map(network.closeLedger(), ({ closeTime }) => closeTime)
    assert.strictEqual(yield* closed, 1_800_000_000n)
    assert.strictEqual((yield* network.closeLedger({ advanceSeconds: 3600 })).closeTime, 1_800_003_600n)
    assert.strictEqual(yield* closed, 1_800_003_600n)
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(yield* closed, 1_800_003_610n)
    assert.strictEqual((yield* network.closeLedger({ advanceSeconds: 0 })).closeTime, 1_800_003_611n)
    const { source } = yield* FundedPair
    assert.strictEqual(yield* submit(yield* bump(source, { maxTime: 1_800_003_615 })), "txTooLate")
    assert.strictEqual(yield* submit(yield* bump(source, { minTime: 1_800_003_605, maxTime: 1_800_003_700 })), "pending")
  }).pipe(on()))

it.effect("applies what an account does by itself in a ledger of its own", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const { destination, source } = yield* FundedPair
    yield* submit(yield* bump(source))
    const done = yield* network.enact(destination.publicKey(), [
      Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount: "1" })
    ])
    assert.isTrue(done.successful)
    const { history, queue } = yield* network.snapshot
    assert.deepStrictEqual(history.latest.transactions.map(({ facts }) => facts.hash), [done.facts.hash])
    assert.deepStrictEqual(queue.pending.map(({ source }) => source), [source.publicKey()])
    const failed = yield* network.enact(destination.publicKey(), [
      Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount: "5000" })
    ])
    assert.isFalse(failed.successful)
    const stranger = Keypair.random().publicKey()
    const refused = yield* Effect.flip(network.enact(stranger, [Operation.bumpSequence({ bumpTo: "0" })]))
    assert.strictEqual(refused.result.result.type, "txNoAccount")
    assert.lengthOf((yield* network.closeLedger()).transactions, 1)
  }).pipe(on({ closeOnSubmit: false })))

it.effect("remembers how it was a while ago", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const sequence = (ledgers: number) => Effect.map(network.past(ledgers), ({ history }) => history.latest.sequence)
    yield* Effect.replicateEffect(network.closeLedger(), 40)
    assert.deepStrictEqual(yield* Effect.forEach([0, 1, 3, 32, 33, 1000], sequence), [41, 40, 38, 9, 9, 9])
  }).pipe(on()))

it.effect("closes ledgers at an interval", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const before = yield* network.snapshot
    yield* TestClock.adjust("15 seconds")
    const after = yield* network.snapshot
    assert.strictEqual(after.history.latest.sequence, before.history.latest.sequence + 3)
    assert.strictEqual(after.history.latest.closeTime, 15n)
  }).pipe(on({ closeEvery: "5 seconds" })))

it.effect("queues one transaction an account until the ledger closes", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const { destination, source } = yield* FundedPair
    const first = yield* bump(source)
    assert.strictEqual(yield* submit(first), "pending")
    assert.strictEqual(yield* submit(first), "duplicate")
    assert.strictEqual(yield* submit(yield* bump(source, { fee: 300 })), "try_again_later")
    assert.strictEqual(yield* submit(yield* bump(source, { ahead: 1 })), "try_again_later")
    assert.strictEqual(yield* submit(yield* bump(source, { ahead: -1 })), "txBadSeq")
    assert.strictEqual(yield* submit(yield* bump(destination)), "pending")
    const hash = Buffer.from(first.hash()).toString("hex")
    const waiting = yield* Effect.fork(network.outcome(hash))
    yield* Effect.yieldNow()
    assert.isTrue(Option.isNone(yield* Fiber.poll(waiting)))
    const ledger = yield* network.closeLedger()
    assert.lengthOf(ledger.transactions, 2)
    const outcome = yield* Fiber.join(waiting)
    assert.deepStrictEqual(Option.map(outcome, ({ ledger, successful }) => [ledger, successful]), Option.some([ledger.sequence, true]))
    assert.isTrue(Option.isNone(yield* network.outcome("ab".repeat(32))))
    assert.strictEqual(yield* submit(first), "txBadSeq")
  }).pipe(on({ closeOnSubmit: false })))

it.effect("lets a fee bump replace what is pending only at ten times the rate", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const { destination, source } = yield* FundedPair
    const inner = yield* bump(source)
    yield* submit(inner)
    const bumped = (fee: string) => {
      const transaction = TransactionBuilder.buildFeeBumpTransaction(destination, fee, inner, network.passphrase)
      transaction.sign(destination)
      return transaction
    }
    const refused = yield* network.submit(bumped("999").toEnvelope())
    assert.isTrue(typeof refused.verdict !== "string" && refused.verdict.rejected.feeCharged === 2000n)
    assert.strictEqual(yield* submit(bumped("1000")), "pending")
    const { transactions } = yield* network.closeLedger()
    assert.deepStrictEqual(transactions.map(({ facts }) => facts.innerHash), [Buffer.from(inner.hash()).toString("hex")])
  }).pipe(on({ closeOnSubmit: false })))

it.effect("adds up the fees an account owes for what is pending", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const { destination, source } = yield* FundedPair
    const payer = Keypair.random()
    yield* Effect.flatMap(Friendbot, ({ fund }) => Effect.zipRight(Effect.fork(fund(payer.publicKey())), Effect.yieldNow())).pipe(
      Effect.zipRight(network.closeLedger())
    )
    const bumped = Effect.fnUntraced(function*(keys: Keypair) {
      const transaction = TransactionBuilder.buildFeeBumpTransaction(payer, "30000000000", yield* bump(keys), network.passphrase)
      transaction.sign(payer)
      return yield* submit(transaction)
    })
    // Each bid is twice the rate: 10,000 lumens pay for one of 6,000, not two.
    assert.strictEqual(yield* bumped(source), "pending")
    assert.strictEqual(yield* bumped(destination), "txInsufficientBalance")
  }).pipe(on({ closeOnSubmit: false })))

it.effect("judges time bounds from the last close to two ledgers ahead", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(1_800_000_000_000)
    const { source } = yield* FundedPair
    yield* TestClock.adjust("1 hour")
    const now = 1_800_003_600
    assert.strictEqual(yield* submit(yield* bump(source, { maxTime: now + 9 })), "txTooLate")
    assert.strictEqual(yield* submit(yield* bump(source, { minTime: now + 1 })), "txTooEarly")
    assert.strictEqual(yield* submit(yield* bump(source, { minTime: now - 10, maxTime: now + 60 })), "pending")
  }).pipe(on()))

it.effect("drops what has become invalid and refuses it for a while", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const { source } = yield* FundedPair
    const { history } = yield* network.snapshot
    const dated = yield* bump(source, { maxTime: Number(history.latest.closeTime) + 60 })
    assert.strictEqual(yield* submit(dated), "pending")
    const ledger = yield* network.closeLedger({ advanceSeconds: 3600 })
    assert.lengthOf(ledger.transactions, 0)
    const hash = Buffer.from(dated.hash()).toString("hex")
    assert.isTrue(Option.isNone(yield* network.outcome(hash)))
    assert.strictEqual(yield* submit(dated), "try_again_later")
    yield* Effect.replicateEffect(network.closeLedger(), 10)
    assert.strictEqual(yield* submit(dated), "txTooLate")
  }).pipe(on({ closeOnSubmit: false })))

it.effect("keeps lumens and fees in balance", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const { source } = yield* FundedPair
    yield* submit(yield* bump(source))
    const { history, state } = yield* network.snapshot
    let sum = history.latest.header.feePool
    for (const { data } of state.entries()) if (data.type === "account") sum += data.account.balance
    assert.strictEqual(sum, history.latest.header.totalCoins)
    assert.strictEqual(history.latest.header.feePool, 300n)
  }).pipe(on()))

it.effect("amends what no transaction can change", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const { source } = yield* FundedPair
    const ledger = yield* network.amend((state) => state.at({ baseReserve: 10_000_000, ledgerSeq: 99 }))
    assert.deepStrictEqual([ledger.sequence, ledger.header.baseReserve], [3, 10_000_000])
    yield* network.amend((state) => state.delete([accountKey(source.publicKey())]))
    const { state } = yield* network.snapshot
    assert.isUndefined(state.get(accountKey(source.publicKey())))
    assert.strictEqual(state.header.baseReserve, 10_000_000)
  }).pipe(on()))

it.effect("gives up what is pending when a ledger cannot be closed, and goes on", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const { source } = yield* FundedPair
    const before = yield* network.snapshot
    assert.strictEqual(yield* submit(yield* bump(source)), "pending")
    const exit = yield* Effect.exit(network.amend(() => assert.fail("no such ledger")))
    assert.isTrue(Exit.isFailure(exit))
    const after = yield* network.snapshot
    assert.strictEqual(after.history.latest.hash, before.history.latest.hash)
    const ledger = yield* network.closeLedger()
    assert.lengthOf(ledger.transactions, 0)
    assert.strictEqual(yield* submit(yield* bump(source, { fee: 200 })), "pending")
  }).pipe(on({ closeOnSubmit: false })))

it.effect("forgets ledgers and transactions beyond the retention window", () =>
  Effect.gen(function*() {
    const network = yield* Network
    const { source } = yield* FundedPair
    const transaction = yield* bump(source)
    yield* submit(transaction)
    const hash = Buffer.from(transaction.hash()).toString("hex")
    assert.isTrue(Option.isSome((yield* network.snapshot).history.transaction(hash)))
    yield* Effect.replicateEffect(network.closeLedger(), 3)
    const { history } = yield* network.snapshot
    assert.deepStrictEqual([history.oldest.sequence, history.latest.sequence], [4, 6])
    assert.isTrue(Option.isNone(history.transaction(hash)))
    assert.isTrue(Option.isNone(history.ledger(3)))
    assert.deepStrictEqual([...history.from(1)].map(({ sequence }) => sequence), [4, 5, 6])
  }).pipe(on({ retention: 3 })))
