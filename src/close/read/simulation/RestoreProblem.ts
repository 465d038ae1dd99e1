import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Effect, Option } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { keyText } from "../../../stellar/EntryKeys.ts"
import type { SimulatedResources } from "../../../chain/contract-rpc/SimulationAnswer.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"

/** Temporary entries do not come back, and nothing else is ever put away. */
const canBeArchived = (key: xdr.LedgerKey): boolean =>
  key.type === "contractCode" || (key.type === "contractData" && key.contractData.durability.name === "persistent")

const footprintOf = ({ data }: SimulatedResources): xdr.LedgerFootprint => data.resources.footprint

/**
 * Why the entries that a simulation wants restored are not paid for, or null: they are entries that the call itself touches, and no
 * other reading of the ledger shows one of them alive. A restoration moves nothing but costs rent, and would be asked for again.
 */
export const restoreProblem = (
  entries: LedgerEntries["Type"],
  call: SimulatedResources,
  restore: SimulatedResources
): Effect.Effect<string | null, ChainFailure> => {
  const { readOnly, readWrite } = footprintOf(restore)
  const touched = new Set([...footprintOf(call).readOnly, ...footprintOf(call).readWrite].map(keyText))
  if (readOnly.length > 0 || readWrite.length === 0 || !readWrite.every((key) => canBeArchived(key) && touched.has(keyText(key)))) {
    return Effect.succeed("its simulation wants entries restored that the call does not touch")
  }
  return Effect.map(entries.answers(readWrite), (answers) =>
    Arr.some(answers, ({ latestLedger, live }) => Option.exists(live, ({ liveUntilLedger }) => liveUntilLedger !== null && liveUntilLedger >= latestLedger))
      ? "its simulation wants entries restored that are not archived"
      : null)
}
