/** Ledgers from one on, up to another which is not in it. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What is left of spans without the ledgers of one. */
export const without = (spans: ReadonlyArray<Span>, gone: Span): ReadonlyArray<Span> =>
  spans.flatMap(({ from, to }) =>
    [{ from, to: Math.min(to, gone.from) }, { from: Math.max(from, gone.to), to }].filter((rest) => rest.from < rest.to)
  )

/** The ledgers of a span that are in none of the others, the oldest first. */
export const missingIn = (span: Span, covered: ReadonlyArray<Span>): ReadonlyArray<Span> =>
  covered.reduce<ReadonlyArray<Span>>(without, span.from < span.to ? [span] : [])

/** Spans with one more, those that meet joined, the oldest first. */
export const including = (spans: ReadonlyArray<Span>, more: Span): ReadonlyArray<Span> => {
  if (more.from >= more.to) return spans
  const [apart, meeting] = [
    spans.filter(({ from, to }) => to < more.from || from > more.to),
    spans.filter(({ from, to }) => to >= more.from && from <= more.to)
  ]
  const joined = { from: Math.min(more.from, ...meeting.map(({ from }) => from)), to: Math.max(more.to, ...meeting.map(({ to }) => to)) }
  return [...apart, joined].toSorted((one, other) => one.from - other.from)
}
