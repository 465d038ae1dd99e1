import { showAmount } from "../../domain/Amount.ts"
import { callsOf, type Exits, isFed, toBeLeft } from "./Exits.ts"
import { netOf } from "./Moves.ts"

/** What debts will still lack when the exits that are made for them first have paid, in words. */
export const stillShort = (exits: Exits): ReadonlyArray<string> => {
  const open = toBeLeft(exits)
  const first = open.filter(({ exit }) => exit._tag === "Calls")
  return open.flatMap((one) => {
    if (one.exit._tag !== "Refused" || one.exit.refusal._tag !== "RepayAssetShort" || !isFed(exits, one)) return []
    const { held, needed, token } = one.exit.refusal
    // What others take before it is not in what it has.
    const paid = first.map((other) => netOf(callsOf(other), token)).filter((units) => units > 0n)
    const lacking = paid.reduce((left, units) => left - units, needed - held)
    if (lacking <= 0n) return []
    const asset = exits.assets.get(token)
    return [`${one.id} will still lack ${asset === undefined ? `${lacking} of ${token}` : `${showAmount(lacking)} ${asset}`} when what pays it first is left; it can be bought then.`]
  })
}
