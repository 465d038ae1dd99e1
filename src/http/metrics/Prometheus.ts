import { type MetricKey, type MetricPair, MetricState, Option } from "effect"

interface Sample {
  readonly suffix: string
  readonly labels: ReadonlyArray<readonly [name: string, value: string]>
  readonly value: string
}

interface Family {
  readonly type: "counter" | "gauge" | "histogram" | "summary"
  readonly samples: ReadonlyArray<Sample>
}

const plainName = (name: string): string => name.replace(/[^a-zA-Z0-9_:]/g, "_").replace(/^(?=[0-9])/, "_")

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\"", "\\\"")

const shown = (value: number | bigint): string => {
  switch (value) {
    case Infinity:
      return "+Inf"
    case -Infinity:
      return "-Inf"
    default:
      return String(value)
  }
}

const single = (type: Family["type"], value: number | bigint): Family => ({
  type,
  samples: [{ suffix: "", labels: [], value: shown(value) }]
})

const totals = (count: number, sum: number): ReadonlyArray<Sample> => [
  { suffix: "_sum", labels: [], value: shown(sum) },
  { suffix: "_count", labels: [], value: shown(count) }
]

const familyOf = (state: MetricState.MetricState.Untyped): Family | null => {
  if (MetricState.isCounterState(state)) return single("counter", state.count)
  if (MetricState.isGaugeState(state)) return single("gauge", state.value)
  if (MetricState.isHistogramState(state)) {
    const finite = [...state.buckets].filter(([bound]) => Number.isFinite(bound))
    const buckets = [...finite, [Infinity, state.count] as const]
    return {
      type: "histogram",
      samples: [
        ...buckets.map(([bound, count]) => ({ suffix: "_bucket", labels: [["le", shown(bound)] as const], value: shown(count) })),
        ...totals(state.count, state.sum)
      ]
    }
  }
  if (MetricState.isSummaryState(state)) {
    const quantiles = [...state.quantiles].flatMap(([quantile, value]) =>
      Option.toArray(value).map((one) => ({ suffix: "", labels: [["quantile", shown(quantile)] as const], value: shown(one) }))
    )
    return { type: "summary", samples: [...quantiles, ...totals(state.count, state.sum)] }
  }
  if (MetricState.isFrequencyState(state)) {
    return {
      type: "counter",
      samples: [...state.occurrences].map(([key, count]) => ({ suffix: "", labels: [["key", key] as const], value: shown(count) }))
    }
  }
  return null
}

const labelled = (labels: ReadonlyArray<readonly [string, string]>): string =>
  labels.length === 0 ? "" : `{${labels.map(([name, value]) => `${plainName(name)}="${escaped(value)}"`).join(",")}}`

const header = (name: string, { description }: MetricKey.MetricKey.Untyped, { type }: Family): ReadonlyArray<string> => [
  ...Option.toArray(description).map((text) => `# HELP ${name} ${text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`),
  `# TYPE ${name} ${type}`
]

/** Metrics in the Prometheus text format, version 0.0.4: one block a name, its lines in a fixed order. */
export const prometheusText = (pairs: ReadonlyArray<MetricPair.MetricPair.Untyped>): string => {
  const blocks = new Map<string, { readonly head: ReadonlyArray<string>; readonly lines: Array<string> }>()
  for (const { metricKey, metricState } of pairs) {
    const family = familyOf(metricState)
    if (family === null) continue
    const name = plainName(metricKey.name)
    const block = blocks.get(name) ?? { head: header(name, metricKey, family), lines: [] }
    const tags = metricKey.tags.map(({ key, value }) => [key, value] as const)
    block.lines.push(...family.samples.map(({ labels, suffix, value }) => `${name}${suffix}${labelled([...tags, ...labels])} ${value}`))
    blocks.set(name, block)
  }
  return [...blocks].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, { head, lines }]) => [...head, ...lines, ""]).join("\n")
}
