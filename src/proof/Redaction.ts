import { xdr } from "@stellar/stellar-sdk"
import { Predicate } from "effect"
import { type Readable, readKnown } from "../chain/xdr/KnownXdr.ts"
import { isWhole } from "../chain/xdr/XdrWalk.ts"
import { Pseudonyms } from "./Pseudonyms.ts"

/** Classes that sources send and are sent, the narrow ones first. */
const classes: ReadonlyArray<Readable<{ toJson(): unknown }>> = [
  xdr.LedgerEntryData,
  xdr.LedgerKey,
  xdr.TransactionEnvelope,
  xdr.TransactionResult,
  xdr.TransactionMeta,
  xdr.SorobanTransactionData,
  xdr.SorobanAuthorizationEntry,
  xdr.DiagnosticEvent,
  xdr.ContractEvent,
  xdr.LedgerHeaderHistoryEntry,
  xdr.LedgerHeader,
  xdr.ScVal
]

/** XDR as JSON, which spells addresses out; null: it is of none of the classes. */
const decoded = (bytes: Buffer): unknown => {
  const type = classes.find((one) => isWhole(one, bytes))
  try {
    return type === undefined ? null : readKnown(type, bytes).toJson()
  } catch {
    return null
  }
}

/** Fields with memos and values of data entries; and what past transactions changed, which is much and which no plan reads. */
const leftOut: ReadonlySet<string> = new Set(["memo", "memo_bytes", "data_value", "result_meta_xdr", "fee_meta_xdr"])

/** Values of data entries by their names, as the ledger API shows an account. */
const isDataMap = (name: string, value: unknown): boolean =>
  name === "data" && Predicate.isRecord(value) && !("account_id" in value) && Object.values(value).every(Predicate.isString)

const isLeftOut = (name: string, value: unknown): boolean => (leftOut.has(name) && value !== null) || isDataMap(name, value)

const base64 = /^[A-Za-z0-9+/]{8,}={0,2}$/
const plainText = /^([A-Z2-7]{56,}|[0-9a-f]{64,}|[0-9]+|[A-Za-z_]+)$/

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Takes out of a value whom it is about: accounts, hashes and signers have pseudonyms, texts of owners are left out, XDR is decoded so that nothing
 * hides in it. What cannot be decoded is left out. Amounts, assets, contracts and settings stay.
 */
export class Redaction {
  readonly #names = new Pseudonyms()

  #text(text: string): unknown {
    const json = /^[{[]/.test(text) ? parsed(text) : null
    if (json !== null) return this.of(json)
    if (plainText.test(text) || text.length % 4 !== 0 || !base64.test(text)) return this.#names.within(text)
    const bytes = Buffer.from(text, "base64")
    const value = decoded(bytes)
    return value === null ? `(${bytes.length} bytes)` : this.of(value)
  }

  of(value: unknown): unknown {
    if (typeof value === "string") return this.#text(value)
    if (typeof value === "bigint") return value.toString()
    if (Array.isArray(value)) return value.map((one) => this.of(one))
    if (!Predicate.isRecord(value)) return value
    const fields = Object.entries(value).map(([name, one]) => [
      this.#names.within(name),
      isLeftOut(name, one) ? "(left out)" : this.of(one)
    ])
    return Object.fromEntries(fields)
  }
}
