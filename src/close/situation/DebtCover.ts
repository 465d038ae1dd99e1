import { HashSet } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { type Exits, toBeLeft } from "./Exits.ts"
import { netOf } from "./Moved.ts"
import { callsOf, type PlannedExit } from "./PlannedExit.ts"
import { bought, called, type Done } from "./Progress.ts"

const shortOf = ({ exit }: PlannedExit): ContractAddress | null =>
  exit._tag === "Refused" && exit.refusal._tag === "RepayAssetShort" ? exit.refusal.token : null

/** Other exits whose calls pay more of the token that a debt needs than they take. */
const feedersOf = (exits: Pick<Exits, "planned">, one: PlannedExit): ReadonlyArray<PlannedExit> => {
  const lacks = shortOf(one)
  return lacks === null ?
    [] :
    toBeLeft(exits).filter((other) => other !== one && other.exit._tag === "Calls" && netOf(other.exit.calls, lacks) > 0n)
}

/** Whether leaving another position pays the token that a debt needs: that one then goes first, and the debt is read again. */
export const isFed = (exits: Pick<Exits, "planned">, one: PlannedExit): boolean => feedersOf(exits, one).length > 0

/** What a debt will still lack when what pays it first is left; base units, negative: there is more than enough. Null where nothing pays it. */
export const lackingOnceFed = (
  exits: Pick<Exits, "planned">,
  one: PlannedExit
): { readonly token: ContractAddress; readonly units: bigint } | null => {
  const feeders = feedersOf(exits, one)
  if (one.exit._tag !== "Refused" || one.exit.refusal._tag !== "RepayAssetShort" || feeders.length === 0) return null
  const { held, needed, token } = one.exit.refusal
  // What others take before it is not in what it has.
  return { token, units: feeders.reduce((left, feeder) => left - netOf(callsOf(feeder), token), needed - held) }
}

/** Whether a debt that could not be paid when it was read can be after these moves of a projection. */
export const isCovered = (exits: Pick<Exits, "planned">, one: PlannedExit, done: Done): boolean => {
  if (HashSet.has(done, bought(one))) return true
  const lacking = lackingOnceFed(exits, one)
  return lacking !== null && lacking.units <= 0n &&
    feedersOf(exits, one).every((feeder) => callsOf(feeder).every((_, index) => HashSet.has(done, called(feeder, index))))
}
