import type { AssetId } from "../../domain/Asset.ts"
import { callsOf, type Exits, linesFor, paidTokens, toBeLeft } from "./Exits.ts"

/** What has to be waited for before an account can be merged. */
export interface Waiting {
  /** Unix seconds from which the next thing can be done. */
  readonly until: bigint
  /** Unix seconds before which the account cannot be merged. */
  readonly merge: bigint
}

const unlockingOf = ({ exit }: Exits["planned"][number]): bigint | null => {
  switch (exit._tag) {
    case "Calls":
      return exit.unlocksAt
    case "Refused":
      return exit.refusal._tag === "CoolingDown" ? exit.refusal.unlocksAt : null
    case "Gone":
      return null
  }
}

/** Until when the account has to stay open for positions that cool down; null: nothing does. */
export const coolingDown = (exits: Exits): Waiting | null => {
  const times = toBeLeft(exits).flatMap((one) => unlockingOf(one) ?? [])
  if (times.length === 0) return null
  return {
    until: times.reduce((first, time) => (time < first ? time : first)),
    merge: times.reduce((last, time) => (time > last ? time : last))
  }
}

/** Whether something stays in a protocol after everything that can be planned now is done. */
export const staysOpen = (exits: Exits): boolean =>
  toBeLeft(exits).some((one) => one.exit._tag === "Refused" || unlockingOf(one) !== null)

/** Assets whose lines must stay: those that positions still pay into, or need to be left. */
export const awaitedAssets = (exits: Exits, finished: boolean): ReadonlySet<AssetId> =>
  new Set(toBeLeft(exits)
    .filter((one) => !finished || one.exit._tag === "Refused" || unlockingOf(one) !== null)
    .flatMap((one) => [
      ...linesFor(exits, paidTokens(one)),
      ...linesFor(exits, one.position.owes.map(({ token }) => token)),
      ...linesFor(exits, callsOf(one).flatMap(({ payouts }) => payouts.map(({ token }) => token)))
    ]))
