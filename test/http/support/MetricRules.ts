/** One family of metrics in the text format. */
interface Family {
  readonly name: string
  readonly type: string
  readonly help: string | undefined
  readonly samples: ReadonlyArray<string>
}

const familiesIn = (text: string): ReadonlyArray<Family> =>
  text.split(/\n\n/).filter((block) => block.trim() !== "").map((block) => {
    const lines = block.split("\n").filter((line) => line !== "")
    const [, name = "", type = ""] = lines.map((line) => /^# TYPE (\S+) (\S+)$/.exec(line)).find((found) => found !== null) ?? []
    const help = lines.map((line) => /^# HELP \S+ (.+)$/.exec(line)?.[1]).find((found) => found !== undefined)
    return { name, type, help, samples: lines.filter((line) => !line.startsWith("#")) }
  })

/** Parts of a name that are no base unit, or that repeat the type. */
const wrongWords = new Set(
  "milliseconds millis ms microseconds nanoseconds minutes hours days kilobytes megabytes kb mb percent counter gauge histogram summary metric sec secs"
    .split(" ")
)

const labelNames = (sample: string): ReadonlyArray<string> => [...sample.matchAll(/[{,](\w+)="/g)].map(([, name = ""]) => name)

const breachesOf = ({ help, name, samples, type }: Family): ReadonlyArray<string> => {
  const rules: ReadonlyArray<readonly [holds: boolean, rule: string]> = [
    [/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name), "a name in snake case, without a colon"],
    [help !== undefined && help.trim().length > 0, "a help text"],
    [["counter", "gauge", "histogram"].includes(type), "a type"],
    [(type === "counter") === name.endsWith("_total"), "_total on counters and nothing else"],
    [!/_(count|sum|bucket)$/.test(name), "no ending that belongs to histograms"],
    [name.split("_").every((word) => !wrongWords.has(word)), "base units, and no type in the name"],
    [samples.flatMap(labelNames).every((label) => /^[a-z][a-z_]*$/.test(label)), "labels in snake case"],
    [
      samples.every((sample) => type === "histogram" || !labelNames(sample).some((label) => label === "le" || label === "quantile")),
      "no label that belongs to others"
    ],
    [new Set(samples.map((sample) => sample.replace(/ \S+$/, ""))).size === samples.length, "each sample once"]
  ]
  return rules.filter(([holds]) => !holds).map(([, rule]) => `${name}: ${rule}`)
}

/** Breaches of the naming and typing rules for metrics (those of promtool), in a text of the Prometheus format. */
export const breaches = (text: string): ReadonlyArray<string> => familiesIn(text).flatMap(breachesOf)
