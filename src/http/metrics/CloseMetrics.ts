import { Effect, Metric, MetricBoundaries, MetricLabel } from "effect"
import { type AnyFailure, ErrorTable } from "../../api/ErrorTable.ts"
import type { DryRunFailed } from "../../domain/failure/Planning.ts"
import type { Network } from "../../domain/Network.ts"
import type { Plan } from "../../domain/Plan.ts"

const submissions = Metric.counter("closeout_submissions_total", {
  description: "Transactions submitted, by result: success, or the code of the error.",
  incremental: true
})

const plans = Metric.counter("closeout_plans_total", { description: "Plans by their status.", incremental: true })

const rounds = Metric.histogram(
  "closeout_plan_transactions",
  MetricBoundaries.fromIterable([1, 2, 3, 4, 5, 7, 10, 15, 20, 30]),
  "Transactions that ready plans expect until the account is merged."
)

const dryRunFailures = Metric.counter("closeout_dry_run_failures_total", {
  description: "Transactions that fail on the ledger model, in a plan or in a build, by result code.",
  incremental: true
})

const label = MetricLabel.make

const countDryRunFailure = (network: Network, within: "plan" | "build", result: string): Effect.Effect<void> =>
  Metric.increment(Metric.taggedWithLabels(dryRunFailures, [label("network", network), label("within", within), label("result", result)]))

/** Counts a plan, how many transactions it foresees, and whether they pass the ledger model. */
export const countPlan = (network: Network) => ({ projection, status, transactions }: Plan): Effect.Effect<void> =>
  Effect.gen(function*() {
    const at = label("network", network)
    yield* Metric.increment(Metric.taggedWithLabels(plans, [at, label("status", status)]))
    if (status === "ready") yield* Metric.update(Metric.taggedWithLabels(rounds, [at]), transactions.length)
    if (projection.status !== "failed") return
    yield* countDryRunFailure(network, "plan", transactions.at(-1)?.resultCode ?? "none")
  })

/** Counts a build that failed on the ledger model. */
export const countFailedBuild = (network: Network) => ({ result }: DryRunFailed): Effect.Effect<void> =>
  countDryRunFailure(network, "build", result.resultCode)

/** Counts how handing in a transaction ended. */
export const countSubmission = (network: Network, failure: AnyFailure | null): Effect.Effect<void> =>
  Metric.increment(Metric.taggedWithLabels(submissions, [
    label("network", network),
    label("outcome", failure === null ? "success" : ErrorTable[failure._tag].code)
  ]))
