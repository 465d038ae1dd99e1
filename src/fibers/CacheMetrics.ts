import { Metric, MetricLabel } from "effect"

/** What is remembered between calls of a source, or within a request. */
export type CacheName = "api_keys" | "entries" | "markets" | "protocol_lists"

const lookups = Metric.counter("closeout_cache_lookups_total", {
  description: "Cache look-ups, by cache and by whether the entry was found.",
  incremental: true
})

/** Counts what was found in a memory and what had to be requested. */
export const cacheCount = (cache: CacheName) => {
  const series = (outcome: string) =>
    Metric.taggedWithLabels(lookups, [MetricLabel.make("cache", cache), MetricLabel.make("outcome", outcome)])
  const [hits, misses] = [series("hit"), series("miss")]
  return {
    hit: (many = 1): void => hits.unsafeUpdate(many, []),
    miss: (many = 1): void => misses.unsafeUpdate(many, [])
  }
}
