import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { feeDistribution } from "../FeeDistribution.ts"
import { View } from "./View.ts"

const windowLedgers = 5

/** `GET /fee_stats`: fees per operation over the last five ledgers; the base fee when they were empty. */
export const feeStats = HttpRouter.makeRoute(
  "GET",
  "/fee_stats",
  Effect.gen(function*() {
    const { history } = yield* View
    const { header, sequence } = history.latest
    const ledgers = history.last(windowLedgers)
    const records = ledgers.flatMap(({ transactions }) => transactions)
    const baseFee = BigInt(header.baseFee)
    const capacity = ledgers.reduce((sum, { header }) => sum + header.maxTxSetSize, 0)
    const operations = records.reduce((sum, { facts }) => sum + facts.transaction.operations.length, 0)
    return HttpServerResponse.unsafeJson({
      last_ledger: sequence.toString(),
      last_ledger_base_fee: baseFee.toString(),
      ledger_capacity_usage: Math.min(1, operations / capacity).toFixed(2),
      fee_charged: feeDistribution(records.map(({ applied, facts }) => applied.feeCharged / facts.feeUnits), baseFee),
      max_fee: feeDistribution(records.map(({ facts }) => facts.feeBid / facts.feeUnits), baseFee)
    })
  })
)
