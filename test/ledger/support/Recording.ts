import { xdr } from "@stellar/stellar-sdk"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Header } from "../../../src/ledger/Header.ts"

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Transactions of public ledgers that are part of the project: every checkout replays them. */
const ownFolder = folder("../../recorded/ledgers/")

/** More recordings, from others' tests, kept beside the project and not in it; and the ones above once more. */
const besideFolder = folder("../../../../shared/reference/recorded-ledgers/")

export const besideExist = existsSync(besideFolder)

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

/** Cases in the order of their application; more than one where they share entries. */
export type RecordedUnit = ReadonlyArray<RecordedCase>

export type RecordedFiles = ReadonlyMap<string, ReadonlyArray<RecordedUnit>>

const namesIn = (path: string): ReadonlyArray<string> => readdirSync(path).filter((name) => name.endsWith(".json")).toSorted()

const read = (path: string, names: ReadonlyArray<string>): RecordedFiles =>
  new Map(names.map((name) => [name, unitsOf(JSON.parse(readFileSync(`${path}/${name}`, "utf8")))]))

/** Every recorded unit that is part of the project, by file. */
export const recordings = (): RecordedFiles => read(ownFolder, namesIn(ownFolder))

/** Every recorded unit that is only beside the project, by file; none without that folder. */
export const recordingsBeside = (): RecordedFiles => {
  const own = new Set(namesIn(ownFolder))
  return read(besideFolder, besideExist ? namesIn(besideFolder).filter((name) => !own.has(name)) : [])
}

/** Files of the project that differ from their originals. */
export const alteredCopies = (): ReadonlyArray<string> =>
  namesIn(ownFolder).filter((name) => !readFileSync(`${ownFolder}/${name}`).equals(readFileSync(`${besideFolder}/${name}`)))

const unitsOf = (units: ReadonlyArray<RecordedCase | { readonly sequence: RecordedUnit }>): ReadonlyArray<RecordedUnit> =>
  units.map((unit) => ("sequence" in unit ? unit.sequence : [unit]))

export const entryOf = (base64: string): xdr.LedgerEntry => xdr.LedgerEntry.fromXdr(base64, "base64")
export const keyOfXdr = (base64: string): xdr.LedgerKey => xdr.LedgerKey.fromXdr(base64, "base64")
export const resultOfXdr = (base64: string): xdr.TransactionResult => xdr.TransactionResult.fromXdr(base64, "base64")
export const envelopeOf = (base64: string): xdr.TransactionEnvelope => xdr.TransactionEnvelope.fromXdr(base64, "base64")
export const changeOf = (base64: string): xdr.LedgerEntryChange => xdr.LedgerEntryChange.fromXdr(base64, "base64")
