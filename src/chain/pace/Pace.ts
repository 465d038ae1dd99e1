/**
 * The rate limit of one endpoint, adapted by AIMD with slow start. A 429 cuts the rate to 90 %, and to 70 % where it follows another soon.
 * Then the rate doubles every second up to the last one that was borne, and grows slowly from there. Times are milliseconds of the clock.
 */
export interface Pace {
  /** Questions a second; infinite where nothing is known against it. */
  readonly rate: number
  /** The rate it is thought to bear: up to here the rate doubles every second, from here on it grows slowly. */
  readonly borne: number
  /** When it was slowed last. */
  readonly slowedAt: number
  /** Since when it is what it is thought to bear, or more. */
  readonly steadyFrom: number
  /** When it grew last. */
  readonly grownAt: number
}

export const unpaced: Pace = { rate: Infinity, borne: Infinity, slowedAt: -Infinity, steadyFrom: -Infinity, grownAt: -Infinity }

/** What is left of a rate that was refused, and of one that was refused again soon after. */
const [afterRefusal, afterAnother] = [0.9, 0.7]

/** Another refusal within so many milliseconds says that the rate is far from what is borne. */
const soon = 5_000

/** Questions a second that are asked at least of an endpoint that refused for the first time, and of one that is down. */
const trickle = 10

/** Questions a second below which no refusal slows it. */
const leastRate = 0.5

/** Refusals of one such time are one: of what was asked before the first of them took effect, and within one window of the endpoint. */
const oneRefusal = 1_000

/** Beyond what is borne the rate grows each second by as many parts of so many as seconds passed since it was refused: what held for long was a bad guess. */
const slowGrowth = 500

/** Rates from here on hold nobody up. */
const unfelt = 1_000

/** How long a refusal is remembered, in milliseconds. */
const remembered = 300_000

/** After a refusal for too many questions, of one that was sent at some moment; `answered`: how many were answered within a second before. */
export const paceAfterRefusal = (
  pace: Pace,
  { answered, now, sent }: { readonly answered: number; readonly now: number; readonly sent: number }
): Pace => {
  if (sent - pace.slowedAt < oneRefusal) return pace
  const before = Number.isFinite(pace.rate) ? pace.rate : Math.max(trickle / afterRefusal, answered)
  const rate = Math.max(leastRate, before * (sent - pace.slowedAt < soon ? afterAnother : afterRefusal))
  return { rate, borne: rate, slowedAt: now, steadyFrom: now, grownAt: now }
}

/** While it answers nothing at all: a few questions a second find out when it does, and then it is not asked everything at once. */
export const paceAfterSilence = (pace: Pace, now: number): Pace =>
  pace.rate <= trickle ? pace : { ...pace, rate: trickle, slowedAt: now, grownAt: now }

/** After an answer. */
export const paceAfterAnswer = (pace: Pace, now: number): Pace => {
  if (pace.rate === Infinity) return pace
  if (pace.rate >= unfelt || now - pace.steadyFrom > remembered) return unpaced
  const seconds = Math.min(1, (now - pace.grownAt) / 1_000)
  if (pace.rate < pace.borne) {
    return { ...pace, rate: Math.min(pace.borne, pace.rate * 2 ** seconds), steadyFrom: now, grownAt: now }
  }
  return { ...pace, rate: pace.rate * (1 + (seconds * (now - pace.steadyFrom)) / 1_000 / slowGrowth), grownAt: now }
}

/** Milliseconds between two questions. */
export const spacing = ({ rate }: Pace): number => 1_000 / rate
