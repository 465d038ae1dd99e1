import { showAmount } from "../../domain/Amount.ts"
import { type Exits, lackingOnceFed, toBeLeft } from "../model/Exits.ts"

/** What debts will still lack when the exits that are made for them first have paid, in words. */
export const stillShort = (exits: Exits): ReadonlyArray<string> =>
  toBeLeft(exits).flatMap((one) => {
    const lacking = lackingOnceFed(exits, one)
    if (lacking === null || lacking.units <= 0n) return []
    const { token, units } = lacking
    const asset = exits.assets.get(token)
    return [`${one.id} will still lack ${asset === undefined ? `${units} of ${token}` : `${showAmount(units)} ${asset}`} when what pays it first is left; it can be bought then.`]
  })
