import { showAmount } from "../../domain/Amount.ts"
import { movesOf } from "./Expected.ts"
import { callsOf, type Exits, isFed, toBeLeft } from "./Exits.ts"

/** What debts will still lack when the exits that are made for them first have paid, in words. */
export const stillShort = (exits: Exits): ReadonlyArray<string> => {
  const open = toBeLeft(exits)
  const first = movesOf(open.filter(({ exit }) => exit._tag === "Calls").flatMap(callsOf))
  return open.flatMap((one) => {
    if (one.exit._tag !== "Refused" || one.exit.refusal._tag !== "RepayAssetShort" || !isFed(exits, one)) return []
    const { held, needed, token } = one.exit.refusal
    const lacking = first.reduce((left, move) => (move.token === token ? left - move.units : left), needed - held)
    if (lacking <= 0n) return []
    const asset = exits.assets.get(token)
    return [`${one.id} will still lack ${asset === undefined ? `${lacking} of ${token}` : `${showAmount(lacking)} ${asset}`} when what pays it first is left; it can be bought then.`]
  })
}
