/** One line of figures: a name, then cells to the right. */
export const row = (cells: ReadonlyArray<string>): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(44) : cell.padStart(11))).join("")

/** The quantile of some values. */
export const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

export const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** A duration with enough digits to distinguish neighbours. */
export const millis = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`
