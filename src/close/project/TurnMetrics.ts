import { Metric, MetricLabel } from "effect"

/** What is waited for: to begin with a close, or to compute one. */
export type TurnName = "close" | "compute"

const waiting = Metric.gauge("closeout_turns_waiting", { description: "Closes that wait for their turn, to begin or to be computed." })

const running = Metric.gauge("closeout_turns_running", { description: "Closes that are under way, and those that are being computed." })

const refused = Metric.counter("closeout_turns_refused_total", {
  description: "Closes refused as service_busy, because their turn would have come too late or did not come.",
  incremental: true
})

/** The queue of one kind of turn, as metrics show it. */
export const turnMetrics = (name: TurnName) => {
  const labels = [MetricLabel.make("turn", name)]
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
