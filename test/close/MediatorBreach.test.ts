import { assert, describe, it } from "@effect/vitest"
import {
  Account,
  Asset,
  authorizeEntry,
  Keypair,
  Networks,
  Operation,
  type Transaction,
  TransactionBuilder,
  xdr
} from "@stellar/stellar-sdk"
import type { TransactionRecord, UnreadableRecord } from "../../src/chain/ledger-api/TransactionRecord.ts"
import { breachOf, type Honest, spentBy, unreadable } from "../../src/close/watch/Breach.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { TransactionHash } from "../../src/domain/Ledger.ts"
import type { RegistryEntry } from "../../src/domain/RegistryDocument.ts"
import { contractOfByte } from "../support/Addresses.ts"

const [mediator, stranger] = [Keypair.random(), Keypair.random()]

const honest: Honest = {
  mediator: AccountAddress.make(mediator.publicKey()),
  passphrase: Networks.TESTNET,
  sweepAccount: null,
  listingOf: () => null
}

const [closer, exchange, merger, owner] = Array.from({ length: 4 }, () => AccountAddress.make(Keypair.random().publicKey())) as [
  AccountAddress,
  AccountAddress,
  AccountAddress,
  AccountAddress
]

const place = { hash: TransactionHash.make("0".repeat(64)), ledger: 1, pagingToken: 1n }

const outcome = (result: xdr.TransactionResultResult) =>
  new xdr.TransactionResult({ feeCharged: 150n, result, ext: xdr.TransactionResultExt.v0() })

const succeeded = (...results: Array<xdr.OperationResult>) => outcome(xdr.TransactionResultResult.txSuccess(results))

interface Made {
  readonly source?: string
  readonly feeSource?: Keypair
  /** Who signed it; a fee bump has the signature of its fee source beside. */
  readonly signedBy?: ReadonlyArray<Keypair>
  readonly result?: xdr.TransactionResult
}

/** The record of a transaction that the mediator signed, and that was applied, unless it is made otherwise. */
const recordOf = (
  operations: ReadonlyArray<xdr.Operation>,
  { feeSource, result = succeeded(), signedBy = [mediator], source = closer }: Made = {}
): TransactionRecord => {
  const builder = new TransactionBuilder(new Account(source, "7"), { fee: "100", networkPassphrase: Networks.TESTNET })
  for (const operation of operations) builder.addOperation(operation)
  const inner = builder.setTimeout(0).build()
  inner.sign(...signedBy)
  if (feeSource === undefined) return { ...place, closedAt: null, envelope: inner.toEnvelope(), result }
  const bump = TransactionBuilder.buildFeeBumpTransaction(feeSource, "200", inner, Networks.TESTNET)
  bump.sign(feeSource)
  return { ...place, closedAt: null, envelope: bump.toEnvelope(), result }
}

const contract = contractOfByte(0)

const accountAddress = (key: Keypair) => xdr.ScAddress.scAddressTypeAccount(xdr.PublicKey.publicKeyTypeEd25519(key.rawPublicKey()))

/** Credentials of an address with a signature, or without. */
const credentialsOf = (address: xdr.ScAddress = accountAddress(mediator), signature: xdr.ScVal = xdr.ScVal.scvVoid()) =>
  new xdr.SorobanAddressCredentials({ address, nonce: 1n, signatureExpirationLedger: 0, signature })

const { sorobanCredentialsAddress, sorobanCredentialsAddressV2, sorobanCredentialsAddressWithDelegates } = xdr.SorobanCredentials

/** A contract call, and an authorization entry for it. */
const authorization = (credentials: xdr.SorobanCredentials) =>
  new xdr.SorobanAuthorizationEntry({
    credentials,
    rootInvocation: new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
        new xdr.InvokeContractArgs({
          contractAddress: xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(new Uint8Array(32))),
          functionName: "transfer",
          args: []
        })
      ),
      subInvocations: []
    })
  })

/** The same of the mediator, not signed. */
const unsigned = authorization(sorobanCredentialsAddress(credentialsOf()))

/** The rule that a stranger's call with these authorizations breaks. */
const ruleOf = (...auth: Array<xdr.SorobanAuthorizationEntry>): string | undefined =>
  breachOf(
    recordOf([Operation.invokeContractFunction({ contract, function: "transfer", args: [], auth })], {
      source: stranger.publicKey(),
      signedBy: [stranger],
      result: outcome(xdr.TransactionResultResult.txInternalError())
    }),
    honest
  )?.rule

describe("a call of a contract in a stranger's transaction", () => {
  it("counts as the mediator's where its key signed for that call, and not where its address only stands there", async () => {
    const signed = await authorizeEntry(unsigned, mediator, 100, Networks.TESTNET)
    const forged = await authorizeEntry(unsigned, mediator, 100, Networks.PUBLIC)
    assert.deepStrictEqual([signed, unsigned, forged].map((one) => ruleOf(one)), ["other_operation", undefined, undefined])
  })

  it("counts so by credentials of any kind, and beside those of others", async () => {
    const delegating = new xdr.SorobanAddressCredentialsWithDelegates({ addressCredentials: credentialsOf(), delegates: [] })
    const kinds = [
      unsigned,
      authorization(sorobanCredentialsAddressV2(credentialsOf())),
      authorization(sorobanCredentialsAddressWithDelegates(delegating))
    ]
    const others = [
      authorization(xdr.SorobanCredentials.sorobanCredentialsSourceAccount()),
      authorization(sorobanCredentialsAddress(credentialsOf(xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(new Uint8Array(32)))))),
      await authorizeEntry(
        authorization(sorobanCredentialsAddress(credentialsOf(accountAddress(stranger)))),
        stranger,
        100,
        Networks.TESTNET
      )
    ]
    assert.isUndefined(ruleOf(...others))
    for (const kind of kinds) {
      assert.isUndefined(ruleOf(kind))
      const signed = await authorizeEntry(kind, mediator, 100, Networks.TESTNET)
      assert.strictEqual(ruleOf(signed), "other_operation")
      assert.strictEqual(ruleOf(...others, signed), "other_operation")
      assert.isUndefined(ruleOf(await authorizeEntry(kind, mediator, 100, Networks.PUBLIC)))
    }
  })

  it("counts as nobody's by what is no signature", () => {
    const texts = [xdr.ScVal.scvBytes(new Uint8Array(63)), xdr.ScVal.scvBytes(new Uint8Array(64)), xdr.ScVal.scvBytes(new Uint8Array(0))]
    const { scvMap, scvString, scvVec } = xdr.ScVal
    const values = [
      scvVec(texts),
      scvVec(null),
      scvMap(null),
      scvMap(texts.map((val) => new xdr.ScMapEntry({ key: val, val }))),
      scvString("x")
    ]
    for (const value of values) assert.isUndefined(ruleOf(authorization(sorobanCredentialsAddress(credentialsOf(undefined, value)))))
  })
})

describe("a transaction in a form that this version does not know", () => {
  const [hash, inner] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const ruleOfSigned = (signed: UnreadableRecord["signed"]) => breachOf({ ...place, envelope: null, signed }, honest)?.rule
  const signedBy = (key: Keypair, message: Buffer) => ({ hash: message, signatures: [key.sign(message)] })

  it("breaks a rule where the mediator's key signed it or the transaction in it, and where its signatures are not reported", () => {
    const bySomeone = signedBy(stranger, hash)
    assert.deepStrictEqual(
      [[signedBy(mediator, hash)], [bySomeone, signedBy(mediator, inner)], null].map(ruleOfSigned),
      ["unreadable", "unreadable", "unreadable"]
    )
  })

  it("breaks none where others signed it, even with a copy of another signature of the mediator", () => {
    const copied = { hash, signatures: [mediator.sign(inner), Buffer.alloc(64, 255), Buffer.alloc(0)] }
    assert.deepStrictEqual([[signedBy(stranger, hash)], [copied], []].map(ruleOfSigned), [undefined, undefined, undefined])
  })
})

const address = mediator.publicKey()

const listing = (known: AccountAddress, requiresMediator: boolean): RegistryEntry => ({
  address: known,
  name: "An exchange",
  domain: "example.org",
  requiresMemo: false,
  memoType: "none",
  requiresMediator
})

/** A mediator that sweeps to its owner, and knows an exchange that takes payments only and one that takes merges. */
const sweeping: Honest = {
  ...honest,
  sweepAccount: owner,
  listingOf: (one) => one === exchange || one === merger ? listing(one, one === exchange) : null
}

const done = (code: xdr.OperationResultTr) => xdr.OperationResult.opInner(code)

const merged = (stroops: bigint) => done(xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeSuccess(stroops)))

const paid = done(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSuccess()))

const failed = outcome(xdr.TransactionResultResult.txFailed([]))

const merge = (destination = address) => Operation.accountMerge({ source: closer, destination })

const pay = (destination: string, amount = "10", asset = Asset.native(), source = address) =>
  Operation.payment({ source, destination, asset, amount })

/** A close that the mediator signed for: it passes on ten lumens of what the merge brought. */
const closing = (delivered: bigint, made: Made = {}) =>
  recordOf([merge(), pay(exchange)], { result: succeeded(merged(delivered), paid), ...made })

const tenLumens = 100_000_000n

/** The rule, and whose account may explain it. */
const found = (record: TransactionRecord | UnreadableRecord, by = sweeping) => {
  const breach = breachOf(record, by)
  return breach === null ? null : [breach.rule, breach.drained]
}

describe("a transaction of a mediator's account", () => {
  it("is a close that pays no more than it delivered, or one that failed", () => {
    for (const delivered of [tenLumens, tenLumens + 1n]) assert.isNull(found(closing(delivered)))
    assert.isNull(found(closing(0n, { result: failed })))
    assert.isNull(found(closing(tenLumens, { feeSource: stranger })))
    assert.deepStrictEqual(found(closing(tenLumens - 1n)), ["paid_more_than_delivered", closer])
  })

  it("delivers nothing where its first operation was no merge that was applied", () => {
    const full = done(xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeNoAccount()))
    for (const first of [paid, full, xdr.OperationResult.opNoAccount()]) {
      assert.deepStrictEqual(found(closing(0n, { result: succeeded(first, paid) })), ["unreadable", null])
    }
    assert.deepStrictEqual(found(closing(0n, { result: succeeded() })), ["unreadable", null])
  })

  it("pays an exchange that takes payments only, and nobody else", () => {
    for (const other of [merger, owner, stranger.publicKey()]) {
      const record = recordOf([merge(), pay(other)], { result: succeeded(merged(tenLumens), paid) })
      assert.deepStrictEqual(found(record), ["unregistered_destination", null])
    }
  })

  it("is nothing else in which the mediator acts, whether it was applied or not", () => {
    const others: ReadonlyArray<ReadonlyArray<xdr.Operation>> = [
      [pay(exchange)],
      [merge(), pay(exchange), pay(exchange)],
      [merge(), pay(exchange, "10", new Asset("USD", owner))],
      [merge(owner), pay(exchange)],
      [Operation.manageData({ source: address, name: "x", value: "y" })]
    ]
    for (const operations of others) {
      for (const result of [succeeded(), failed]) assert.deepStrictEqual(found(recordOf(operations, { result })), ["other_operation", null])
    }
  })

  it("is none of the mediator's where others only name it, or give it something", () => {
    const given = [
      [merge()],
      [pay(address, "1", Asset.native(), closer)],
      [merge(), pay(owner, "10", Asset.native(), closer)],
      [Operation.createAccount({ destination: address, startingBalance: "1" })]
    ]
    for (const operations of given) assert.isNull(found(recordOf(operations)))
  })

  it("pays no fee of others, whatever is inside", () => {
    for (const operations of [[merge()], [merge(), pay(exchange)]]) {
      assert.deepStrictEqual(found(recordOf(operations, { feeSource: mediator })), ["pays_foreign_fee", null])
    }
  })

  it("is a sweep where it pays lumens to the owner, alone, by the mediator", () => {
    const own = (...operations: ReadonlyArray<xdr.Operation>) => recordOf(operations, { source: address })
    assert.isNull(found(own(pay(owner))))
    assert.isNull(found(recordOf([pay(owner)], { source: address, result: failed })))
    assert.isNull(found(recordOf([pay(owner)], { source: address, feeSource: stranger })))
    const others = [
      own(pay(exchange)),
      own(pay(owner, "10", new Asset("USD", owner))),
      own(pay(owner), pay(owner)),
      own(pay(owner, "10", Asset.native(), closer)),
      own(Operation.manageData({ name: "x", value: "y" })),
      own()
    ]
    for (const record of others) assert.deepStrictEqual(found(record), ["own_transaction", null])
    assert.deepStrictEqual(found(own(pay(owner)), { ...sweeping, sweepAccount: null }), ["own_transaction", null])
  })

  it("that cannot be judged breaks a rule where its envelope was signed by the mediator's key", () => {
    const record = closing(tenLumens, { signedBy: [stranger] })
    assert.isNull(unreadable(record, sweeping))
    const signedByIt = TransactionBuilder.fromXdr(record.envelope.toXdr("base64"), Networks.TESTNET)
    signedByIt.sign(stranger, mediator)
    assert.deepStrictEqual(unreadable({ ...record, envelope: signedByIt.toEnvelope() }, sweeping), { rule: "unreadable", drained: null })
    const bumped = TransactionBuilder.buildFeeBumpTransaction(stranger, "200", signedByIt as Transaction, Networks.TESTNET)
    bumped.sign(stranger)
    assert.deepStrictEqual(unreadable({ ...record, envelope: bumped.toEnvelope() }, sweeping), { rule: "unreadable", drained: null })
  })
})

describe("a transaction that looks like the mediator's", () => {
  const asIts: Made = { source: address }
  const unregistered = { result: succeeded(merged(tenLumens), paid) }
  /** What the mediator's key alone can do: what is done, and the rule that it breaks. */
  const misuses: ReadonlyArray<readonly [string, ReadonlyArray<xdr.Operation>, Made]> = [
    ["own_transaction", [pay(exchange)], asIts],
    ["own_transaction", [pay(exchange)], { ...asIts, feeSource: stranger }],
    ["own_transaction", [pay(exchange)], { ...asIts, result: failed }],
    ["other_operation", [pay(exchange)], {}],
    ["unregistered_destination", [merge(), pay(owner)], unregistered],
    ["paid_more_than_delivered", [merge(), pay(exchange)], { result: succeeded(merged(1n), paid) }],
    ["unreadable", [merge(), pay(exchange)], {}]
  ]

  it("breaks a rule where the mediator's key signed it, and none where no one or another did", () => {
    for (const [rule, operations, made] of misuses) {
      const ruleBy = (...signedBy: ReadonlyArray<Keypair>) => breachOf(recordOf(operations, { ...made, signedBy }), sweeping)?.rule
      assert.deepStrictEqual([ruleBy(mediator), ruleBy(stranger, mediator)], [rule, rule])
      assert.deepStrictEqual([ruleBy(), ruleBy(stranger)], [undefined, undefined], rule)
    }
  })

  it("breaks none by a signature of the mediator for another transaction", () => {
    const [own, other] = [recordOf([pay(exchange)], asIts), recordOf([pay(owner)], asIts)]
    const copied = TransactionBuilder.fromXdr(own.envelope.toXdr("base64"), Networks.TESTNET)
    copied.signatures.splice(0, 1, ...TransactionBuilder.fromXdr(other.envelope.toXdr("base64"), Networks.TESTNET).signatures)
    assert.isNull(found({ ...own, envelope: copied.toEnvelope() }))
  })

  it("has its fee paid by the mediator where the fee bump itself is signed by it, and not where only what is inside is", () => {
    const signedTwice = recordOf([merge(), pay(exchange)], { feeSource: mediator, result: succeeded(merged(tenLumens), paid) })
    assert.deepStrictEqual(found(signedTwice), ["pays_foreign_fee", null])
    const unsigned = TransactionBuilder.fromXdr(signedTwice.envelope.toXdr("base64"), Networks.TESTNET)
    unsigned.signatures.splice(0)
    assert.isNull(found({ ...signedTwice, envelope: unsigned.toEnvelope() }))
  })

  it("has its fee paid by another where the mediator signed the fee bump beside its fee source", () => {
    const record = recordOf([pay(exchange)], { source: stranger.publicKey(), feeSource: stranger, signedBy: [stranger] })
    const bump = TransactionBuilder.fromXdr(record.envelope.toXdr("base64"), Networks.TESTNET)
    bump.sign(mediator)
    assert.isNull(found({ ...record, envelope: bump.toEnvelope() }))
  })
})

describe("what a transaction took from a mediator", () => {
  it("is what a close paid beyond what it delivered, and nothing where it failed or is another's", () => {
    for (const less of [0n, 1n, -1n]) assert.strictEqual(spentBy(closing(tenLumens - less), sweeping), less)
    assert.strictEqual(spentBy(closing(tenLumens - 1n, { result: failed }), sweeping), 0n)
    assert.strictEqual(spentBy(closing(0n, { result: succeeded(paid, paid) }), sweeping), 0n)
    assert.strictEqual(spentBy(closing(0n), { ...sweeping, mediator: owner }), 0n)
    assert.strictEqual(spentBy(recordOf([merge()], { result: succeeded(merged(tenLumens)) }), sweeping), 0n)
  })

  it("is a sweep and its fee, or the fee alone where it failed; another's fee is not", () => {
    const sweep = (made: Made = {}) => recordOf([pay(owner)], { source: address, ...made })
    assert.strictEqual(spentBy(sweep(), sweeping), tenLumens + 150n)
    assert.strictEqual(spentBy(sweep({ result: failed }), sweeping), 150n)
    assert.strictEqual(spentBy(sweep({ feeSource: stranger }), sweeping), tenLumens)
  })

  it("is nothing where it is neither, so that lumens are missing which another key took", () => {
    const own = [[pay(exchange)], [Operation.manageData({ name: "x", value: "y" })], []]
    for (const operations of own) assert.strictEqual(spentBy(recordOf(operations, { source: address }), sweeping), 0n)
    assert.strictEqual(spentBy(recordOf([pay(owner)]), sweeping), 0n)
    assert.strictEqual(spentBy(closing(0n, { signedBy: [stranger] }), sweeping), 0n)
  })

  it("is not known of one that cannot be read", () => {
    assert.strictEqual(spentBy({ ...place, envelope: null, signed: null }, sweeping), 0n)
  })
})
