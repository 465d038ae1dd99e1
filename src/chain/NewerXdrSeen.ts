import { Effect, Metric, MetricLabel } from "effect"
import { counted } from "../domain/CountedNoun.ts"
import type { Network } from "../domain/Network.ts"
import type { ChainSource } from "./ChainFailure.ts"
import { newerXdrMet } from "./xdr/KnownXdr.ts"

const answers = Metric.counter("closeout_newer_xdr_total", {
  description: "Answers of sources with XDR that this version does not know, by network, source and method.",
  incremental: true
})

/** Which endpoints of one source answered with XDR that this version does not know. A newer ledger protocol is the likeliest cause. */
export class NewerXdrSeen {
  readonly #endpoints = new Set<string>()
  readonly #methods = new Set<string>()
  readonly #count: (method: string) => void

  constructor(network: Network, source: ChainSource) {
    this.#count = (method) =>
      Metric.taggedWithLabels(answers, [
        MetricLabel.make("network", network),
        MetricLabel.make("source", source),
        MetricLabel.make("method", method)
      ]).unsafeUpdate(1, [])
  }

  /** Reads an answer of an endpoint, and notes where any of it was not known. */
  watch<A, E>(url: URL, method: string, read: () => Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      const before = newerXdrMet()
      return Effect.tap(read(), () => {
        if (newerXdrMet() === before) return Effect.void
        this.#endpoints.add(url.href)
        this.#methods.add(method)
        return Effect.sync(() => this.#count(method))
      })
    })
  }

  /** Which answers they were since the start, in words without addresses; null where all was known. */
  get told(): string | null {
    const methods = [...this.#methods].toSorted().join(", ")
    return methods === ""
      ? null
      : `${counted(this.#endpoints.size, "endpoint")} answered ${methods} with XDR that this version does not know`
  }
}
