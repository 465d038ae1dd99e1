import { Clock, Effect, Either } from "effect"
import { including, missingIn, type Span } from "../../src/chain/history/LedgerSpans.ts"
import type { ContractAddress } from "../../src/domain/Address.ts"
import type { ProtocolName } from "../../src/domain/ProtocolName.ts"
import type { Announcements } from "../../src/protocols/reading/Announcements.ts"
import type { Scanned, ScanProgress } from "./ScanProgress.ts"
import type { ScanSource } from "./ScanSource.ts"

/** Shortest time between two lines of progress, in milliseconds. */
const tellEvery = 5_000

/** The subject of a scan for one protocol, with its progress and its output. */
export interface Scan {
  readonly protocol: ProtocolName
  readonly announcements: Announcements
  readonly wanted: Span
  readonly progress: ScanProgress
  readonly tell: (line: string) => Effect.Effect<void>
}

/** The contracts from sources, the ledgers that no source covers, and a line for each source. */
export interface ScanOutcome extends Scanned {
  readonly missing: ReadonlyArray<Span>
  readonly lines: ReadonlyArray<string>
}

const sizeOf = (spans: ReadonlyArray<Span>): number => spans.reduce((sum, { from, to }) => sum + to - from, 0)

/** The part of some spans within another. */
const within = (spans: ReadonlyArray<Span>, { from, to }: Span): ReadonlyArray<Span> =>
  spans.map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) })).filter((span) => span.from < span.to)

function* windowsOf(spans: ReadonlyArray<Span>, size: number): Generator<Span> {
  for (const { from, to } of spans) {
    for (let next = from; next < to; next += size) yield { from: next, to: Math.min(to, next + size) }
  }
}

const each = (some: ReadonlyArray<ContractAddress>, more: ReadonlyArray<ContractAddress>) => [...new Set([...some, ...more])]

const textOf = ({ from, to }: Span): string => `${from} to ${to - 1}`

/** Some ledgers as text. */
export const spansText = (spans: ReadonlyArray<Span>): string => spans.map(textOf).join(", ")

/** Reports the progress of a source, and the remaining time at this rate. */
const meter = ({ protocol, tell }: Scan, { name }: ScanSource, total: number) =>
  Effect.map(Clock.currentTimeMillis, (began) => {
    let told = began
    return (done: number, at: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (now - told < tellEvery || done === 0) return Effect.void
        told = now
        const minutes = Math.ceil(((now - began) / done) * (total - done) / 60_000)
        return tell(`${protocol}: ledger ${at - 1}, ${Math.floor((done / total) * 100)} % of what ${name} tells, about ${minutes} min left`)
      })
  })

/** Reads the missing ledgers that one source covers; a failure ends this source, and its earlier results count. */
const readSource = (scan: Scan, source: ScanSource, before: Scanned) =>
  Effect.gen(function*() {
    const { announcements, progress, protocol, wanted } = scan
    let scanned = before
    const keeps = yield* source.keeps
    const isEmpty = keeps.from >= keeps.to
    const missing = within(missingIn(wanted, before.covered), keeps)
    const meterTo = yield* meter(scan, source, sizeOf(missing))
    let done = 0
    const reading = Effect.gen(function*() {
      for (const span of isEmpty ? [keeps] : windowsOf(missing, source.window)) {
        const { announced, possible } = yield* source.read(announcements, span)
        scanned = {
          ...scanned,
          covered: including(scanned.covered, span),
          announced: each(scanned.announced, announced),
          possible: each(scanned.possible, possible)
        }
        done += span.to - span.from
        yield* progress.save(protocol, scanned)
        yield* meterTo(done, span.to)
      }
    })
    const outcome = yield* Effect.either(reading)
    const line = Either.isRight(outcome) ? `told ${done} ledgers` : `told ${done} ledgers, then failed: ${reasonOf(outcome.left)}`
    return { scanned, line }
  }).pipe(
    Effect.catchAll((failure) => Effect.succeed({ scanned: before, line: `could not be read: ${reasonOf(failure)}` })),
    Effect.map(({ line, scanned }) => ({ scanned, line: `${scan.protocol}: ${source.name} ${line}` }))
  )

const reasonOf = (failure: object): string => {
  if ("reason" in failure && typeof failure.reason === "string") return failure.reason
  return "_tag" in failure ? String(failure._tag) : "unknown"
}

/** Reads the sources one after the other for the ledgers that earlier ones did not cover. */
export const scanLedgers = (scan: Scan, sources: ReadonlyArray<ScanSource>): Effect.Effect<ScanOutcome> =>
  Effect.gen(function*() {
    const { announcements, progress, protocol, wanted } = scan
    let scanned = progress.of(protocol, announcements.contracts)
    const lines: Array<string> = []
    for (const source of sources) {
      const one = yield* readSource(scan, source, scanned)
      scanned = one.scanned
      lines.push(one.line)
    }
    return { ...scanned, lines, missing: missingIn(wanted, scanned.covered) }
  })
