import { Address, StrKey, xdr } from "@stellar/stellar-sdk"
import { type AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { agreeingAddresses } from "../../stellar/AddressCredentials.ts"
import { allowanceKeysIn } from "../../stellar/AllowanceKeys.ts"
import type { OwnRecord } from "../ledger-api/OwnRecord.ts"
import { readKnown } from "../xdr/KnownXdr.ts"
import { type Part, type Path, placesIn } from "../xdr/XdrPlaces.ts"
import { hasUnknownArm, schemaOf, walkOf } from "../xdr/XdrWalk.ts"
import type { Author } from "./NamedContracts.ts"

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
  readonly author: Author
  /** The account called a contract, or agreed to a call of another's. */
  readonly isCall: boolean
  /** Keys with the account in them that a call of its own read or wrote, or that a stranger's, which succeeded, wrote: a write puts something there. */
  readonly footprint: ReadonlyArray<xdr.LedgerKey>
  /** Keys of allowances of the account that a call of its own wrote: no one else can give one. */
  readonly allowances: ReadonlyArray<xdr.LedgerKey>
  /** Contracts that a call of its own, which succeeded, declared to read or write anything of. */
  readonly called: ReadonlyArray<ContractAddress>
  /** It has an unknown arm, and is the account's own or may be a call that it agreed to: what it names is missing here. */
  readonly isUnread: boolean
}

const invokeHostFunction = xdr.OperationType.invokeHostFunction.value
const bumpSequence = xdr.OperationType.bumpSequence.value

/** From an envelope to its transaction: plain, and within a fee bump. */
const transactions = [["v1", "tx"], ["feeBump", "tx", "innerTx", "v1", "tx"]]

const inTransaction = (...path: Path): ReadonlyArray<Path> => transactions.map((tx) => [...tx, ...path])

const placesOf = placesIn(xdr.TransactionEnvelope, {
  operations: inTransaction("operations"),
  least: inTransaction("cond", "v2", "minSeqNum"),
  readOnly: inTransaction("ext", "sorobanData", "resources", "footprint", "readOnly"),
  readWrite: inTransaction("ext", "sorobanData", "resources", "footprint", "readWrite")
})

/** What one envelope is looked into for. */
interface Looked {
  readonly bytes: Buffer
  readonly places: NonNullable<ReturnType<typeof placesOf>>
  readonly address: AccountAddress
  /** Where the public key of the account stands in the envelope: anything that names the account holds its 32 bytes. */
  readonly named: ReadonlyArray<number>
  /** Whether the account used up a sequence number by it. */
  readonly isSource: boolean
}

const keyBytes = 32
const contractAddress = xdr.ScAddressType.scAddressTypeContract.value

const namedIn = (bytes: Buffer, publicKey: Buffer): ReadonlyArray<number> => {
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
  agreeingAddresses(credentials).some((one) => Address.fromScAddress(one).toString() === address)

const isOwnCall = (looked: Looked, operation: xdr.Operation): boolean =>
  operation.body.type === "invokeHostFunction" &&
  (isOf(looked, operation) || operation.body.invokeHostFunctionOp.auth.some((entry) => agrees(looked.address, entry)))

const raisedBy = (looked: Looked, operation: xdr.Operation): ReadonlyArray<bigint> =>
  operation.body.type === "bumpSequence" && isOf(looked, operation) ? [operation.body.bumpSequenceOp.bumpTo] : []

const sourceEnd = walkOf(schemaOf(xdr.MuxedAccount))

/** Where the body of an operation begins: behind its source, if it has one of its own. */
const bodyAt = (bytes: Buffer, from: number): number => (bytes.readUInt32BE(from) === 0 ? from + 4 : sourceEnd(bytes, from + 4))

const authorOf = (isSigned: boolean, isCall: boolean): Author => {
  if (isSigned) return "account"
  return isCall ? "agreed" : "stranger"
}

/** What the operations of a transaction show about the account. */
const operationsIn = (looked: Looked): Pick<RecordFacts, "author" | "bumpedTo" | "isCall"> => {
  const { bytes, isSource, places } = looked
  let [isCall, isSigned] = [false, isSource]
  const raised: Array<bigint> = []
  for (const part of places.operations ?? []) {
    // No source of its own: that of the transaction.
    const isOwn = isSource && bytes.readUInt32BE(part.from) === 0
    const type = bytes.readInt32BE(bodyAt(bytes, part.from))
    if (type === invokeHostFunction && isOwn) {
      isCall = true
    } else if ((type === invokeHostFunction || type === bumpSequence) && (isOwn || isNamedIn(looked, part))) {
      const operation = readKnown<xdr.Operation>(xdr.Operation, bytes.subarray(part.from, part.to))
      isSigned ||= isOf(looked, operation)
      isCall ||= isOwnCall(looked, operation)
      raised.push(...raisedBy(looked, operation))
    }
  }
  return {
    author: authorOf(isSigned, isCall),
    isCall,
    bumpedTo: raised.reduce<bigint | null>((most, one) => (most === null || one > most ? one : most), null)
  }
}

const footprintIn = (looked: Looked, parts: ReadonlyArray<Part> | null): ReadonlyArray<xdr.LedgerKey> =>
  (parts ?? []).filter((part) => isNamedIn(looked, part)).map(({ from, to }) =>
    readKnown<xdr.LedgerKey>(xdr.LedgerKey, looked.bytes.subarray(from, to))
  )

const contractData = xdr.LedgerEntryType.contractData.value
const contractIdBytes = 32

/** The contracts whose entries these keys name, by their bytes: a type, the kind of the address, its 32 bytes. */
const contractsIn = ({ bytes }: Looked, parts: ReadonlyArray<Part>): ReadonlyArray<ContractAddress> => {
  const ids = new Set<string>()
  for (const { from } of parts) {
    if (bytes.readInt32BE(from) !== contractData || bytes.readInt32BE(from + 4) !== contractAddress) continue
    ids.add(bytes.toString("hex", from + 8, from + 8 + contractIdBytes))
  }
  return Array.from(ids, (id) => ContractAddress.make(StrKey.encodeContract(Buffer.from(id, "hex"))))
}

/** Whether the account's own transaction was valid from lower sequence numbers on. */
const skipsIn = ({ bytes, isSource, places: { least } }: Looked): boolean =>
  isSource && (least ?? []).some(({ from }) => bytes.readUInt32BE(from) === 1)

/** Whose history is looked into, and whether a record is of its own making. */
interface Looking extends Pick<Looked, "isSource"> {
  readonly publicKey: Buffer
}

/** How a contract's value, or an agreement to a call, begins to name an account. */
const asAddress = Buffer.alloc(8)

/** What the ledger API says beside an envelope that has an unknown arm; null where it is no envelope at all. */
const unreadFacts = (record: OwnRecord, bytes: Buffer, { isSource, publicKey }: Looking): RecordFacts | null => {
  if (!hasUnknownArm(xdr.TransactionEnvelope, bytes)) return null
  const isUnread = isSource || bytes.includes(Buffer.concat([asAddress, publicKey]))
  return {
    ledger: record.ledger,
    pagingToken: record.paging_token,
    sequence: isSource ? record.source_account_sequence : null,
    skips: isSource,
    bumpedTo: null,
    author: authorOf(isSource, isUnread),
    isCall: isUnread,
    footprint: [],
    allowances: [],
    called: [],
    isUnread
  }
}

/** Throws where a part cannot be decoded. */
const readFacts = (record: OwnRecord, looked: Looked): RecordFacts => {
  const { address, isSource, places } = looked
  const { author, bumpedTo, isCall } = operationsIn(looked)
  const isStranger = author === "stranger"
  const written = isStranger && !record.successful ? [] : footprintIn(looked, places.readWrite)
  const isDone = isCall && record.successful
  return {
    ledger: record.ledger,
    pagingToken: record.paging_token,
    sequence: isSource ? record.source_account_sequence : null,
    skips: skipsIn(looked),
    bumpedTo: record.successful ? bumpedTo : null,
    author,
    isCall,
    footprint: isStranger ? written : [...footprintIn(looked, places.readOnly), ...written],
    allowances: isDone ? allowanceKeysIn(written, address) : [],
    called: isDone ? contractsIn(looked, [...places.readOnly ?? [], ...places.readWrite ?? []]) : [],
    isUnread: false
  }
}

/**
 * The facts of records in the history of an account. An envelope is walked through once, from end to end, and of it only what names the
 * account is decoded. Of one with an unknown arm there is what the ledger API says beside it. Null for what is no envelope, or cannot
 * be decoded: nothing is known of it.
 */
export const factsFor = (address: AccountAddress) => {
  const publicKey = Buffer.from(StrKey.decodeEd25519PublicKey(address))
  return (record: OwnRecord): RecordFacts | null => {
    const bytes = Buffer.from(record.envelope_xdr, "base64")
    if (bytes.toString("base64") !== record.envelope_xdr) return null
    const places = placesOf(bytes)
    const isSource = record.source_account === address
    if (places === null) return unreadFacts(record, bytes, { isSource, publicKey })
    try {
      return readFacts(record, { bytes, places, address, named: namedIn(bytes, publicKey), isSource })
    } catch {
      return null
    }
  }
}
