import { assert, describe, it } from "@effect/vitest"
import { Account, Keypair, Networks, Operation, StrKey, type Transaction, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { FastCheck } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { atOnce } from "../../src/chain/pace/Turns.ts"
import { minimalSignatures, needsOf, signersNeeded } from "../../src/close/submit/SignatureSet.ts"
import { checkTransaction } from "../../src/ledger/Check.ts"
import { LedgerState } from "../../src/ledger/LedgerState.ts"
import { readTransaction } from "../../src/ledger/Transaction.ts"
import { addressOf } from "../../src/stellar/Names.ts"

const passphrase = Networks.TESTNET

const accountEntry = (master: Keypair, thresholds: ReadonlyArray<number>, signers: ReadonlyArray<xdr.Signer>): xdr.AccountEntry =>
  new xdr.AccountEntry({
    accountId: xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(master.publicKey())),
    balance: 100_0000000n,
    seqNum: 7n,
    numSubEntries: signers.length,
    inflationDest: null,
    flags: 0,
    homeDomain: "",
    thresholds: new Uint8Array(thresholds),
    signers: [...signers],
    ext: xdr.AccountEntryExt.v0()
  })

const keySigner = (key: Keypair, weight: number) =>
  new xdr.Signer({ key: xdr.SignerKey.signerKeyTypeEd25519(StrKey.decodeEd25519PublicKey(key.publicKey())), weight })

const merge = (source: Keypair): Transaction =>
  new TransactionBuilder(new Account(source.publicKey(), "7"), { fee: "100", networkPassphrase: passphrase })
    .addOperation(Operation.accountMerge({ destination: Keypair.random().publicKey() }))
    .setTimeout(0)
    .build()

/** One operation of each threshold level, all valid on the ledger. */
const ofLevel = {
  low: Operation.bumpSequence({ bumpTo: "9" }),
  medium: Operation.manageData({ name: "a", value: "1" }),
  high: Operation.setOptions({ masterWeight: 1 })
}

/** A transaction of these operations, valid except for its signatures. */
const performing = (source: Keypair, operations: ReadonlyArray<xdr.Operation>, extraSigners: ReadonlyArray<Keypair> = []): Transaction => {
  const builder = new TransactionBuilder(new Account(source.publicKey(), "7"), { fee: "100", networkPassphrase: passphrase })
  for (const operation of operations) builder.addOperation(operation)
  return builder.setTimeout(0).setExtraSigners(extraSigners.map((key) => key.publicKey())).build()
}

const judge = (transaction: Transaction, entry: xdr.AccountEntry) => {
  const read = readTransaction(transaction.toEnvelope(), passphrase)
  return atOnce(minimalSignatures(read, transaction.signatures, needsOf(read, new Map([[transaction.source, entry]]))))
}

/** Whether the ledger itself accepts exactly these signatures. */
const ledgerTakes = (transaction: Transaction, entry: xdr.AccountEntry, signatures: ReadonlyArray<xdr.DecoratedSignature>): boolean => {
  const header = { ledgerVersion: 28, ledgerSeq: 10, closeTime: 100n, baseFee: 100, baseReserve: 5_000_000, idPool: 0n, flags: 0 }
  const state = LedgerState.make(header, [
    new xdr.LedgerEntry({ lastModifiedLedgerSeq: 1, data: xdr.LedgerEntryData.account(entry), ext: xdr.LedgerEntryExt.v0() })
  ])
  const envelope = transaction.toEnvelope()
  if (envelope.type !== "envelopeTypeTx") return false
  const signed = xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx: envelope.v1.tx, signatures: [...signatures] }))
  return checkTransaction(state, signed, { networkPassphrase: passphrase, signatures: "verify" }) === null
}

describe("signatures", () => {
  it("of many accounts are verified once each, and the check can be left between any two accounts", () => {
    const signers = Array.from({ length: 20 }, () => Keypair.random())
    const sources = Array.from({ length: 99 }, () => Keypair.random())
    const builder = new TransactionBuilder(new Account(sources[0]!.publicKey(), "7"), { fee: "10000", networkPassphrase: passphrase })
    for (const source of sources) builder.addOperation(Operation.bumpSequence({ bumpTo: "9", source: source.publicKey() }))
    const transaction = builder.setTimeout(0).build()
    transaction.sign(...signers)
    const read = readTransaction(transaction.toEnvelope(), passphrase)
    const entries = new Map(
      sources.map((source) => [source.publicKey(), accountEntry(source, [1, 20, 20, 20], signers.map((one) => keySigner(one, 1)))])
    )
    const verdicts = new Map<string, boolean>()
    const work = minimalSignatures(read, transaction.signatures, needsOf(read, entries), verdicts)
    let stops = 0
    let step = work.next()
    for (; step.done !== true; step = work.next()) stops++
    assert.strictEqual(step.value._tag, "Sufficient")
    assert.strictEqual(verdicts.size, 20)
    assert.isAtLeast(stops, 99 * 20)
  })

  it("of signers made to be tried cost no more verifications than the ledger makes", () => {
    const source = Keypair.random()
    const transaction = merge(source)
    transaction.sign(...Array.from({ length: 20 }, () => Keypair.random()))
    const alike = (hint: Uint8Array) =>
      new xdr.Signer({
        key: xdr.SignerKey.signerKeyTypeEd25519(Buffer.concat([randomBytes(28), hint])),
        weight: 1
      })
    const read = readTransaction(transaction.toEnvelope(), passphrase)
    const needs = transaction.signatures.flatMap(({ hint }) =>
      Array.from({ length: 5 }, (_, at) => ({ account: `${at}`, signers: Array.from({ length: 20 }, () => alike(hint.value)), weight: 20 }))
    )
    const verdicts = new Map<string, boolean>()
    assert.strictEqual(atOnce(minimalSignatures(read, transaction.signatures, needs, verdicts))._tag, "Insufficient")
    assert.isAtMost(verdicts.size, 1_000)
  })

  it("that nobody asked for are left out", () => {
    const source = Keypair.random()
    const transaction = merge(source)
    transaction.sign(source, Keypair.random(), source)
    const verdict = judge(transaction, accountEntry(source, [1, 0, 0, 0], []))
    assert.strictEqual(verdict._tag, "Sufficient")
    assert.lengthOf(verdict._tag === "Sufficient" ? verdict.signatures : [], 1)
  })

  it("too light are told with the weight that is there", () => {
    const [source, other] = [Keypair.random(), Keypair.random()]
    const transaction = merge(source)
    transaction.sign(source, Keypair.random())
    assert.deepStrictEqual(judge(transaction, accountEntry(source, [1, 1, 2, 3], [keySigner(other, 2)])), {
      _tag: "Insufficient",
      needed: [{ account: source.publicKey(), requiredWeight: 3, presentWeight: 1 }],
      unused: 1
    })
  })

  it("for another network carry no weight here", () => {
    const source = Keypair.random()
    const transaction = merge(source)
    const elsewhere = new TransactionBuilder(new Account(source.publicKey(), "7"), { fee: "100", networkPassphrase: Networks.PUBLIC })
      .addOperation(Operation.accountMerge({ destination: Keypair.random().publicKey() })).setTimeout(0).build()
    elsewhere.sign(source)
    transaction.addDecoratedSignature(elsewhere.signatures[0]!)
    assert.strictEqual(judge(transaction, accountEntry(source, [1, 0, 0, 0], []))._tag, "Insufficient")
  })

  it("by preimage count like any other", () => {
    const source = Keypair.random()
    const preimage = randomBytes(32)
    const hashed = new xdr.Signer({ key: xdr.SignerKey.signerKeyTypeHashX(createHash("sha256").update(preimage).digest()), weight: 1 })
    const transaction = merge(source)
    transaction.sign(source)
    transaction.signHashX(preimage)
    const entry = accountEntry(source, [1, 0, 0, 2], [hashed])
    const verdict = judge(transaction, entry)
    assert.strictEqual(verdict._tag, "Sufficient")
    assert.isTrue(verdict._tag === "Sufficient" && ledgerTakes(transaction, entry, verdict.signatures))
  })

  it("suffice for the highest level of an account's operations, wherever that operation stands", () => {
    const [source, second, third] = [Keypair.random(), Keypair.random(), Keypair.random()]
    const entry = accountEntry(source, [1, 1, 2, 3], [keySigner(second, 1), keySigner(third, 1)])
    const { high, low, medium } = ofLevel
    for (const operations of [[high, medium, low], [low, high, medium], [medium, low, high]]) {
      const transaction = performing(source, operations)
      transaction.sign(source, second)
      const needed = [{ account: source.publicKey(), requiredWeight: 3, presentWeight: 2 }]
      assert.deepStrictEqual(judge(transaction, entry), { _tag: "Insufficient", needed, unused: 0 })
      transaction.sign(third)
      const verdict = judge(transaction, entry)
      assert.isTrue(verdict._tag === "Sufficient" && ledgerTakes(transaction, entry, verdict.signatures))
    }
  })

  it("of every extra signer are kept, and missed where one is missing", () => {
    const [source, first, second] = [Keypair.random(), Keypair.random(), Keypair.random()]
    const entry = accountEntry(source, [1, 0, 0, 0], [])
    const transaction = performing(source, [ofLevel.medium], [first, second])
    transaction.sign(source, first)
    const needed = [{ account: "extra signers", requiredWeight: 2, presentWeight: 1 }]
    assert.deepStrictEqual(judge(transaction, entry), { _tag: "Insufficient", needed, unused: 0 })
    assert.isFalse(ledgerTakes(transaction, entry, transaction.signatures))
    transaction.sign(second)
    const verdict = judge(transaction, entry)
    assert.isTrue(verdict._tag === "Sufficient" && ledgerTakes(transaction, entry, verdict.signatures))
  })

  it("are left out from the lightest on, until every one is needed", () => {
    const [source, second, third] = [Keypair.random(), Keypair.random(), Keypair.random()]
    const transaction = merge(source)
    transaction.sign(third, second, source)
    const kept = (threshold: number) => {
      const verdict = judge(transaction, accountEntry(source, [1, 0, 0, threshold], [keySigner(second, 2), keySigner(third, 3)]))
      return verdict._tag === "Sufficient" ? verdict.signatures : []
    }
    assert.deepStrictEqual(kept(3), [transaction.signatures[0]!])
    assert.sameMembers([...kept(5)], transaction.signatures.slice(0, 2))
  })

  it("of a transaction's own account reach its low threshold, whoever acts in it", () => {
    const [source, actor] = [Keypair.random(), Keypair.random()]
    const transaction = performing(source, [Operation.bumpSequence({ bumpTo: "9", source: actor.publicKey() })])
    transaction.sign(source, actor)
    const needed = [{ account: source.publicKey(), requiredWeight: 2, presentWeight: 1 }]
    assert.deepStrictEqual(judge(transaction, accountEntry(source, [1, 2, 0, 0], [])), { _tag: "Insufficient", needed, unused: 0 })
  })

  it("of an account that is not there yet are of its own key", () => {
    const [source, created] = [Keypair.random(), Keypair.random()]
    const transaction = performing(source, [Operation.bumpSequence({ bumpTo: "9", source: created.publicKey() })])
    transaction.sign(source)
    const entry = accountEntry(source, [1, 0, 0, 0], [])
    const needed = [{ account: created.publicKey(), requiredWeight: 1, presentWeight: 0 }]
    assert.deepStrictEqual(judge(transaction, entry), { _tag: "Insufficient", needed, unused: 0 })
    transaction.sign(created)
    assert.strictEqual(judge(transaction, entry)._tag, "Sufficient")
  })

  it("are asked of no extra signer where conditions name none", () => {
    const source = Keypair.random()
    const transaction = new TransactionBuilder(new Account(source.publicKey(), "7"), { fee: "100", networkPassphrase: passphrase })
      .addOperation(ofLevel.medium).setTimeout(0).setLedgerbounds(0, 1000).build()
    transaction.sign(source)
    assert.strictEqual(judge(transaction, accountEntry(source, [1, 0, 0, 0], []))._tag, "Sufficient")
  })

  it("of a fee bump are those of its payer at the low threshold, and of nobody else", () => {
    const [source, actor, payer, extra] = [Keypair.random(), Keypair.random(), Keypair.random(), Keypair.random()]
    const inner = performing(source, [Operation.bumpSequence({ bumpTo: "9", source: actor.publicKey() })], [extra])
    const read = readTransaction(inner.toEnvelope(), passphrase)
    assert.deepStrictEqual(signersNeeded(read).map(addressOf), [source.publicKey(), actor.publicKey()])
    const bump = readTransaction(TransactionBuilder.buildFeeBumpTransaction(payer, "200", inner, passphrase).toEnvelope(), passphrase)
    assert.deepStrictEqual(signersNeeded(bump).map(addressOf), [payer.publicKey()])
    const needs = needsOf(bump, new Map([[payer.publicKey(), accountEntry(payer, [1, 2, 3, 4], [])]]))
    assert.deepStrictEqual(needs.map(({ account, weight }) => ({ account, weight })), [{ account: payer.publicKey(), weight: 2 }])
  })

  it.prop(
    "of any weights: what is called sufficient the ledger takes, what is called insufficient it never takes",
    [
      FastCheck.array(FastCheck.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
      FastCheck.integer({ min: 0, max: 10 }),
      FastCheck.integer({ min: 0, max: 31 })
    ],
    ([weights, threshold, chosen]) => {
      const source = Keypair.random()
      const others = weights.map(() => Keypair.random())
      const entry = accountEntry(source, [1, 0, 0, threshold], others.map((key, index) => keySigner(key, weights[index] ?? 1)))
      const transaction = merge(source)
      const signers = [source, ...others].filter((_, index) => (chosen & (1 << index)) !== 0)
      if (signers.length > 0) transaction.sign(...signers)
      const verdict = judge(transaction, entry)
      if (verdict._tag === "Sufficient") assert.isTrue(ledgerTakes(transaction, entry, verdict.signatures))
      else assert.isFalse(ledgerTakes(transaction, entry, transaction.signatures))
    },
    { fastCheck: { numRuns: 60 } }
  )
})
