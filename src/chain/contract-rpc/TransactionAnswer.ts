import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { NewerXdr } from "../xdr/KnownXdr.ts"
import { TransactionEnvelopeText, TransactionResultText } from "../xdr/XdrText.ts"
import type { Call } from "./JsonRpc.ts"
import { BigText, LedgerNumber } from "./WireNumbers.ts"

/** What the contract RPC says beside a transaction. */
interface KnownHistory {
  readonly latestLedger: number
  /** Close time of the newest ledger in Unix seconds: past a transaction's time bound it can no longer apply. */
  readonly latestCloseTime: bigint
  /** The oldest ledger the RPC still remembers. */
  readonly oldestLedger: number
}

/** A transaction of a ledger. */
interface FoundTransaction extends KnownHistory {
  readonly status: "SUCCESS" | "FAILED"
  readonly ledger: number
  /** Left out where it has an unknown arm. */
  readonly result?: xdr.TransactionResult
  /** As it was applied, a fee bump with its outer envelope. Left out where it has an unknown arm. */
  readonly envelope?: xdr.TransactionEnvelope
  /** Close time of its ledger in Unix seconds. */
  readonly createdAt: bigint
}

/** One that is pending, dropped, never sent, or older than `oldestLedger`. */
interface UnknownTransaction extends KnownHistory {
  readonly status: "NOT_FOUND"
}

/** What the contract RPC knows of a transaction. */
export type TransactionAnswer = FoundTransaction | UnknownTransaction

const history = { latestLedger: LedgerNumber, latestLedgerCloseTime: BigText, oldestLedger: LedgerNumber }

const Result = Schema.Union(
  Schema.Struct({ status: Schema.Literal("NOT_FOUND"), ...history }),
  Schema.Struct({
    status: Schema.Literal("SUCCESS", "FAILED"),
    ...history,
    ledger: LedgerNumber,
    createdAt: BigText,
    resultXdr: TransactionResultText,
    envelopeXdr: TransactionEnvelopeText
  })
)

const answerOf = (result: typeof Result.Type): TransactionAnswer => {
  const known = {
    latestLedger: result.latestLedger,
    latestCloseTime: result.latestLedgerCloseTime,
    oldestLedger: result.oldestLedger
  }
  return result.status === "NOT_FOUND"
    ? { status: "NOT_FOUND", ...known }
    : {
      status: result.status,
      ...known,
      ledger: result.ledger,
      createdAt: result.createdAt,
      ...(result.resultXdr instanceof NewerXdr ? {} : { result: result.resultXdr }),
      ...(result.envelopeXdr instanceof NewerXdr ? {} : { envelope: result.envelopeXdr })
    }
}

/** `getTransaction`. */
export const getTransaction = (call: Call) => (hash: string) => (url: URL) =>
  Effect.map(call("getTransaction", { hash }, Result)(url), answerOf)
