import type { xdr } from "@stellar/stellar-sdk"
import { Data, Effect } from "effect"
import { Network } from "../Network.ts"
import type { LedgerRecord, TransactionRecord } from "../network/LedgerRecord.ts"
import { resultCodes } from "../rest/ResultCodes.ts"

/** Something the ledger does not let happen as it stands. */
export class EventRefused extends Data.TaggedError("EventRefused")<{
  readonly event: string
  readonly reason: string
}> {
  override get message(): string {
    return `${this.event} cannot happen: ${this.reason}`
  }
}

/** What an event left in the chain. */
export interface Happened {
  /** The ledger it happened in. */
  readonly ledger: number
  /** Hash of the transaction that brought it about; null when none did. */
  readonly transaction: string | null
}

/** Brings an event about by a transaction of an account, in a ledger of its own and without anyone's signature. */
export const byTransaction = Effect.fnUntraced(function*(
  event: string,
  source: string,
  operations: ReadonlyArray<xdr.Operation>
): Effect.fn.Return<TransactionRecord, EventRefused, Network> {
  const network = yield* Network
  const refuse = (result: xdr.TransactionResult) => new EventRefused({ event, reason: JSON.stringify(resultCodes(result)) })
  const record = yield* Effect.mapError(network.enact(source, operations), ({ result }) => refuse(result))
  return record.successful ? record : yield* refuse(record.applied.result)
})

export const happenedIn = ({ facts, ledger }: TransactionRecord): Happened => ({ ledger, transaction: facts.hash })

export const happenedAt = ({ sequence }: LedgerRecord): Happened => ({ ledger: sequence, transaction: null })
