import { closeLedger } from "../../../src/ledger/Apply.ts"
import { idOfEntry } from "../../../src/ledger/EntryId.ts"
import { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { entryOf, envelopeOf, type RecordedCase, type RecordedUnit } from "./Recording.ts"
import { comparable, differ, entriesDiffer, headerOf, impliedEntries, leftOut, shown, surgeOf, touchedIds } from "./Replay.ts"

/**
 * Replays the cases of a unit as their original ledgers, each based on the one before, and lists every difference in results and entries.
 * Entries are added to the ledger at the first case that names them.
 */
export const replayLedgers = (unit: RecordedUnit): ReadonlyArray<string> => {
  const first = unit[0]
  if (first === undefined) return []
  const met = new Set<string>()
  let state = LedgerState.make(headerOf(first))
  return ledgersOf(unit).flatMap((ledger) => {
    const [opening] = ledger
    if (opening === undefined) return []
    const entries = ledger.flatMap((recorded) => {
      const before = [...recorded.before, ...(recorded.context ?? [])].map(entryOf)
      return [...impliedEntries(recorded, before), ...before]
    })
    const fresh = entries.filter((entry) => !met.has(idOfEntry(entry)))
    for (const recorded of ledger) for (const id of touchedIds(recorded)) met.add(id)
    for (const entry of entries) met.add(idOfEntry(entry))
    const created = new Set(ledger.flatMap((recorded, at) => (at === ledger.length - 1 ? [] : createdIds(recorded))))
    state = state.set(fresh.filter((entry) => !created.has(idOfEntry(entry)))).at(headerOf(opening))
    const envelopes = ledger.map(({ envelope }) => envelopeOf(envelope))
    const closed = closeLedger(state, envelopes, {
      networkPassphrase: opening.network ?? "",
      signatures: "verify",
      surgeBaseFee: surgeOf(opening, envelopes[0] ?? envelopeOf(opening.envelope))
    })
    state = closed.state
    return closed.transactions.flatMap((applied, at) => {
      const recorded = ledger[at]
      if (recorded === undefined) return []
      return [...differ("result", shown(applied.result), shown(comparable(recorded))), ...entriesDiffer(applied.state, recorded)].map(
        (difference) => `${recorded.id}: ${difference}`
      )
    })
  })
}

/** Whether a unit has more than one transaction, and all of each ledger with all entries that they read. */
export const isWhole = (unit: RecordedUnit): boolean =>
  unit.length > 1 &&
  unit.every((recorded) => recorded.complete && leftOut(recorded) === undefined) &&
  ledgersOf(unit).every((ledger) => ledger.every(({ ledgerIndex }, at) => ledgerIndex === at))

/** The cases of each ledger, in order. */
const ledgersOf = (unit: RecordedUnit): ReadonlyArray<RecordedUnit> =>
  [...new Set(unit.map(({ header }) => header.ledgerSeq))].map((sequence) => unit.filter(({ header }) => header.ledgerSeq === sequence))

const createdIds = (recorded: RecordedCase): ReadonlyArray<string> => {
  const before = new Set(recorded.before.map((entry) => idOfEntry(entryOf(entry))))
  return touchedIds(recorded).filter((id) => !before.has(id))
}
