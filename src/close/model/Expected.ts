import type { AssetId } from "../../domain/Asset.ts"
import { callsOf, type Exits, isFed, type PlannedExit, toBeLeft } from "./Exits.ts"
import { type TokenMove, tokenMovesOf } from "./TokenMoves.ts"

/** What a debt lacks that no other exit pays: bought, or the close is blocked. */
const boughtFor = (exits: Exits, one: PlannedExit): ReadonlyArray<TokenMove> => {
  if (one.exit._tag !== "Refused" || one.exit.refusal._tag !== "RepayAssetShort" || isFed(exits, one)) return []
  const { held, needed, token } = one.exit.refusal
  return [{ token, units: needed - held }]
}

/**
 * What leaving everything brings of each asset, less what debts take of it, as of the ledger that was read; stroops, negative where they
 * take more. Lumens among them.
 */
export const expectedOf = (exits: Exits): ReadonlyMap<AssetId, bigint> => {
  const open = toBeLeft(exits)
  const sum = new Map<AssetId, bigint>()
  for (const { token, units } of [...tokenMovesOf(open.flatMap(callsOf)), ...open.flatMap((one) => boughtFor(exits, one))]) {
    const asset = exits.assets.get(token)
    if (asset !== undefined) sum.set(asset, (sum.get(asset) ?? 0n) + units)
  }
  return sum
}
