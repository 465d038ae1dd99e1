import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { SimulatedResources, SimulationAnswer, StateChange } from "../../../chain/contract-rpc/SimulationAnswer.ts"
import type { EntryAnswer } from "../../../chain/EntryAnswer.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { keyText } from "../../../xdr/LedgerKeys.ts"

type SimulatedCall = Extract<SimulationAnswer, { readonly _tag: "Simulated" }>

/** Whether a contract entry was live on the ledger that was read; an archived one is not. */
export const isLive = ({ latestLedger, live }: EntryAnswer): boolean =>
  Option.exists(live, ({ liveUntilLedger }) => liveUntilLedger !== null && liveUntilLedger >= latestLedger)

/** Keys that a call restores by itself (CAP-66): the transaction names them by their place among those it writes. */
const restoredBy = ({ data: { ext, resources: { footprint } } }: SimulatedResources): ReadonlySet<string> =>
  new Set(
    ext.type === "resourceExt"
      ? ext.resourceExt.archivedSorobanEntries.flatMap((at) => {
        const key = footprint.readWrite[at]
        return key === undefined ? [] : [keyText(key)]
      })
      : []
  )

const archivedIn = (answer: EntryAnswer): xdr.LedgerEntry | null =>
  isLive(answer) ? null : Option.match(answer.live, {
    onNone: () => null,
    // An entry without an end lives permanently.
    onSome: ({ entry, liveUntilLedger }) => (liveUntilLedger === null ? null : entry)
  })

/**
 * The changes of a simulated call, with what restored entries hold before it. `simulateTransaction` says of an entry that the call restores
 * that there was none before. Its value is taken from `getLedgerEntries`, and only where that answers with an archived entry; all other
 * changes stay as they are.
 */
export const withRestored = (entries: LedgerEntries["Type"], answer: SimulatedCall): Effect.Effect<SimulatedCall, ChainFailure> => {
  const restored = restoredBy(answer.resources)
  const keys = answer.changes.flatMap(({ before, key }) => (before === null && restored.has(keyText(key)) ? [key] : []))
  if (keys.length === 0) return Effect.succeed(answer)
  return Effect.map(entries.answers(keys), (answers) => {
    const archived = new Map(answers.map((one) => [keyText(one.key), archivedIn(one)]))
    const changes = answer.changes.map((change): StateChange => ({
      ...change,
      before: change.before ?? archived.get(keyText(change.key)) ?? null
    }))
    return { ...answer, changes }
  })
}
