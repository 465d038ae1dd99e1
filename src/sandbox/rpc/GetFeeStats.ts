import { Effect, Schema } from "effect"
import { feeDistribution } from "../FeeDistribution.ts"
import { chargedFees } from "../network/EntryChanges.ts"
import type { LedgerRecord } from "../network/LedgerRecord.ts"
import { isContractTransaction, resourceFee } from "../network/TransactionFacts.ts"
import { readingMethod } from "./RpcMethod.ts"

const classicWindow = 10
const contractWindow = 50

const window = (ledgers: ReadonlyArray<LedgerRecord>, contracts: boolean) => {
  const fees = ledgers
    .flatMap(({ transactions }) => transactions)
    .filter(({ facts }) => isContractTransaction(facts.transaction) === contracts)
    .map(({ applied, facts }) =>
      (chargedFees(facts, applied).charged - resourceFee(facts.transaction)) / BigInt(facts.transaction.operations.length)
    )
  return {
    ...feeDistribution(fees, 0n),
    transactionCount: fees.length.toString(),
    ledgerCount: fees.length === 0 ? 0 : ledgers.length
  }
}

/** `getFeeStats`: inclusion fees per operation over the last ledgers; all zero when there were none. */
export const getFeeStats = readingMethod("getFeeStats", Schema.Struct({}), ({ history }) =>
  Effect.succeed({
    sorobanInclusionFee: window(history.last(contractWindow), true),
    inclusionFee: window(history.last(classicWindow), false),
    latestLedger: history.latest.sequence
  }))
