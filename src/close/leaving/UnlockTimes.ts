import { BigInt as Big, HashSet } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { classicAssetsOf, type Exits, toBeLeft } from "../situation/Exits.ts"
import { callsOf, type PlannedExit } from "../situation/PlannedExit.ts"
import { called, type Done } from "../situation/Progress.ts"
import { paidTokens } from "../situation/UnclaimedRewards.ts"

/** What has to be waited for before an account can be merged. */
export interface UnlockTimes {
  /** Unix seconds from which the next thing can be done. */
  readonly until: bigint
  /** Unix seconds before which the account cannot be merged. */
  readonly merge: bigint
}

const unlockingOf = ({ exit }: PlannedExit): bigint | null => {
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
export const unlockTimes = (exits: Exits): UnlockTimes | null => {
  const times = toBeLeft(exits).flatMap((one) => unlockingOf(one) ?? [])
  if (times.length === 0) return null
  return {
    until: times.reduce((first, time) => Big.min(first, time)),
    merge: times.reduce((last, time) => Big.max(last, time))
  }
}

/**
 * Whether a call pays something that is a position itself, which is left next: nothing is known of that before it is there. What a later
 * call of the same exit hands in, as free shares that were staked, is known.
 */
const leadsOn = ({ assets, carried }: Exits, one: PlannedExit): boolean => {
  const calls = callsOf(one)
  const handedIn = (after: number, token: string): boolean =>
    calls.slice(after + 1).some(({ holds }) => holds.some((held) => held.token === token))
  return (one.exit._tag === "Calls" && one.exit.leadsOn === true) ||
    calls.some(({ payouts }, index) => payouts.some(({ token }) => !assets.has(token) && !carried.has(token) && !handedIn(index, token)))
}

/** Whether something of a position stays in its protocol after these moves of a projection. */
const isLeftOpen = (exits: Exits, done: Done) => (one: PlannedExit): boolean => {
  if (unlockingOf(one) !== null || leadsOn(exits, one)) return true
  const { exit, foreseen } = one
  return exit._tag === "Refused" && !(foreseen.length > 0 && foreseen.every((_, index) => HashSet.has(done, called(one, index))))
}

/** Whether something stays in a protocol after these moves, when everything that is known to be callable is called. */
export const staysOpen = (exits: Exits, done: Done): boolean => toBeLeft(exits).some(isLeftOpen(exits, done))

/**
 * Whether a position that stays open after these moves still pays a token, or owes it: then nothing of it leaves the account yet.
 */
export const isAwaited = (exits: Exits, token: ContractAddress, done: Done): boolean =>
  toBeLeft(exits).some((one) =>
    isLeftOpen(exits, done)(one) &&
    (paidTokens(one).includes(token) || one.position.owes.some((owed) => owed.token === token) ||
      callsOf(one).some(({ payouts }) => payouts.some((paid) => paid.token === token)))
  )

/** Assets whose lines must stay: those that positions still pay into, or need to be left. `done`: moves after which nothing more is called; null: anything may be. */
export const awaitedAssets = (exits: Exits, done: Done | null): ReadonlySet<AssetId> =>
  new Set(
    toBeLeft(exits)
      .filter((one) => done === null || isLeftOpen(exits, done)(one))
      .flatMap((one) => [
        ...classicAssetsOf(exits, paidTokens(one)),
        ...classicAssetsOf(exits, one.position.owes.map(({ token }) => token)),
        ...classicAssetsOf(exits, callsOf(one).flatMap(({ payouts }) => payouts.map(({ token }) => token)))
      ])
  )

/** Assets that debts are paid in: as long as there is a debt, what is held of them stays untouched. `done`: as for awaited assets. */
export const indebtedAssets = (exits: Exits, done: Done | null): ReadonlySet<AssetId> =>
  new Set(classicAssetsOf(
    exits,
    toBeLeft(exits)
      .filter((one) => done === null || isLeftOpen(exits, done)(one))
      .flatMap(({ position }) => position.owes.map(({ token }) => token))
  ))
