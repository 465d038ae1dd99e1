import type { xdr } from "@stellar/stellar-sdk"
import { Option } from "effect"
import { SourcesDisagree } from "../../domain/failure/Upstream.ts"
import { isCodeName } from "../../stellar/CodeReference.ts"
import { distinctKeys, keyText } from "../../xdr/LedgerKeys.ts"
import type { LiveEntry } from "../contract-rpc/LiveEntry.ts"
import type { EntryAnswer } from "../EntryAnswer.ts"
import type { Getter, GetterAnswer } from "../Getter.ts"
import type { EntryEvidence } from "../Pin.ts"

/** What was learned of a contract, and decides where is looked for what an account holds. */
export interface Claim {
  /** What it says and of what, in words that tell it from every other. */
  readonly text: string
  /** The entries that bear it out. */
  readonly keys: ReadonlyArray<xdr.LedgerKey>
  /** Whether they do, as someone shows them. */
  readonly holds: (shown: ReadonlyArray<EntryAnswer>) => boolean
  /** Whether the contract may say something else later, so that it is compared every time. Left out: it never does. */
  readonly mayChange?: boolean
}

/** What contracts answered to getter calls. */
export interface ContractAnswers {
  readonly getters: ReadonlyArray<Getter>
  /** Whether other answers, in the order of the getters, would change what is given up or left. */
  readonly differs: (answers: ReadonlyArray<GetterAnswer>) => boolean
}

/** What lists of contracts rest on. */
export interface ListEvidence {
  /** The entries that name contracts. */
  readonly entries: ReadonlyArray<EntryEvidence>
  /** What was learned of the contracts that they name. */
  readonly claims: ReadonlyArray<Claim>
}

/** What is compared with what another endpoint shows. */
export interface Statement {
  /** What was shown, several versions of one key in the order in which they came. */
  readonly shown: ReadonlyArray<EntryAnswer>
  /** Those of them that lists rest on, with what counts of what instances store. */
  readonly listed: ReadonlyMap<EntryAnswer, ReadonlyArray<xdr.ScVal>>
  readonly claims: ReadonlyArray<Claim>
}

/** A statement that another endpoint shows changes since. */
export interface Outdated {
  readonly _tag: "Outdated"
  /** Ledgers by which it is behind. */
  readonly behind: number
  /** The newest ledger that is named for a change. One that has reached it, and shows none, contradicts. */
  readonly since: number
}

/** The keys that another endpoint is queried for to check a statement. */
export const keysOf = ({ claims, shown }: Statement): ReadonlyArray<xdr.LedgerKey> =>
  distinctKeys([...shown.map(({ key }) => key), ...claims.flatMap(({ keys }) => keys)])

/** The ledger that an answer is of at the least. */
export const ledgerOf = ({ latestLedger, live }: EntryAnswer): number =>
  Option.match(live, { onNone: () => latestLedger, onSome: ({ entry }) => Math.max(latestLedger, entry?.lastModifiedLedgerSeq ?? 0) })

/** Of a contract its executable, and of what its instance stores only what is named: the rest is as busy as the contract. */
const instanceFacts = ({ executable, storage }: xdr.ScContractInstance, inside: ReadonlyArray<xdr.ScVal>): string => {
  const texts = inside.map((key) => key.toXdr("base64"))
  const stored = (storage ?? []).filter(({ key }) => texts.includes(key.toXdr("base64"))).map(({ val }) => val.toXdr("base64"))
  return [executable.toXdr("base64"), ...stored].join(" ")
}

/** An entry on a ledger; null: there is none, or it is a temporary one whose time is over. */
const entryAt = (ledger: number, { live }: EntryAnswer): LiveEntry | null =>
  Option.getOrNull(
    Option.filter(live, ({ entry, liveUntilLedger }) =>
      entry?.data.type !== "contractData" || entry.data.contractData.durability.name !== "temporary" ||
      liveUntilLedger === null || liveUntilLedger >= ledger)
  )

/** What counts of an entry on the ledger it was shown on; null: it is not there. */
const factsOf = (shown: EntryAnswer, inside: ReadonlyArray<xdr.ScVal>): string | null => {
  const there = entryAt(ledgerOf(shown), shown)
  if (there === null) return null
  const data = there.entry?.data
  if (data === undefined) return "unreadable"
  return data.type === "contractData" && data.contractData.val.type === "scvContractInstance"
    ? instanceFacts(data.contractData.val.instance, inside)
    : data.toXdr("base64")
}

const modifiedOf = ({ live }: EntryAnswer): number | null => Option.getOrNull(live)?.entry?.lastModifiedLedgerSeq ?? null

const isInstance = ({ key }: EntryAnswer): boolean =>
  key.type === "contractData" && key.contractData.key.type === "scvLedgerKeyContractInstance"

/**
 * Whether two show the same, and name the same ledger as that of its last modification: another one means that it was modified since.
 * For an instance that ledger is not compared: it changes as often as the contract writes. Of an entry that both have as gone, nothing is.
 */
const isAlike = (first: EntryAnswer, second: EntryAnswer, inside: ReadonlyArray<xdr.ScVal>): boolean => {
  const newest = Math.max(ledgerOf(first), ledgerOf(second))
  if (entryAt(newest, first) === null && entryAt(newest, second) === null) return true
  return factsOf(first, inside) === factsOf(second, inside) && (isInstance(first) || modifiedOf(first) === modifiedOf(second))
}

/** The ledger of the last modification, as an answer names it. What is not there any more may have gone in the newest one. */
const changedAt = (shown: EntryAnswer): number => modifiedOf(shown) ?? ledgerOf(shown)

/**
 * What a second witness makes of something the first one showed: nothing (`same`), that it changed since (`newer`), or that it was never
 * so (`differs`).
 */
const verdict = (first: EntryAnswer, second: EntryAnswer, inside: ReadonlyArray<xdr.ScVal>): "same" | "newer" | "differs" => {
  if (isAlike(first, second, inside)) return "same"
  return changedAt(second) > ledgerOf(first) ? "newer" : "differs"
}

/** What an entry is about, as the failure names it. */
const aboutOf = (shown: EntryAnswer): string => {
  if (shown.key.type === "data") return "destination"
  return isInstance(shown) || isCodeName(shown.key) ? "contract_code" : "contract_entries"
}

const byText = (shown: ReadonlyArray<EntryAnswer>): ReadonlyMap<string, ReadonlyArray<EntryAnswer>> => {
  const all = new Map<string, Array<EntryAnswer>>()
  for (const one of shown) all.set(keyText(one.key), [...(all.get(keyText(one.key)) ?? []), one])
  return all
}

/** Whether someone shows an entry that is not there by a statement, on the ledger of that. */
export const showsMore = ({ shown }: Statement, second: ReadonlyArray<EntryAnswer>): boolean => {
  const known = byText(second)
  return shown.some((one) => {
    const ledger = ledgerOf(one)
    return entryAt(ledger, one) === null && known.get(keyText(one.key))?.some((other) => entryAt(ledger, other) !== null) === true
  })
}

/** By how many ledgers something is outdated. Lists are of some time ago: they may have grown since, but what they named does not go away. */
const lag = (before: EntryAnswer, now: EntryAnswer, { listed }: Statement): number =>
  listed.has(before) && Option.isSome(now.live) ? 0 : ledgerOf(now) - ledgerOf(before)

/**
 * How a statement and what another endpoint shows of it cannot both be right, or why the statement is outdated; null: they agree. What was
 * learned does not change.
 */
export const contradiction = (statement: Statement, second: ReadonlyArray<EntryAnswer>): SourcesDisagree | Outdated | null => {
  const { claims, listed, shown } = statement
  const first = byText(shown)
  let [behind, since] = [0, 0]
  for (const one of second) {
    const versions = first.get(keyText(one.key)) ?? []
    for (const [index, before] of versions.entries()) {
      const told = verdict(before, one, listed.get(before) ?? [])
      if (told === "differs") {
        return new SourcesDisagree({ about: verdict(before, one, []) === "differs" ? aboutOf(one) : "contract_entries" })
      }
      const late = told === "newer" && index === versions.length - 1 ? lag(before, one, statement) : 0
      if (late > 0) [behind, since] = [Math.max(behind, late), Math.max(since, changedAt(one))]
    }
  }
  const known = byText(second)
  const isWrong = claims.some(({ holds, keys }) => !holds(keys.flatMap((key) => known.get(keyText(key)) ?? [])))
  if (isWrong) return new SourcesDisagree({ about: "contract_entries" })
  return behind === 0 ? null : { _tag: "Outdated", behind, since }
}
