import { counted } from "../../src/domain/CountedNoun.ts"
import { type Sighting, sightings } from "./EventLog.ts"
import type { RunResult } from "./Run.ts"

/** A seed that was run twice. */
export interface Replayed extends RunResult {
  /** Whether both runs had the same events. */
  readonly isSame: boolean
}

/** The report of one seed. */
export const lineOf = ({ closed, events, faults, hash, isSame, seconds, seed }: Replayed): string =>
  [
    `seed ${seed}: ${closed} closed in ${Math.round(seconds)} s, ${events} events, ${hash.slice(0, 16)}, ${
      isSame ? "the same twice" : "NOT THE SAME TWICE"
    }`,
    ...faults.map((fault) => `  FAULT ${fault}`)
  ].join("\n")

/** The outcome of many seeds. */
export interface CampaignResult {
  /** Lines to print. */
  readonly report: ReadonlyArray<string>
  /** Whether every seed had the same events twice, without a fault. */
  readonly isFaultless: boolean
  /** Events that no seed met. */
  readonly never: ReadonlyArray<Sighting>
}

const totalsOf = (runs: ReadonlyArray<Replayed>): ReadonlyMap<string, number> => {
  const totals = new Map<string, number>(sightings.map((one) => [one, 0]))
  for (const { seen } of runs) for (const [what, count] of seen) totals.set(what, (totals.get(what) ?? 0) + count)
  return totals
}

/** Sums up the runs of a campaign. `wallSeconds`: time of all of them, each seed twice. */
export const campaignOf = (runs: ReadonlyArray<Replayed>, wallSeconds: number): CampaignResult => {
  const totals = totalsOf(runs)
  const wrong = runs.filter(({ faults, isSame }) => faults.length > 0 || !isSame)
  const closed = runs.reduce((sum, one) => sum + one.closed, 0)
  return {
    report: [
      `${counted(runs.length, "seed")}, each run twice: ${runs.filter(({ isSame }) => isSame).length} had the same events both times`,
      `${2 * closed} closes in ${Math.round(wallSeconds)} s: ${Math.round((2 * closed * 3_600) / wallSeconds)} an hour`,
      ...[...totals].toSorted(([left], [right]) => left.localeCompare(right)).map(([what, count]) =>
        `${String(count).padStart(8)}  ${what}`
      ),
      ...(wrong.length === 0 ? [] : [`seeds with faults: ${wrong.map(({ seed }) => seed).join()}`])
    ],
    isFaultless: wrong.length === 0,
    never: sightings.filter((one) => totals.get(one) === 0)
  }
}
