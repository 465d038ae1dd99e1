import { xdr } from "@stellar/stellar-sdk"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Header } from "../../../src/ledger/Header.ts"

/** Transactions a real network applied, kept beside the project and not in it. */
const FOLDER = fileURLToPath(new URL("../../../../shared/reference/recorded-ledgers/", import.meta.url))

export const recordingsExist = existsSync(FOLDER)

/** One recorded transaction, as its file holds it; XDR in base64. */
export interface RecordedCase {
  readonly id: string
  readonly network: string | null
  readonly header: { readonly [Field in keyof Header]: number | string | null }
  readonly operations: ReadonlyArray<string>
  readonly hash: string
  readonly feeCharged: string
  readonly feeBump?: boolean
  readonly envelope: string
  readonly result: string
  readonly before: ReadonlyArray<string>
  readonly context?: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly transient?: ReadonlyArray<string>
  readonly feeChanges?: ReadonlyArray<string> | null
  readonly txChanges?: { readonly before?: ReadonlyArray<string>; readonly after?: ReadonlyArray<string> }
  readonly operationChanges?: ReadonlyArray<ReadonlyArray<string>>
  readonly txSetBaseFee?: string | null
  readonly feeInterleaved?: boolean
  readonly feeUndone?: boolean
  readonly legacyRules?: boolean
  readonly ledgerIndex?: number
  readonly complete: boolean
  readonly missing: ReadonlyArray<{ readonly why: string; readonly key?: string }>
}

/** Cases in the order they were applied; more than one where they share entries. */
export type RecordedUnit = ReadonlyArray<RecordedCase>

/** Every recorded unit, by file. */
export const recordings = (): ReadonlyMap<string, ReadonlyArray<RecordedUnit>> =>
  new Map(
    (recordingsExist ? readdirSync(FOLDER) : [])
      .filter((name) => name.endsWith(".json"))
      .toSorted()
      .map((name) => [name, unitsOf(JSON.parse(readFileSync(`${FOLDER}/${name}`, "utf8")))])
  )

const unitsOf = (units: ReadonlyArray<RecordedCase | { readonly sequence: RecordedUnit }>): ReadonlyArray<RecordedUnit> =>
  units.map((unit) => ("sequence" in unit ? unit.sequence : [unit]))

export const entryOf = (base64: string): xdr.LedgerEntry => xdr.LedgerEntry.fromXdr(base64, "base64")
export const keyOfXdr = (base64: string): xdr.LedgerKey => xdr.LedgerKey.fromXdr(base64, "base64")
export const resultOfXdr = (base64: string): xdr.TransactionResult => xdr.TransactionResult.fromXdr(base64, "base64")
export const envelopeOf = (base64: string): xdr.TransactionEnvelope => xdr.TransactionEnvelope.fromXdr(base64, "base64")
export const changeOf = (base64: string): xdr.LedgerEntryChange => xdr.LedgerEntryChange.fromXdr(base64, "base64")
