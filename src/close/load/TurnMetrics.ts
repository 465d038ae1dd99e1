import { Metric, MetricLabel } from "effect"
import type { Network } from "../../domain/Network.ts"

/** What is waited for: to begin with a read, a plan or a build, or to compute a close. */
export type TurnName = "close" | "compute"

const waiting = Metric.gauge("closeout_turns_waiting", { description: "Requests that wait for their turn, to begin or to be computed." })

const running = Metric.gauge("closeout_turns_running", { description: "Requests that are under way, and closes that are being computed." })

const refused = Metric.counter("closeout_turns_refused_total", {
  description: "Requests refused as service_busy, because their turn would have come too late or did not come.",
  incremental: true
})

/** The queue of one kind of turn, as metrics show it. */
export const turnMetrics = ({ name, network }: { readonly name: TurnName; readonly network: Network | null }) => {
  const labels = [MetricLabel.make("turn", name), ...(network === null ? [] : [MetricLabel.make("network", network)])]
  const [wait, run, refuse] = [
    Metric.taggedWithLabels(waiting, labels),
    Metric.taggedWithLabels(running, labels),
    Metric.taggedWithLabels(refused, labels)
  ]
  return {
    note: (many: { readonly waiting: number; readonly running: number }): void => {
      wait.unsafeUpdate(many.waiting, [])
      run.unsafeUpdate(many.running, [])
    },
    refused: (): void => refuse.unsafeUpdate(1, [])
  }
}
