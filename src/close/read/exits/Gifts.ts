import { Address, type xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LedgerApi } from "../../../chain/LedgerApi.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import type { HeldPosition } from "../../../protocols/ProtocolRegistry.ts"
import { keyText } from "../../../stellar/EntryKeys.ts"
import { cutoffIn } from "../../model/CameLater.ts"
import type { GiftedShares, PlannedExit } from "../../model/Exits.ts"
import { noHistory, type OwnTransaction, type OwnTransactions } from "../../model/OwnTransactions.ts"
import { succeeded } from "../../model/ResultCodes.ts"
import { readOwnTransactions } from "../ReadOwnTransactions.ts"
import type { ExitQuestion } from "./Surroundings.ts"

/** The contract that a transaction calls; null: it calls none. */
const calledBy = ({ operations: [operation] }: OwnTransaction): string | null => {
  const called = operation?.body.type === "invokeHostFunction" ? operation.body.invokeHostFunctionOp.hostFunction : null
  return called?.type === "hostFunctionTypeInvokeContract" ? Address.fromScAddress(called.invokeContract.contractAddress).toString() : null
}

/** Whether the last of the account's own calls that wrote the entry was one of another contract, which pays shares out, and not the one that leaves them. */
const isBrought = (history: OwnTransactions, cutoff: number, { contract }: HeldPosition, key: xdr.LedgerKey): boolean => {
  const wanted = keyText(key)
  const last = history.transactions.find((one) => one.ledger > cutoff && succeeded(one.result) && one.writes.has(wanted))
  return last === undefined ? !history.whole : calledBy(last) !== contract
}

/** The exits with what is known of those that others can give (`getLedgerEntries`, and the account's own history where its `later` rests on it). */
export const withGifts = (
  { api, entries }: { readonly api: LedgerApi["Type"]; readonly entries: LedgerEntries["Type"] },
  { input }: ExitQuestion,
  planned: ReadonlyArray<PlannedExit>
): Effect.Effect<ReadonlyArray<PlannedExit>, ChainFailure> =>
  Effect.gen(function*() {
    const given = planned.flatMap((one) => (one.position.givenUnder === undefined ? [] : [{ one, key: one.position.givenUnder }]))
    if (given.length === 0) return planned
    const found = yield* entries.many(given.map(({ key }) => key))
    const dated = given.map(({ key, one }, at) => ({
      one,
      key,
      modified: Option.match(found[at] ?? Option.none(), { onNone: () => 0, onSome: ({ entry }) => entry.lastModifiedLedgerSeq })
    }))
    const cutoff = cutoffIn(input)
    const later = cutoff !== null && dated.some(({ modified, one }) => modified > cutoff && !input.decisions.has(one.id))
    const history = later ? yield* readOwnTransactions(api, input.source, { ledger: cutoff }) : noHistory
    const gifts = new Map(dated.map(({ key, modified, one }): readonly [string, GiftedShares] => [
      one.id,
      { modified, brought: cutoff !== null && modified > cutoff && isBrought(history, cutoff, one.position, key) }
    ]))
    return planned.map((one) => {
      const gift = gifts.get(one.id)
      return gift === undefined ? one : { ...one, gift }
    })
  })
