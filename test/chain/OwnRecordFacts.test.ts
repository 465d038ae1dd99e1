import { assert, describe, it } from "@effect/vitest"
import {
  Account,
  Address,
  Asset,
  Keypair,
  MuxedAccount,
  nativeToScVal,
  Operation,
  SorobanDataBuilder,
  StrKey,
  TransactionBuilder,
  xdr
} from "@stellar/stellar-sdk"
import { FastCheck as fc } from "effect"
import type { Author } from "../../src/chain/history/NamedContracts.ts"
import { factsFor, type RecordFacts } from "../../src/chain/history/OwnRecordFacts.ts"
import type { OwnRecord } from "../../src/chain/ledger-api/OwnRecord.ts"
import { hasUnknownArm } from "../../src/chain/xdr/XdrWalk.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { passphrase } from "./support/Scripted.ts"

const people = [Keypair.random(), Keypair.random(), Keypair.random()] as const
const [me, stranger] = people
const address = AccountAddress.make(me.publicKey())
const contract = Address.contract(Buffer.alloc(32, 5))

const person = fc.constantFrom(...people)
const muxed = (key: Keypair) => new MuxedAccount(new Account(key.publicKey(), "0"), "77").accountId()
const source = fc.option(fc.tuple(person, fc.boolean()), { nil: undefined }).map((one) => {
  if (one === undefined) return {}
  return { source: one[1] ? muxed(one[0]) : one[0].publicKey() }
})

const scAddressOf = (key: Keypair): xdr.ScAddress => new Address(key.publicKey()).toScAddress()

const signedBy = (key: Keypair) =>
  new xdr.SorobanAddressCredentials({
    address: scAddressOf(key),
    nonce: 5n,
    signatureExpirationLedger: 9,
    signature: xdr.ScVal.scvVoid()
  })

const delegate = (key: Keypair, nestedDelegates: Array<xdr.SorobanDelegateSignature> = []) =>
  new xdr.SorobanDelegateSignature({ address: scAddressOf(key), signature: xdr.ScVal.scvVoid(), nestedDelegates })

/** Credentials, and everyone who agrees by them. */
interface Agreed {
  readonly credentials: xdr.SorobanCredentials
  readonly by: ReadonlyArray<Keypair>
}

/** Credentials of every kind. */
const agreed: fc.Arbitrary<Agreed> = fc.oneof(
  fc.constant({ credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(), by: [] }),
  person.map((one) => ({ credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(signedBy(one)), by: [one] })),
  person.map((one) => ({ credentials: xdr.SorobanCredentials.sorobanCredentialsAddressV2(signedBy(one)), by: [one] })),
  fc.tuple(person, person, person).map(([one, outer, inner]) => ({
    credentials: xdr.SorobanCredentials.sorobanCredentialsAddressWithDelegates(
      new xdr.SorobanAddressCredentialsWithDelegates({
        addressCredentials: signedBy(one),
        delegates: [delegate(outer, [delegate(inner)])]
      })
    ),
    by: [one, outer, inner]
  }))
)

const invocation = () =>
  new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
      new xdr.InvokeContractArgs({ contractAddress: contract.toScAddress(), functionName: "submit", args: [] })
    ),
    subInvocations: []
  })

const entryOf = ({ credentials }: Agreed) => new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation: invocation() })

const auth = fc.array(agreed, { maxLength: 2 }).map((all) => all.map(entryOf))

const operation = fc.oneof(
  fc.tuple(source, person).map(([from, to]) =>
    Operation.payment({ ...from, destination: to.publicKey(), asset: new Asset("EURC", people[1].publicKey()), amount: "3" })
  ),
  fc.tuple(source, fc.integer({ min: 1, max: 999 })).map(([from, to]) => Operation.bumpSequence({ ...from, bumpTo: `${to}` })),
  fc.tuple(source, fc.uint8Array({ maxLength: 64, minLength: 1 })).map(([from, value]) =>
    Operation.manageData({ ...from, name: "odd", value: Buffer.from(value) })
  ),
  fc.tuple(source, person, auth).map(([from, named, auths]) =>
    Operation.invokeContractFunction({
      ...from,
      contract: contract.toString(),
      function: "submit",
      args: [nativeToScVal(named.publicKey(), { type: "address" }), nativeToScVal([1, "two", { three: 3n }])],
      auth: auths
    })
  )
)

const dataKey = (key: xdr.ScVal) =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({ contract: contract.toScAddress(), key, durability: xdr.ContractDataDurability.persistent })
  )

const allowance = (from: Keypair, spender: Keypair) =>
  dataKey(
    xdr.ScVal.scvVec([
      xdr.ScVal.scvSymbol("Allowance"),
      nativeToScVal({ from: new Address(from.publicKey()), spender: new Address(spender.publicKey()) }, {
        type: { from: ["symbol", "address"], spender: ["symbol", "address"] }
      })
    ])
  )

const key = fc.oneof(
  fc.tuple(person, person).map(([from, spender]) => allowance(from, spender)),
  person.map((one) => dataKey(nativeToScVal(["Positions", new Address(one.publicKey())]))),
  person.map((one) => xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: one.xdrPublicKey() }))),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((hash) =>
    xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: new xdr.Hash(hash) }))
  )
)

const footprint = fc.option(fc.tuple(fc.array(key, { maxLength: 4 }), fc.array(key, { maxLength: 4 })), { nil: null })

const envelope = fc.record({
  from: person,
  operations: fc.array(operation, { minLength: 1, maxLength: 4 }),
  footprint,
  least: fc.boolean(),
  bumpedBy: fc.option(person, { nil: null }),
  signers: fc.array(person, { maxLength: 3 })
}).map(({ bumpedBy, footprint, from, least, operations, signers }) => {
  const builder = new TransactionBuilder(new Account(from.publicKey(), "7"), { fee: "100", networkPassphrase: passphrase }).setTimeout(300)
  for (const one of operations) builder.addOperation(one)
  if (least) builder.setMinAccountSequence("3")
  if (footprint !== null) builder.setSorobanData(new SorobanDataBuilder().setReadOnly(footprint[0]).setReadWrite(footprint[1]).build())
  const built = builder.build()
  for (const signer of signers) built.sign(signer)
  if (bumpedBy === null) return Buffer.from(built.toXDR(), "base64")
  return Buffer.from(TransactionBuilder.buildFeeBumpTransaction(bumpedBy, "90000", built, passphrase).toXDR(), "base64")
})

const record = (bytes: Buffer, from: string, successful = true): OwnRecord => ({
  ledger: 9,
  paging_token: 9n << 32n,
  successful,
  source_account: AccountAddress.make(from),
  source_account_sequence: 8n,
  envelope_xdr: bytes.toString("base64")
})

const ownerOf = (one: xdr.MuxedAccount): string =>
  StrKey.encodeEd25519PublicKey(one.type === "keyTypeEd25519" ? one.ed25519.value : one.med25519.ed25519.value)

const transactionOf = (bytes: Buffer): xdr.Transaction => {
  const decoded = xdr.TransactionEnvelope.fromXdr(bytes)
  if (decoded.type === "envelopeTypeTx") return decoded.v1.tx
  return decoded.type === "envelopeTypeTxFeeBump" ? decoded.feeBump.tx.innerTx.v1.tx : assert.fail("of an old kind")
}

const authorOf = (isAccount: boolean, isCall: boolean): Author => {
  if (isAccount) return "account"
  return isCall ? "agreed" : "stranger"
}

/** The same facts from an envelope that was decoded whole. */
const told = (tx: xdr.Transaction, { source_account, successful }: OwnRecord) => {
  const isMine = ({ sourceAccount }: xdr.Operation) => (sourceAccount === null ? source_account : ownerOf(sourceAccount)) === address
  // Nothing but an address that agrees has these bytes in front of its key.
  const agrees = ({ credentials }: xdr.SorobanAuthorizationEntry) =>
    Buffer.from(credentials.toXdr()).includes(Buffer.concat([Buffer.alloc(8), me.rawPublicKey()]))
  const raised = tx.operations.flatMap((one) => (one.body.type === "bumpSequence" && isMine(one) ? [one.body.bumpSequenceOp.bumpTo] : []))
  const isAccount = source_account === address ||
    tx.operations.some((one) => ["bumpSequence", "invokeHostFunction"].includes(one.body.type) && isMine(one))
  const isCall = tx.operations.some((one) =>
    one.body.type === "invokeHostFunction" && (isMine(one) || one.body.invokeHostFunctionOp.auth.some(agrees))
  )
  const keys = tx.ext.type === "sorobanData" ? tx.ext.sorobanData.resources.footprint : { readOnly: [], readWrite: [] }
  const naming = (all: ReadonlyArray<xdr.LedgerKey>) =>
    all.filter((one) => Buffer.from(one.toXdr()).includes(Buffer.from(me.rawPublicKey()))).map((one) => one.toXdr("base64"))
  const author = authorOf(isAccount, isCall)
  const written = naming(keys.readWrite)
  return {
    author,
    sequence: source_account === address ? 8n : null,
    skips: source_account === address && tx.cond.type === "precondV2" && tx.cond.v2.minSeqNum !== null,
    bumpedTo: successful && raised.length > 0 ? raised.reduce((most, one) => (one > most ? one : most)) : null,
    isCall,
    footprint: author === "stranger" ? written.filter(() => successful) : [...naming(keys.readOnly), ...written]
  }
}

const shown = ({ author, bumpedTo, footprint, isCall, sequence, skips }: RecordFacts) => ({
  author,
  sequence,
  skips,
  bumpedTo,
  isCall,
  footprint: footprint.map((one) => one.toXdr("base64"))
})

describe("the facts of a record of the past", () => {
  const factsOf = factsFor(address)

  it("are those of the envelope decoded whole, whatever stands in it", () => {
    const seen = { calls: 0, raised: 0, named: 0, skips: 0, allowances: 0, account: 0, agreed: 0, stranger: 0 }
    fc.assert(
      fc.property(envelope, fc.boolean(), (bytes, successful) => {
        const tx = transactionOf(bytes)
        const one = record(bytes, ownerOf(tx.sourceAccount), successful)
        const facts = factsOf(one) ?? assert.fail("no facts")
        assert.deepStrictEqual(shown(facts), told(tx, one))
        seen[facts.author]++
        seen.calls += Number(facts.isCall)
        seen.raised += Number(facts.bumpedTo !== null)
        seen.named += facts.footprint.length
        seen.skips += Number(facts.skips)
        seen.allowances += facts.allowances.length
      }),
      { numRuns: 300, seed: 7 }
    )
    for (const [what, count] of Object.entries(seen)) assert.isAbove(count, 0, what)
  })

  it("are a call of its own wherever it agreed, by credentials of every kind, and of nobody who did not", () => {
    const [call, kinds] = [nativeToScVal(stranger.publicKey(), { type: "address" }), new Set<string>()]
    fc.assert(
      fc.property(agreed, (one) => {
        const built = new TransactionBuilder(new Account(stranger.publicKey(), "7"), { fee: "100", networkPassphrase: passphrase })
          .setTimeout(300)
          .addOperation(Operation.invokeContractFunction({
            contract: contract.toString(),
            function: "submit",
            args: [call],
            auth: [entryOf(one)]
          }))
          .build()
        const facts = factsOf(record(Buffer.from(built.toXDR(), "base64"), stranger.publicKey())) ?? assert.fail("no facts")
        assert.deepInclude(facts, { isCall: one.by.includes(me), isUnread: false })
        if (facts.isCall) kinds.add(one.credentials.type)
      }),
      { numRuns: 200, seed: 7 }
    )
    assert.strictEqual(kinds.size, 3, "every kind that names an address")
  })

  it("name of a stranger's transaction only what it wrote, where it succeeded: a position is put there by a write", () => {
    const [read, written] = [[dataKey(xdr.ScVal.scvVec([nativeToScVal(new Address(me.publicKey())), xdr.ScVal.scvU32(1)]))], [
      dataKey(nativeToScVal(["Positions", new Address(me.publicKey())]))
    ]]
    const named = (from: Keypair, auth: Array<xdr.SorobanAuthorizationEntry>, successful: boolean, source?: Keypair) => {
      const call = { contract: contract.toString(), function: "submit", args: [], auth }
      const built = new TransactionBuilder(new Account(from.publicKey(), "7"), { fee: "100", networkPassphrase: passphrase })
        .setTimeout(300)
        .addOperation(Operation.invokeContractFunction(source === undefined ? call : { ...call, source: source.publicKey() }))
        .setSorobanData(new SorobanDataBuilder().setReadOnly(read).setReadWrite(written).build())
        .build()
      const facts = factsOf(record(Buffer.from(built.toXDR(), "base64"), from.publicKey(), successful)) ?? assert.fail("no facts")
      return [facts.author, facts.footprint.map((one) => one.toXdr("base64"))]
    }
    const [all, wrote] = [[...read, ...written], written].map((keys) => keys.map((one) => one.toXdr("base64")))
    const agreeing = [entryOf({ credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(signedBy(me)), by: [me] })]
    for (const successful of [true, false]) {
      assert.deepStrictEqual(named(stranger, [], successful), ["stranger", successful ? wrote : []])
      assert.deepStrictEqual(named(stranger, agreeing, successful), ["agreed", all])
      assert.deepStrictEqual(named(stranger, [], successful, me), ["account", all])
      assert.deepStrictEqual(named(me, [], successful, stranger), ["account", all])
    }
  })

  it("are none where the SDK finds no envelope, but of a newer one, and else those it finds, whichever byte is another", () => {
    let [none, newer] = [0, 0]
    fc.assert(
      fc.property(envelope, fc.nat(), fc.integer({ min: 0, max: 255 }), (bytes, at, value) => {
        bytes[at % bytes.length] = value
        const isOne = xdr.TransactionEnvelope.validateXdr(bytes)
        const tx = isOne ? transactionOf(bytes) : null
        const one = record(bytes, tx === null ? address : ownerOf(tx.sourceAccount))
        const facts = factsOf(one)
        if (tx !== null) return assert.deepStrictEqual(shown(facts ?? assert.fail("no facts")), told(tx, one))
        if (facts === null) none++
        else newer++
        assert.strictEqual(facts?.isUnread ?? false, hasUnknownArm(xdr.TransactionEnvelope, bytes))
      }),
      { numRuns: 500 }
    )
    assert.isAbove(none, 20)
    assert.isAbove(newer, 5)
  })

  it("are what stands beside an envelope with an unknown arm: one of its own counts as a call, a stranger's only where it may be one", () => {
    const unknownCall = (from: Keypair, named: Keypair) => {
      const bytes = Buffer.from(
        new TransactionBuilder(new Account(from.publicKey(), "7"), { fee: "100", networkPassphrase: passphrase })
          .setTimeout(300)
          .addOperation(Operation.invokeContractFunction({
            contract: contract.toString(),
            function: "transfer",
            args: [nativeToScVal(named.publicKey(), { type: "address" }), xdr.ScVal.scvU32(0x1234)],
            auth: []
          }))
          .build()
          .toXDR(),
        "base64"
      )
      const at = bytes.indexOf(Buffer.from([0, 0, 0, 3, 0, 0, 0x12, 0x34]))
      bytes.writeUInt32BE(99, at)
      return bytes
    }
    const own = factsOf(record(unknownCall(me, stranger), me.publicKey())) ?? assert.fail("no facts")
    assert.deepInclude(own, { isUnread: true, isCall: true, sequence: 8n, called: [] })
    const agreed = factsOf(record(unknownCall(stranger, me), stranger.publicKey())) ?? assert.fail("no facts")
    assert.deepInclude(agreed, { isUnread: true, isCall: true, sequence: null })
    const others = factsOf(record(unknownCall(stranger, stranger), stranger.publicKey())) ?? assert.fail("no facts")
    assert.deepInclude(others, { isUnread: false, isCall: false, sequence: null })
  })

  it("are those of a call with the address of a contract with an id in it, which the SDK does not read", () => {
    const to = Buffer.alloc(32, 9)
    for (const from of [undefined, me.publicKey()]) {
      const call = Operation.invokeContractFunction({
        ...(from === undefined ? {} : { source: from }),
        contract: contract.toString(),
        function: "transfer",
        args: [nativeToScVal(me.publicKey(), { type: "address" }), Address.contract(to).toScVal()],
        auth: []
      })
      const key = dataKey(nativeToScVal(["Positions", new Address(me.publicKey())]))
      const built = new TransactionBuilder(new Account(me.publicKey(), "7"), { fee: "100", networkPassphrase: passphrase })
        .setTimeout(300)
        .addOperation(call)
        .setSorobanData(new SorobanDataBuilder().setReadWrite([key]).build())
        .build()
      const bytes = Buffer.from(built.toXDR(), "base64")
      const at = bytes.indexOf(to)
      const muxed = Buffer.concat([bytes.subarray(0, at - 4), Buffer.from([0, 0, 0, 5]), Buffer.alloc(8, 1), bytes.subarray(at)])
      assert.isFalse(xdr.TransactionEnvelope.validateXdr(muxed))
      const one = record(muxed, me.publicKey())
      assert.deepStrictEqual(shown(factsOf(one) ?? assert.fail("no facts")), told(transactionOf(bytes), one))
    }
  })

  it("are none of what is not written as base64 is", () => {
    const [bytes] = fc.sample(envelope, 1)
    const one = record(bytes!, address)
    for (const text of [`${one.envelope_xdr} `, one.envelope_xdr.slice(0, -4), "", `${one.envelope_xdr}AAAA`]) {
      assert.isNull(factsOf({ ...one, envelope_xdr: text }))
    }
  })
})
