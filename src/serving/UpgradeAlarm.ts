import { Effect, Layer, Metric, MetricLabel, Schedule } from "effect"
import { Networks } from "../Networks.ts"
import { upgradeKinds } from "./UpgradeSigns.ts"

const signs = Metric.gauge("closeout_upgrade_signs", {
  description:
    "Signs that a network has moved on from what this version knows: a newer protocol, newer XDR, or other code of listed contracts."
})

/**
 * Looks every minute whether a network has moved on from what this version knows. Each sign is logged once, and counted as long as it is there. Of a
 * network that does not answer, what was seen last still counts.
 */
export const layer = Layer.scopedDiscard(
  Effect.gen(function*() {
    const { upgradeSigns } = yield* Networks
    const logged = new Set<string>()
    const look = Effect.gen(function*() {
      for (const [network, found] of yield* upgradeSigns) {
        for (const kind of upgradeKinds) {
          const count = found.filter((sign) => sign.kind === kind).length
          yield* Metric.set(Metric.taggedWithLabels(signs, [MetricLabel.make("network", network), MetricLabel.make("kind", kind)]), count)
        }
        for (const { kind, message } of found) {
          if (logged.has(`${network} ${message}`)) continue
          logged.add(`${network} ${message}`)
          yield* Effect.logWarning(`${message}: update this service, or its contracts file`, { network, kind })
        }
      }
    })
    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced("1 minute")))
  })
)
