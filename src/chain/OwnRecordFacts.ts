import { Address, StrKey, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { AccountAddress } from "../domain/Address.ts"
import { UpstreamUnusable } from "../domain/failure/Upstream.ts"
import { allowanceKeysIn } from "../stellar/AllowanceKeys.ts"
import type { OwnRecord } from "./ledger-api/OwnRecord.ts"

/** What a transaction of the past says about where its account has been. */
export interface RecordFacts {
  readonly ledger: number
  readonly pagingToken: bigint
  /** The sequence number it used up, where the account itself was its source. */
  readonly sequence: bigint | null
  /** It was valid from any lower sequence number on: numbers between were skipped. */
  readonly skips: boolean
  /** To what it raised the account's sequence number; null where it did not. */
  readonly bumpedTo: bigint | null
  /** The account called a contract, or agreed to a call of another's. */
  readonly isCall: boolean
  /** What the call read and wrote, its own or a stranger's that names the account. */
  readonly footprint: ReadonlyArray<xdr.LedgerKey>
  /** Keys of allowances of the account that a call of its own wrote: nobody else can give one. */
  readonly allowances: ReadonlyArray<xdr.LedgerKey>
}

const invokeHostFunction = 24
const bumpSequence = 11
const preconditionsV2 = 2

/** Whether an envelope may hold one of these numbers behind its own type: operation types and the like stand in it as 32 bits, four bytes aligned. */
const mayHold = (bytes: Buffer, wanted: ReadonlyArray<number>): boolean => {
  for (let at = 4; at + 4 <= bytes.length; at += 4) if (wanted.includes(bytes.readUInt32BE(at))) return true
  return false
}

const transactionIn = (envelope: xdr.TransactionEnvelope): xdr.Transaction | null => {
  switch (envelope.type) {
    case "envelopeTypeTx":
      return envelope.v1.tx
    case "envelopeTypeTxFeeBump":
      return envelope.feeBump.tx.innerTx.v1.tx
    default:
      return null
  }
}

const ownerOf = (source: xdr.MuxedAccount | null): string | null => {
  if (source === null) return null
  return StrKey.encodeEd25519PublicKey(source.type === "keyTypeEd25519" ? source.ed25519.value : source.med25519.ed25519.value)
}

const agrees = (address: AccountAddress, { credentials }: xdr.SorobanAuthorizationEntry): boolean =>
  credentials.type === "sorobanCredentialsAddress" && Address.fromScAddress(credentials.address.address).toString() === address

const isOwnCall = (address: AccountAddress, isSource: boolean) => ({ body, sourceAccount }: xdr.Operation): boolean =>
  body.type === "invokeHostFunction" &&
  ((sourceAccount === null ? isSource : ownerOf(sourceAccount) === address) || body.invokeHostFunctionOp.auth.some((entry) => agrees(address, entry)))

const raisedBy = (address: AccountAddress, isSource: boolean) => ({ body, sourceAccount }: xdr.Operation): ReadonlyArray<bigint> =>
  body.type === "bumpSequence" && (sourceAccount === null ? isSource : ownerOf(sourceAccount) === address) ? [body.bumpSequenceOp.bumpTo] : []

const decoded = (record: OwnRecord, address: AccountAddress, plain: RecordFacts): RecordFacts => {
  const tx = transactionIn(xdr.TransactionEnvelope.fromXdr(record.envelope_xdr, "base64"))
  if (tx === null) return plain
  const isSource = record.source_account === address
  const raised = record.successful ? tx.operations.flatMap(raisedBy(address, isSource)) : []
  const { readOnly, readWrite } = tx.ext.type === "sorobanData" ? tx.ext.sorobanData.resources.footprint : { readOnly: [], readWrite: [] }
  const isCall = tx.operations.some(isOwnCall(address, isSource))
  return {
    ...plain,
    skips: tx.cond.type === "precondV2" && tx.cond.v2.minSeqNum !== null,
    bumpedTo: raised.reduce<bigint | null>((most, one) => (most === null || one > most ? one : most), null),
    isCall,
    footprint: [...readOnly, ...readWrite],
    allowances: isCall && record.successful ? allowanceKeysIn(readWrite, address) : []
  }
}

/** The facts of a record. Its envelope is decoded only where it may call a contract, or may leave sequence numbers out. */
export const factsOf = (address: AccountAddress, record: OwnRecord): Effect.Effect<RecordFacts, UpstreamUnusable> => {
  const isSource = record.source_account === address
  const plain: RecordFacts = {
    ledger: record.ledger,
    pagingToken: record.paging_token,
    sequence: isSource ? record.source_account_sequence : null,
    skips: false,
    bumpedTo: null,
    isCall: false,
    footprint: [],
    allowances: []
  }
  const wanted = [invokeHostFunction, bumpSequence, ...(isSource ? [preconditionsV2] : [])]
  return mayHold(Buffer.from(record.envelope_xdr, "base64"), wanted)
    ? Effect.try({ try: () => decoded(record, address, plain), catch: () => new UpstreamUnusable({ source: "ledger_api" }) })
    : Effect.succeed(plain)
}
