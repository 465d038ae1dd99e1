import { Address, type FeeBumpTransaction, Keypair, scValToNative, Transaction, TransactionBuilder } from "@stellar/stellar-sdk/base"
import { Effect } from "effect"
import { UnexpectedAnswer } from "./ClientFailure.ts"

/** Bytes as text. */
export const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/** The hash that signatures of a transaction are made for, hex. */
export const hashOf = (transaction: Transaction | FeeBumpTransaction): string => hex(transaction.hash())

/** An envelope as the SDK reads it. */
export const decodeEnvelope = (
  envelope: string,
  passphrase: string
): Effect.Effect<Transaction | FeeBumpTransaction, UnexpectedAnswer> =>
  Effect.try({
    try: () => TransactionBuilder.fromXdr(envelope, passphrase),
    catch: () => new UnexpectedAnswer({ reason: "an envelope does not decode" })
  })

/** A plain transaction, no fee bump. */
export const decodePlain = (envelope: string, passphrase: string): Effect.Effect<Transaction, UnexpectedAnswer> =>
  Effect.filterOrFail(
    decodeEnvelope(envelope, passphrase),
    (decoded) => decoded instanceof Transaction,
    () => new UnexpectedAnswer({ reason: "a fee bump stands where a plain transaction is expected" })
  )

/** Whether a transaction calls a contract, or restores what a contract keeps. */
export const callsContract = ({ operations }: Transaction): boolean =>
  operations.some(({ type }) => type === "invokeHostFunction" || type === "restoreFootprint" || type === "extendFootprintTtl")

const callsIn = ({ operations }: Transaction) =>
  operations.flatMap((operation) =>
    operation.type === "invokeHostFunction" && operation.func.type === "hostFunctionTypeInvokeContract"
      ? [operation.func.invokeContract]
      : []
  )

/** The contracts that a transaction calls itself. */
export const calledContracts = (transaction: Transaction): ReadonlyArray<string> =>
  callsIn(transaction).map(({ contractAddress }) => Address.fromScAddress(contractAddress).toString())

/** Footprint and resources of a transaction; null where it has none. */
export const sorobanOf = (transaction: Transaction) => {
  const { ext } = transaction.toEnvelope().type === "envelopeTypeTx" ? transaction.tx : { ext: null }
  return ext?.type === "sorobanData" ? ext.sorobanData : null
}

const textsIn = (value: unknown): ReadonlyArray<string> => {
  if (value instanceof Uint8Array || value === null) return []
  return typeof value === "object" ? Object.values(value).flatMap(textsIn) : [String(value)]
}

/** The contracts that a transaction calls, those that the call may write to, and what its arguments name. */
export const namesIn = (transaction: Transaction): ReadonlySet<string> => {
  const calls = callsIn(transaction)
  const written = calls.length === 0 ? [] : sorobanOf(transaction)?.resources.footprint.readWrite ?? []
  return new Set([
    ...calledContracts(transaction),
    ...written.flatMap((key) => (key.type === "contractData" ? [Address.fromScAddress(key.contractData.contract).toString()] : [])),
    ...calls.flatMap(({ args }) => args.flatMap((arg) => textsIn(scValToNative(arg))))
  ])
}

/** The signatures of an envelope, hex. */
export const signaturesOf = ({ signatures }: Transaction | FeeBumpTransaction): ReadonlyArray<string> =>
  signatures.map((one) => hex(one.toXdr("raw")))

/** Whether an envelope carries a valid signature of an account's own key. */
export const carriesSignatureOf = (transaction: Transaction | FeeBumpTransaction, address: string): boolean =>
  transaction.signatures.some((one) => {
    try {
      return Keypair.fromPublicKey(address).verify(transaction.hash(), one.signature)
    } catch {
      return false
    }
  })
