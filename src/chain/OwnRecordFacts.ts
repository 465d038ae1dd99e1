import { Address, StrKey, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { AccountAddress } from "../domain/Address.ts"
import { UpstreamUnusable } from "../domain/failure/Upstream.ts"
import { allowanceKeysIn } from "../stellar/AllowanceKeys.ts"
import type { OwnRecord } from "./ledger-api/OwnRecord.ts"
import { beginningOf, elementsAt, isWhole, type Part } from "./XdrWalk.ts"

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
  /** Keys with the account in them that the call read or wrote, its own call or a stranger's. */
  readonly footprint: ReadonlyArray<xdr.LedgerKey>
  /** Keys of allowances of the account that a call of its own wrote: nobody else can give one. */
  readonly allowances: ReadonlyArray<xdr.LedgerKey>
}

const invokeHostFunction = xdr.OperationType.invokeHostFunction.value
const bumpSequence = xdr.OperationType.bumpSequence.value

/** What one envelope is looked into for. */
interface Looked {
  readonly bytes: Buffer
  /** Where its transaction begins. */
  readonly tx: number
  readonly address: AccountAddress
  /** Where the public key of the account stands: whatever names the account holds its 32 bytes. */
  readonly named: ReadonlyArray<number>
  /** Whether the account used up a sequence number by it. */
  readonly isSource: boolean
}

const keyBytes = 32

const placesOf = (bytes: Buffer, publicKey: Buffer): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (let at = bytes.indexOf(publicKey); at >= 0; at = bytes.indexOf(publicKey, at + 1)) places.push(at)
  return places
}

const isNamedIn = ({ named }: Looked, { from, to }: Part): boolean => named.some((at) => at >= from && at + keyBytes <= to)

const ownerOf = (source: xdr.MuxedAccount): string =>
  StrKey.encodeEd25519PublicKey(source.type === "keyTypeEd25519" ? source.ed25519.value : source.med25519.ed25519.value)

const isOf = ({ address, isSource }: Looked, { sourceAccount }: xdr.Operation): boolean =>
  sourceAccount === null ? isSource : ownerOf(sourceAccount) === address

const agrees = (address: AccountAddress, { credentials }: xdr.SorobanAuthorizationEntry): boolean =>
  credentials.type === "sorobanCredentialsAddress" && Address.fromScAddress(credentials.address.address).toString() === address

const isOwnCall = (looked: Looked, operation: xdr.Operation): boolean =>
  operation.body.type === "invokeHostFunction" &&
  (isOf(looked, operation) || operation.body.invokeHostFunctionOp.auth.some((entry) => agrees(looked.address, entry)))

const raisedBy = (looked: Looked, operation: xdr.Operation): ReadonlyArray<bigint> =>
  operation.body.type === "bumpSequence" && isOf(looked, operation) ? [operation.body.bumpSequenceOp.bumpTo] : []

/** What the operations of a transaction tell of the account. */
const operationsIn = (looked: Looked): Pick<RecordFacts, "bumpedTo" | "isCall"> => {
  const { bytes, isSource, tx } = looked
  const list = beginningOf(xdr.Transaction, ["operations"], bytes, tx)
  const told = (list === null ? [] : elementsAt(xdr.Operation, bytes, list)).map((part) => {
    const { from, to } = part
    // No source of its own: that of the transaction.
    const isOwn = isSource && bytes.readUInt32BE(from) === 0
    const body = beginningOf(xdr.Operation, ["body"], bytes, from)
    const type = body === null ? null : bytes.readInt32BE(body)
    if (type !== invokeHostFunction && type !== bumpSequence) return { isCall: false, raised: [] }
    if (type === invokeHostFunction && isOwn) return { isCall: true, raised: [] }
    if (!isOwn && !isNamedIn(looked, part)) return { isCall: false, raised: [] }
    const operation = xdr.Operation.fromXdr(bytes.subarray(from, to))
    return { isCall: isOwnCall(looked, operation), raised: raisedBy(looked, operation) }
  })
  const raised = told.flatMap((one) => one.raised)
  return {
    isCall: told.some(({ isCall }) => isCall),
    bumpedTo: raised.reduce<bigint | null>((most, one) => (most === null || one > most ? one : most), null)
  }
}

const footprintIn = (looked: Looked, parts: ReadonlyArray<"readOnly" | "readWrite">): ReadonlyArray<xdr.LedgerKey> =>
  parts.flatMap((name) => {
    const list = beginningOf(xdr.Transaction, ["ext", "sorobanData", "resources", "footprint", name], looked.bytes, looked.tx)
    return list === null ? [] : elementsAt(xdr.LedgerKey, looked.bytes, list)
  }).filter((part) => isNamedIn(looked, part)).map(({ from, to }) => xdr.LedgerKey.fromXdr(looked.bytes.subarray(from, to)))

/** Whether the account's own transaction was valid from lower sequence numbers on. */
const skipsIn = ({ bytes, isSource, tx }: Looked): boolean => {
  const least = isSource ? beginningOf(xdr.Transaction, ["cond", "v2", "minSeqNum"], bytes, tx) : null
  return least !== null && bytes.readUInt32BE(least) === 1
}

const transactionIn = (bytes: Buffer): number | null =>
  beginningOf(xdr.TransactionEnvelope, ["v1", "tx"], bytes) ??
    beginningOf(xdr.TransactionEnvelope, ["feeBump", "tx", "innerTx", "v1", "tx"], bytes)

const unusable = () => new UpstreamUnusable({ source: "ledger_api" })

/**
 * The facts of records in the history of an account. An envelope is walked through from end to end, and of it only what names the account
 * is decoded. What is no envelope, or cannot be decoded, is a failure: nothing is known of it.
 */
export const factsFor = (address: AccountAddress) => {
  const publicKey = Buffer.from(StrKey.decodeEd25519PublicKey(address))
  return (record: OwnRecord): Effect.Effect<RecordFacts, UpstreamUnusable> =>
    Effect.suspend(() => {
      const bytes = Buffer.from(record.envelope_xdr, "base64")
      if (bytes.toString("base64") !== record.envelope_xdr || !isWhole(xdr.TransactionEnvelope, bytes)) return unusable()
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
      const tx = transactionIn(bytes)
      if (tx === null) return Effect.succeed(plain)
      const looked: Looked = { bytes, tx, address, named: placesOf(bytes, publicKey), isSource }
      return Effect.try({
        try: () => {
          const { bumpedTo, isCall } = operationsIn(looked)
          const written = footprintIn(looked, ["readWrite"])
          return {
            ...plain,
            isCall,
            bumpedTo: record.successful ? bumpedTo : null,
            skips: skipsIn(looked),
            footprint: [...footprintIn(looked, ["readOnly"]), ...written],
            allowances: isCall && record.successful ? allowanceKeysIn(written, address) : []
          }
        },
        catch: unusable
      })
    })
}
