/** A number and its noun in the right form: `1 ledger`, `2 ledgers`; with a plural of its own: `1 entry`, `2 entries`. */
export const counted = (count: number | bigint | string, one: string, several = `${one}s`): string =>
  `${count} ${String(count) === "1" ? one : several}`
