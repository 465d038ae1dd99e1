import { AccountAddress } from "../../domain/Address.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { build, type Operation } from "../../operations/Operations.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { xdrLength } from "../../xdr/XdrBytes.ts"
import type { CloseInput } from "./CloseInput.ts"
import { envelopeOf } from "./Envelope.ts"
import { mostSignatures } from "./Weight.ts"

/** Bytes of a signature: its hint, its length and 64 bytes; a shorter preimage has fewer. */
const signatureBytes = 72

/** Signatures that the ledger allows on an envelope. */
const mostInEnvelope = 20

/** Bytes that a fee bump adds to an envelope, one signature of its payer among them. */
const feeBumpBytes = 132

/** Bytes of a classic envelope without operations and signatures, with the longest memo. */
const bareBytes = xdrLength(envelopeOf({
  source: AccountAddress.make("GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF"),
  currentSequence: 0n,
  operations: [],
  feePerOperation: 0n,
  memo: { type: "hash", value: "00".repeat(32) },
  maxTime: 0n,
  maxLedger: 0
}))

/** Bytes of operations in an envelope. */
export const operationBytes = (operations: ReadonlyArray<Operation>): number =>
  operations.reduce((sum, operation) => sum + xdrLength(build(operation)), 0)

/** Bytes of the most signatures that an envelope of these accounts may need, and of the fee bump around it. */
export const approvalBytes = (
  ledgerState: LedgerState,
  { feePayer }: Pick<CloseInput, "feePayer">,
  accounts: Iterable<AccountAddress>
): number => {
  let signatures = 0
  for (const address of accounts) {
    const found = ledgerState.get(accountKey(address))?.data
    if (found?.type === "account") signatures += mostSignatures(found.account)
  }
  return Math.min(signatures, mostInEnvelope) * signatureBytes + (feePayer === "fee_bump" ? feeBumpBytes : 0)
}

/** The room for operations in an envelope whose size is limited. */
export interface EnvelopeRoom {
  /** Bytes for operations of an empty envelope. */
  readonly whole: number
  /** Bytes left for operations of the account itself. */
  readonly left: () => number
  readonly fits: (operations: ReadonlyArray<Operation>) => boolean
  readonly take: (operations: ReadonlyArray<Operation>) => void
}

/** The room of an envelope that may be as large as the ledger allows. */
const unlimited: EnvelopeRoom = { whole: Infinity, left: () => Infinity, fits: () => true, take: () => {} }

/** The room of the next envelope: limited where the request wants that. */
export const envelopeRoom = (input: CloseInput, ledgerState: LedgerState): EnvelopeRoom => {
  const { envelopeLimit } = input
  if (envelopeLimit === null) return unlimited
  const accounts = new Set([input.source])
  let taken = 0
  const leftFor = (signing: ReadonlySet<AccountAddress>) => envelopeLimit - bareBytes - taken - approvalBytes(ledgerState, input, signing)
  const actors = (operations: ReadonlyArray<Operation>) => new Set([...accounts, ...operations.map(({ source }) => source)])
  return {
    whole: leftFor(accounts),
    left: () => leftFor(accounts),
    fits: (operations) => operationBytes(operations) <= leftFor(actors(operations)),
    take: (operations) => {
      taken += operationBytes(operations)
      for (const address of actors(operations)) accounts.add(address)
    }
  }
}

/** Bytes of a claim. */
const claimBytes = 80

/** Operations around the claims of an asset, and their bytes at most: a trustline, a sale over the longest path, the removal of the trustline. */
const around = { operations: 3, bytes: 672 } as const

/** How many operations of one asset's claims and what stands around them have room in so many bytes, for any asset and path. */
export const claimOperationsIn = (bytes: number): number =>
  bytes < around.bytes
    ? Math.floor(Math.max(bytes, 0) / (around.bytes / around.operations))
    : around.operations + Math.floor((bytes - around.bytes) / claimBytes)
