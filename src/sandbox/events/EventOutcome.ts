import { Operation, type xdr } from "@stellar/stellar-sdk"
import { Data, Effect } from "effect"
import { strkeyOf } from "../../ledger/soroban/Values.ts"
import { Network } from "../Network.ts"
import { type Invocation, resourcesOf, simulateNext } from "../network/CallSimulation.ts"
import type { LedgerRecord, TransactionRecord } from "../network/LedgerRecord.ts"
import { resultCodes } from "../rest/ResultCodes.ts"

/** An event that the current state of the ledger does not permit. */
export class EventRefused extends Data.TaggedError("EventRefused")<{
  readonly event: string
  readonly reason: string
}> {
  override get message(): string {
    return `${this.event} cannot happen: ${this.reason}`
  }
}

/** What an event left in the chain. */
export interface EventOutcome {
  /** The ledger it happened in. */
  readonly ledger: number
  /** Hash of the transaction that brought it about; null when none did. */
  readonly transaction: string | null
}

/** Brings an event about by a transaction of an account, in a ledger of its own and without anyone's signature. */
export const byTransaction = Effect.fnUntraced(function*(
  event: string,
  source: string,
  operations: ReadonlyArray<xdr.Operation>,
  resources?: xdr.SorobanTransactionData
): Effect.fn.Return<TransactionRecord, EventRefused, Network> {
  const network = yield* Network
  const refuse = (result: xdr.TransactionResult) => new EventRefused({ event, reason: JSON.stringify(resultCodes(result)) })
  const record = yield* Effect.mapError(network.enact(source, operations, resources), ({ result }) => refuse(result))
  return record.successful ? record : yield* refuse(record.applied.result)
})

/** Brings an event about by an account's call of a contract, without its signature. No one else may have to agree to the call. */
export const byCall = Effect.fnUntraced(function*(
  event: string,
  invocation: Invocation
): Effect.fn.Return<TransactionRecord, EventRefused, Network> {
  const network = yield* Network
  const outcome = simulateNext(yield* network.snapshot, invocation, network)
  if (outcome._tag === "FailedCall") return yield* new EventRefused({ event, reason: outcome.error.message })
  const { args, contract, fn, source } = invocation
  const call = Operation.invokeContractFunction({ contract: strkeyOf(contract), function: fn, args: [...args], auth: [...outcome.auth] })
  return yield* byTransaction(event, source, [call], resourcesOf(outcome))
})

export const outcomeOfTransaction = ({ facts, ledger }: TransactionRecord): EventOutcome => ({ ledger, transaction: facts.hash })

export const outcomeOfLedger = ({ sequence }: LedgerRecord): EventOutcome => ({ ledger: sequence, transaction: null })
