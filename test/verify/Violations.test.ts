import { assert, describe, it } from "@effect/vitest"
import { Asset, Keypair, StrKey, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import type { Expected } from "../../src/operations/Expected.ts"
import { verify } from "../../src/verify/Verifier.ts"
import { type Attempt, type Case, changed, txOf } from "./support/Case.ts"
import { readCorpus } from "./support/Corpus.ts"
import { muxed, stranger, strangerAccount, strangerId } from "./support/Strangers.ts"

const corpus = readCorpus()

const caseOf = (name: string, fits: (one: Case) => boolean = () => true): Case =>
  corpus.find((one) => one.name === name && fits(one)) ?? assert.fail(`the corpus has no ${name}`)

const merge = caseOf("account_merge", ({ expected }) => expected.memo === null)
const call = caseOf("transfer")
const removal = caseOf("change_trust")
const restoring = caseOf("restore_footprint")
const mediated = caseOf("account_merge, payment")
const toMuxed = caseOf("account_merge, muxed")
const withMemo = (type: string) => caseOf("account_merge", ({ expected: { memo } }) => memo?.type === type)

const judged = ({ envelope, expected }: Case, made: Attempt | null) => {
  if (made === null) return assert.fail("it does not fit")
  return verify(made.expected ?? expected, made.envelope ?? envelope)
}

/** Rules and sentences of what is refused; of an operation with its index. */
const violations = (one: Case, made: Attempt | null) => {
  const found = judged(one, made)
  return found.ok
    ? []
    : found.violations.map(({ message, operation, rule }) => operation === null ? [rule, message] : [rule, message, operation])
}

const expecting = (one: Case, fields: Partial<Expected>): Attempt => ({ expected: { ...one.expected, ...fields } })

const conditions = (one: Case, fields: Partial<ConstructorParameters<typeof xdr.PreconditionsV2>[0]>): Attempt | null => {
  const { cond } = txOf(one)
  return cond.type === "precondV2"
    ? changed(one, { cond: xdr.Preconditions.precondV2(new xdr.PreconditionsV2({ ...cond.v2, ...fields })) })
    : null
}

const { now } = merge.expected

const until = (maxTime: number, minTime = 0n): Attempt | null =>
  conditions(merge, { timeBounds: new xdr.TimeBounds({ minTime, maxTime: BigInt(maxTime) }) })

const ledgers = (minLedger: number, maxLedger: number): Attempt | null =>
  conditions(merge, { ledgerBounds: new xdr.LedgerBounds({ minLedger, maxLedger }) })

const { validForSeconds: _, ...withoutValidity } = merge.expected

const paid = (fee: bigint, resourceFee: bigint): Attempt | null => {
  const { ext } = txOf(call)
  return ext.type === "sorobanData"
    ? changed(call, {
      fee: Number(fee),
      ext: xdr.TransactionExt.sorobanData(new xdr.SorobanTransactionData({ ...ext.sorobanData, resourceFee }))
    })
    : null
}

const { feeCap } = call.expected

/** The operations of a case without a source of their own. */
const sourceless = (one: Case): Attempt | null =>
  changed(one, { operations: txOf(one).operations.map(({ body }) => new xdr.Operation({ sourceAccount: null, body })) })

const unnamed = xdr.OperationBody.changeTrust(
  new xdr.ChangeTrustOp({
    line: xdr.ChangeTrustAsset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode: Buffer.from("a\0b\0"), issuer: strangerId })),
    limit: 0n
  })
)

type Row = readonly [title: string, one: Case, made: Attempt | null, ...ReadonlyArray<ReadonlyArray<string | number>>]

const kept = ["preconditions", "The transaction could be kept back for later."]
const endless = ["time_bounds", "The transaction never expires."]
const expired = ["time_bounds", "The transaction has expired."]
const tooLong = ["time_bounds", "The transaction stays usable for longer than you requested."]
const ages = ["preconditions", "The transaction waits for the sequence number to age."]
const form = ["preconditions", "The conditions of the transaction are of another form than those of a close."]

const ofConditions: ReadonlyArray<Row> = [
  ["without conditions", merge, changed(merge, { cond: xdr.Preconditions.precondNone() }), form],
  ["without time bounds", merge, conditions(merge, { timeBounds: null }), endless],
  ["without an end", merge, until(0), endless],
  ["ending now", merge, until(now), expired],
  ["ending after a second", merge, until(now + 1)],
  ["ending as requested, by a clock a minute ahead", merge, until(now + 1_860)],
  ["ending a second later", merge, until(now + 1_861), tooLong],
  ["ending after half an hour by default", merge, { ...until(now + 1_860), expected: withoutValidity }],
  ["ending later than by default", merge, { ...until(now + 1_861), expected: withoutValidity }, tooLong],
  ["ending as a caller in a hurry requested", merge, { ...until(now + 70), ...expecting(merge, { validForSeconds: 10 }) }],
  ["ending later than that", merge, { ...until(now + 71), ...expecting(merge, { validForSeconds: 10 }) }, tooLong],
  ["expired and not yet usable", merge, until(now - 1, 1n), expired, kept],
  ["usable from a ledger on", merge, ledgers(1, 0), kept],
  ["usable up to a ledger", merge, ledgers(0, 5)],
  ["without ledger bounds", merge, conditions(merge, { ledgerBounds: null })],
  ["with any sequence number", merge, conditions(merge, { minSeqNum: 0n }), [
    "preconditions",
    "The transaction does not need the next sequence number."
  ]],
  ["after a second without a transaction", merge, conditions(merge, { minSeqAge: 1n }), ages],
  ["after a ledger without a transaction", merge, conditions(merge, { minSeqLedgerGap: 1 }), ages],
  ["with a signer more", merge, conditions(merge, { extraSigners: [xdr.SignerKey.signerKeyTypeEd25519(strangerId.ed25519)] }), [
    "preconditions",
    "The transaction asks for another signer."
  ]]
]

const contractWithout = ["resources", "A contract is called without resources."]
const noUse = ["resources", "Resources stand in a transaction that has no use for them."]

const ofCost: ReadonlyArray<Row> = [
  ["a fee of the cap", merge, expecting(merge, { feeCap: BigInt(txOf(merge).fee) })],
  ["a fee above it", merge, expecting(merge, { feeCap: 99n }), [
    "fee",
    "The fee of up to 0.0000100 lumens is above the cap of 0.0000099."
  ]],
  ["a resource fee of the fee and the cap", call, paid(feeCap, feeCap)],
  ["a resource fee above the fee", call, paid(1_000n, 1_001n), ["fee", "The resource fee is not part of the fee."]],
  ["no resource fee", call, paid(1_000n, 0n)],
  ["a resource fee that a fee bump pays", call, paid(0n, feeCap)],
  ["a resource fee above the cap", call, { ...paid(0n, 101n), ...expecting(call, { feeCap: 100n }) }, [
    "fee",
    "The resource fee of 0.0000101 lumens is above the cap."
  ]],
  ["a resource fee below zero", call, paid(1_000n, -1n), ["fee", "The resource fee of -0.0000001 lumens is above the cap."]],
  ["a call without resources", call, changed(call, { ext: xdr.TransactionExt.v0() }), contractWithout],
  ["a restoration without resources", restoring, changed(restoring, { ext: xdr.TransactionExt.v0() }), contractWithout],
  ["a merge with resources", merge, changed(merge, { ext: txOf(call).ext }), noUse]
]

const ofParties: ReadonlyArray<Row> = [
  ["of another account", merge, changed(merge, { sourceAccount: strangerAccount }), [
    "transaction_source",
    "The transaction is not the account's own."
  ]],
  ["with an id behind the account", merge, changed(merge, { sourceAccount: muxed(txOf(merge).sourceAccount) }), [
    "transaction_source",
    "The transaction is not the account's own."
  ]],
  ["with the last sequence number", merge, expecting(merge, { sequence: merge.expected.sequence + 1n }), [
    "sequence",
    `The transaction uses the sequence number ${txOf(merge).seqNum} instead of ${txOf(merge).seqNum + 1n}.`
  ]]
]

const wrongMemo = ["memo", "The memo of the merge is not the one that you gave."]

const ofMemos: ReadonlyArray<Row> = [
  ...["text", "id", "hash", "return"].flatMap((type): ReadonlyArray<Row> => {
    const one = withMemo(type)
    return [
      [`the ${type} that was given`, one, {}],
      [`none in place of the ${type}`, one, changed(one, { memo: xdr.Memo.memoNone() }), wrongMemo]
    ]
  }),
  ...(["hash", "return"] as const).map((type): Row => {
    const one = withMemo(type)
    return [`a ${type} given in capitals`, one, expecting(one, { memo: { type, value: one.expected.memo?.value.toUpperCase() ?? "" } })]
  }),
  ["none where the merge is not", removal, changed(removal, { memo: xdr.Memo.memoText("a") }), [
    "memo",
    "A memo stands in a transaction without the merge."
  ]],
  ["one that the merge will carry", removal, expecting(removal, { memo: { type: "text", value: "later" } })]
]

const never = (kind: string, index: number): ReadonlyArray<string | number> => [
  "unknown_operation",
  `A close never has such an operation (${kind}).`,
  index
]

const bump = new xdr.Operation({
  sourceAccount: null,
  body: xdr.OperationBody.bumpSequence(new xdr.BumpSequenceOp({ bumpTo: 1n }))
})

const ofOperations: ReadonlyArray<Row> = [
  ["none", merge, changed(merge, { operations: [] }), ["unknown_operation", "The transaction does nothing."]],
  ["one of another kind", merge, changed(merge, { operations: [bump, ...txOf(merge).operations] }), never("bumpSequence", 0)],
  [
    "an asset whose code no decoder reads",
    removal,
    changed(removal, { operations: [new xdr.Operation({ sourceAccount: null, body: unnamed })] }),
    never("changeTrust", 0)
  ],
  ["a merge without its own source", merge, sourceless(merge), never("accountMerge", 0)],
  ["a call without its own source", call, sourceless(call), never("invokeHostFunction", 0)],
  ["a restoration without its own source", restoring, sourceless(restoring), never("restoreFootprint", 0)],
  ["a call beside something else", call, changed(call, { operations: [...txOf(call).operations, bump] }), [
    "resources",
    "A contract is called together with something else."
  ], never("bumpSequence", 1)]
]

const unusable = (message: string) => ["unusable_input", message]
const noAddress = unusable("The source is no account address.")
const noOther = unusable("The destination is no other account address.")
const noThird = unusable("The mediator is no third account.")
const belowZero = unusable("Sequence, balance and fee cap are not below zero.")
const noFloor = unusable("A floor of nothing is none.")
const noTime = unusable("The time is no whole number of seconds.")
const noMemo = unusable("The memo is none that the ledger takes.")
const asks = (type: string) => unusable(`The exchange asks for a memo of the type ${type}.`)
const { source } = merge.expected
const sourceWithId = StrKey.encodeMed25519PublicKey(Buffer.concat([StrKey.decodeEd25519PublicKey(source), Buffer.alloc(8, 1)]))
const payer = mediated.expected.mediator?.address ?? assert.fail("it has no mediator")
const text = { type: "text", value: "a" } as const

const passing = (address: string, memoType: "none" | "text" | "id", fields: Partial<Expected> = {}): Attempt =>
  expecting(mediated, { ...fields, mediator: { address, memoType } })

const ofInputs: ReadonlyArray<Row> = [
  ["a source that is no account", merge, expecting(merge, { source: "me" }), noAddress],
  ["a destination that is no account", merge, expecting(merge, { destination: "you" }), noOther],
  ["the source as destination", merge, expecting(merge, { destination: source }), noOther],
  ["an id behind the source as destination", merge, expecting(merge, { destination: sourceWithId }), noOther],
  ["an id and a memo", toMuxed, expecting(toMuxed, { memo: text }), unusable("A muxed address (M...) carries an id in place of a memo.")],
  ["a mediator that is no account", mediated, passing("exchange", "text"), noThird],
  ["the source as mediator", mediated, passing(mediated.expected.source, "text"), noThird],
  ["the destination as mediator", mediated, passing(mediated.expected.destination, "text"), noThird],
  [
    "a mediator that pays an id",
    toMuxed,
    expecting(toMuxed, { mediator: { address: payer, memoType: "none" } }),
    unusable(
      "No mediator pays an id behind an account (M...)."
    )
  ],
  ["an exchange that asks for no memo", mediated, passing(payer, "none")],
  ["an exchange that asks for another memo", mediated, passing(payer, "id"), asks("id")],
  ["an exchange that asks for a memo, and gets none", mediated, passing(payer, "text", { memo: null }), asks("text")],
  ["a memo that is too long", merge, expecting(merge, { memo: { type: "text", value: "a".repeat(29) } }), noMemo],
  ["an id memo that is no number", merge, expecting(merge, { memo: { type: "id", value: "-1" } }), noMemo],
  ["a sequence below zero", merge, expecting(merge, { sequence: -1n }), belowZero],
  ["a balance below zero", merge, expecting(merge, { balanceStroops: -1n }), belowZero],
  ["a fee cap below zero", merge, expecting(merge, { feeCap: -1n }), belowZero],
  ["a floor of a stroop", merge, expecting(merge, { floors: { "asset:USD-G": 1n } })],
  ["a floor of nothing", merge, expecting(merge, { floors: { "asset:USD-G": 1n, "asset:EUR-G": 0n } }), noFloor],
  ["a time with a fraction", merge, expecting(merge, { now: now + 0.5 }), noTime],
  ["no time", merge, expecting(merge, { now: 0 }), noTime],
  [
    "a decision twice",
    merge,
    expecting(merge, { decisions: [{ id: "a", choice: "b" }, { id: "a", choice: "c" }] }),
    unusable(
      "A decision stands there twice."
    )
  ],
  [
    "all at once",
    mediated,
    passing("x", "text", { source: "me", memo: { type: "id", value: "a" }, now: -1 }),
    noAddress,
    noThird,
    noMemo,
    noTime
  ]
]

const undecodable = ["undecodable", "The text is no transaction as the ledger writes it."]
const { operations, ...bare } = txOf(merge)

const ofEnvelopes: ReadonlyArray<Row> = [
  ["no text", merge, { envelope: "" }, undecodable],
  ["a blank before it", merge, { envelope: ` ${merge.envelope}` }, undecodable],
  ["the old form", merge, {
    envelope: xdr.TransactionEnvelope.envelopeTypeTxV0(
      new xdr.TransactionV0Envelope({
        tx: new xdr.TransactionV0({
          ...bare,
          operations,
          sourceAccountEd25519: strangerId.ed25519,
          timeBounds: null,
          ext: xdr.TransactionV0Ext.v0()
        }),
        signatures: []
      })
    ).toXdr("base64")
  }, ["undecodable", "The transaction is of an old form, which a close never has."]],
  ["a fee bump", merge, {
    envelope: TransactionBuilder.buildFeeBumpTransaction(
      Keypair.fromPublicKey(stranger),
      "200",
      TransactionBuilder.fromXdr(merge.envelope, merge.expected.networkPassphrase) as never,
      merge.expected.networkPassphrase
    ).toXdr()
  }, ["fee_bump", "The transaction is wrapped in a fee bump. Sign the transaction inside, and wrap it yourself."]]
]

const rows: Readonly<Record<string, ReadonlyArray<Row>>> = {
  "conditions": ofConditions,
  "cost": ofCost,
  "parties": ofParties,
  "memos": ofMemos,
  "operations": ofOperations,
  "inputs": ofInputs,
  "envelopes": ofEnvelopes
}

const sold = caseOf("swap_exact_tokens_for_tokens", ({ expected: { decisions } }) => decisions.every(({ id }) => !id.startsWith("token:")))
const contractOf = (id: string): string => {
  const [code = "", issuer = ""] = id.slice("asset:".length).split("-")
  return new Asset(code, issuer).contractId(sold.expected.networkPassphrase)
}
const assetDecisions = sold.expected.decisions.filter(({ id }) => id.startsWith("asset:"))

/** A decision for each asset by its contract, which asks for next to nothing. */
const cheap = assetDecisions.map(({ id }) => ({
  id: `token:${contractOf(id)}`,
  choice: "convert_to_native",
  params: { minReceive: "0.0000001" }
}))

const rulesOf = (decisions: Expected["decisions"]) =>
  violations(sold, expecting(sold, { decisions: [...decisions, ...cheap] })).map(([rule]) => rule)

describe("a sale that two decisions are about", () => {
  it("must be one that both ask for, at the higher floor", () => {
    assert.deepStrictEqual(rulesOf(sold.expected.decisions), [])
    assert.deepStrictEqual(
      rulesOf(assetDecisions.map((one) => ({ ...one, params: { ...one.params, minReceive: "900000000.0000000" } }))),
      ["sale_floor"]
    )
    assert.deepStrictEqual(rulesOf(assetDecisions.map(({ id }) => ({ id, choice: "return_to_issuer" }))), ["not_decided"])
  })
})

describe("a merge over what a decision keeps", () => {
  it.each(["claim", "claims"])("is refused: to keep is no word for leaving %s behind", (kind) => {
    const claim = "0".repeat(72)
    const id = kind === "claim" ? `claim:${claim}` : "claims:native"
    const made = expecting(merge, {
      decisions: [...merge.expected.decisions, { id, choice: "keep" }],
      phase: { held: [...merge.expected.phase.held, { id: `claim:${claim}`, asset: "native", amount: 1n }] }
    })
    assert.deepStrictEqual(violations(merge, made).map(([rule]) => rule), ["left_behind"])
  })
})

describe("what the verifier says of a transaction", () => {
  for (const [area, cases] of Object.entries(rows)) {
    it(`names every rule that is broken, and no other: ${area}`, () => {
      for (const [title, one, made, ...broken] of cases) {
        assert.deepStrictEqual(violations(one, made), broken, title)
      }
    })
  }

  it("is the hash that the network signs, where it breaks none", () => {
    for (const one of [merge, call, mediated]) {
      const signed = TransactionBuilder.fromXdr(one.envelope, one.expected.networkPassphrase).hash()
      assert.deepStrictEqual(judged(one, {}), { ok: true, hash: Buffer.from(signed).toString("hex") })
    }
  })

  it("is that it cannot be read, where a caller without types leaves something out", () => {
    const { floors: _, ...expected } = merge.expected
    const [[rule, message] = []] = violations(merge, { expected: expected as Expected })
    assert.strictEqual(rule, "undecodable")
    assert.match(String(message), /^The transaction cannot be read to its end: TypeError: .+\.$/)
  })
})
