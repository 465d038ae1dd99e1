import { xdr } from "@stellar/stellar-sdk"
import { type Case, changed, harmless, hostile, type Mutation, txOf } from "../Case.ts"
import { accountNamed, muxed, stranger, strangerAccount, strangerId } from "../Strangers.ts"

const day = 86_400n

const conditions = (one: Case, fields: Partial<ConstructorParameters<typeof xdr.PreconditionsV2>[0]>) => {
  const { cond } = txOf(one)
  return cond.type === "precondV2"
    ? changed(one, { cond: xdr.Preconditions.precondV2(new xdr.PreconditionsV2({ ...cond.v2, ...fields })) })
    : null
}

const times = (one: Case, fields: { readonly minTime?: bigint; readonly maxTime?: bigint }) => {
  const { cond } = txOf(one)
  const bounds = cond.type === "precondV2" ? cond.v2.timeBounds : null
  return bounds === null ? null : conditions(one, { timeBounds: new xdr.TimeBounds({ ...bounds, ...fields }) })
}

const now = ({ expected }: Case): bigint => BigInt(expected.now)

const hasData = (one: Case) => {
  const { ext } = txOf(one)
  return ext.type === "sorobanData" ? ext.sorobanData : null
}

const resources = (one: Case, fields: Partial<ConstructorParameters<typeof xdr.SorobanTransactionData>[0]>) => {
  const data = hasData(one)
  return data === null
    ? null
    : changed(one, { ext: xdr.TransactionExt.sorobanData(new xdr.SorobanTransactionData({ ...data, ...fields })) })
}

const noData = new xdr.SorobanTransactionData({
  ext: xdr.SorobanTransactionDataExt.v0(),
  resources: new xdr.SorobanResources({
    footprint: new xdr.LedgerFootprint({ readOnly: [], readWrite: [] }),
    instructions: 1,
    diskReadBytes: 1,
    writeBytes: 1
  }),
  resourceFee: 1n
})

const merges = (one: Case): boolean => txOf(one).operations.some(({ body }) => body.type === "accountMerge")

const onlyWithMemo = (memo: (one: Case) => xdr.Memo) => (one: Case) =>
  merges(one) && one.expected.memo !== null ? changed(one, { memo: memo(one) }) : null

/** Everything around the operations of a transaction. */
export const ofEnvelope: ReadonlyArray<Mutation> = [
  hostile("a fee above the cap", (one) => changed(one, { fee: Number(one.expected.feeCap) + 1 })),
  hostile("the largest fee", (one) => changed(one, { fee: 0xffffffff })),
  hostile("a cap lower than the fee", (one) => ({ expected: { ...one.expected, feeCap: BigInt(txOf(one).fee) - 1n } })),
  hostile("a resource fee above the cap", (one) => resources(one, { resourceFee: one.expected.feeCap + 1n })),
  hostile("a resource fee that the fee does not pay", (one) => resources(one, { resourceFee: BigInt(txOf(one).fee) + 1n })),
  hostile("a resource fee below zero", (one) => resources(one, { resourceFee: -1n })),
  hostile("the sequence number after the next", (one) => changed(one, { seqNum: txOf(one).seqNum + 1n })),
  hostile("the last sequence number again", (one) => changed(one, { seqNum: txOf(one).seqNum - 1n })),
  hostile("a sequence number of years ahead", (one) => changed(one, { seqNum: txOf(one).seqNum + (1n << 50n) })),
  hostile("another account's transaction", (one) => changed(one, { sourceAccount: strangerAccount })),
  hostile("the destination's transaction", (one) => changed(one, { sourceAccount: accountNamed(one.expected.destination) })),
  hostile("a number behind the account", (one) => changed(one, { sourceAccount: muxed(txOf(one).sourceAccount) })),
  hostile("usable for another day", (one) => times(one, { maxTime: now(one) + day })),
  hostile("usable for ever", (one) => times(one, { maxTime: 0n })),
  hostile("expired", (one) => times(one, { maxTime: now(one) - 1n })),
  hostile("expired this very second", (one) => times(one, { maxTime: now(one) })),
  hostile("without time bounds", (one) => conditions(one, { timeBounds: null })),
  hostile("usable from later on", (one) => times(one, { minTime: now(one) + 60n })),
  hostile(
    "usable from a later ledger on",
    (one) => conditions(one, { ledgerBounds: new xdr.LedgerBounds({ minLedger: 9_999_999, maxLedger: 0 }) })
  ),
  hostile("with any sequence number from an earlier one on", (one) => conditions(one, { minSeqNum: txOf(one).seqNum - 10n })),
  hostile("after the sequence number has aged", (one) => conditions(one, { minSeqAge: 100n })),
  hostile("after some ledgers without a transaction", (one) => conditions(one, { minSeqLedgerGap: 5 })),
  hostile("with a signer more", (one) => conditions(one, { extraSigners: [xdr.SignerKey.signerKeyTypeEd25519(strangerId.ed25519)] })),
  hostile("with a preimage as signer", (one) => conditions(one, { extraSigners: [xdr.SignerKey.signerKeyTypeHashX(Buffer.alloc(32, 1))] })),
  hostile("without conditions", (one) => changed(one, { cond: xdr.Preconditions.precondNone() })),
  hostile(
    "with time bounds alone",
    (one) => changed(one, { cond: xdr.Preconditions.precondTime(new xdr.TimeBounds({ minTime: 0n, maxTime: now(one) + 100n })) })
  ),
  hostile("a memo without a merge", (one) => (merges(one) ? null : changed(one, { memo: xdr.Memo.memoText("12345") }))),
  hostile("an id memo without a merge", (one) => (merges(one) ? null : changed(one, { memo: xdr.Memo.memoId(1n) }))),
  hostile(
    "a memo that nobody asked for",
    (one) => merges(one) && one.expected.memo === null ? changed(one, { memo: xdr.Memo.memoText("12345") }) : null
  ),
  hostile("the memo left out", onlyWithMemo(() => xdr.Memo.memoNone())),
  hostile(
    "another memo of the type",
    onlyWithMemo(({ expected: { memo } }) => memo?.type === "id" ? xdr.Memo.memoId(BigInt(memo.value) ^ 1n) : xdr.Memo.memoText("else"))
  ),
  hostile(
    "the memo as another type",
    onlyWithMemo(({ expected: { memo } }) => memo?.type === "id" ? xdr.Memo.memoText(memo.value) : xdr.Memo.memoId(7n))
  ),
  hostile("the memo as a return hash", onlyWithMemo(() => xdr.Memo.memoReturn(Buffer.alloc(32, 3)))),
  hostile(
    "another memo than the caller's",
    (one) => merges(one) ? { expected: { ...one.expected, memo: { type: "hash", value: "9c".repeat(32) } } } : null
  ),
  hostile("wrapped in a fee bump", (one) => ({
    envelope: xdr.TransactionEnvelope.envelopeTypeTxFeeBump(
      new xdr.FeeBumpTransactionEnvelope({
        tx: new xdr.FeeBumpTransaction({
          feeSource: strangerAccount,
          fee: 1_000n,
          innerTx: xdr.FeeBumpTransactionInnerTx.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx: txOf(one), signatures: [] })),
          ext: xdr.FeeBumpTransactionExt.v0()
        }),
        signatures: []
      })
    ).toXdr("base64")
  })),
  hostile(
    "bytes behind the envelope",
    ({ envelope }) => ({ envelope: Buffer.concat([Buffer.from(envelope, "base64"), Buffer.alloc(4)]).toString("base64") })
  ),
  hostile("the envelope cut short", ({ envelope }) => ({ envelope: Buffer.from(envelope, "base64").subarray(0, -4).toString("base64") })),
  hostile("blanks in the text", ({ envelope }) => ({ envelope: ` ${envelope}` })),
  hostile("hex in place of base64", ({ envelope }) => ({ envelope: Buffer.from(envelope, "base64").toString("hex") })),
  hostile("no text at all", () => ({ envelope: "" })),
  hostile(
    "resources beside classic operations",
    (one) => hasData(one) === null ? changed(one, { ext: xdr.TransactionExt.sorobanData(noData) }) : null
  ),
  hostile("a call without resources", (one) => hasData(one) === null ? null : changed(one, { ext: xdr.TransactionExt.v0() })),
  hostile("no operation", (one) => changed(one, { operations: [] })),
  hostile("another account expected", ({ expected }) => ({ expected: { ...expected, source: stranger } })),
  hostile(
    "the destination of somebody else expected",
    (one) => merges(one) && one.expected.mediator === undefined ? { expected: { ...one.expected, destination: stranger } } : null
  ),
  harmless(
    "a lower fee",
    (one) => hasData(one) === null && one.expected.mediator === undefined ? changed(one, { fee: Math.max(1, txOf(one).fee - 1) }) : null
  ),
  harmless("an earlier end", (one) => times(one, { maxTime: now(one) + 1n })),
  harmless("another last ledger", (one) => conditions(one, { ledgerBounds: new xdr.LedgerBounds({ minLedger: 0, maxLedger: 77 }) })),
  harmless("no last ledger", (one) => conditions(one, { ledgerBounds: null })),
  harmless("more instructions", (one) => {
    const data = hasData(one)
    return data === null ? null : resources(one, { resources: new xdr.SorobanResources({ ...data.resources, instructions: 99_999_999 }) })
  }),
  harmless("another footprint", (one) => {
    const data = hasData(one)
    const key = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: strangerId }))
    return data === null ? null : resources(one, {
      resources: new xdr.SorobanResources({
        ...data.resources,
        footprint: new xdr.LedgerFootprint({
          readOnly: [...data.resources.footprint.readOnly, key],
          readWrite: data.resources.footprint.readWrite
        })
      })
    })
  }),
  harmless("archived entries brought back on the way", (one) =>
    hasData(one) === null ? null : resources(one, {
      ext: xdr.SorobanTransactionDataExt.resourceExt(new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: [0] }))
    })),
  harmless("signed by somebody", (one) => ({
    envelope: xdr.TransactionEnvelope.envelopeTypeTx(
      new xdr.TransactionV1Envelope({
        tx: txOf(one),
        signatures: [new xdr.DecoratedSignature({ hint: Buffer.alloc(4), signature: Buffer.alloc(64) })]
      })
    ).toXdr("base64")
  }))
]
