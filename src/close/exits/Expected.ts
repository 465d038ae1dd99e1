import type { AssetId } from "../../domain/Asset.ts"
import { callsOf, type Exits, type PlannedExit, toBeLeft } from "./Exits.ts"

/** What a debt that cannot be paid yet will take, and what is bought for it when its owner decided so. */
const ofShortage = ({ answer, exit }: PlannedExit) => {
  if (exit._tag !== "Refused" || exit.refusal._tag !== "RepayAssetShort") return []
  const { held, needed, token } = exit.refusal
  return [{ token, units: answer?.choice === "buy_repay_asset_then_exit" ? -held : -needed }]
}

/**
 * What leaving everything brings of each asset, less what debts take of it, as of the ledger that was read; stroops, negative where they
 * take more. Lumens among them.
 */
export const expectedOf = (exits: Exits): ReadonlyMap<AssetId, bigint> => {
  const open = toBeLeft(exits)
  const calls = open.flatMap(callsOf)
  const moves = [
    ...calls.flatMap(({ payouts }) => payouts.map(({ expected, token }) => ({ token, units: expected }))),
    ...calls.flatMap(({ holds }) => holds.map(({ amount, token }) => ({ token, units: -amount }))),
    ...open.flatMap(ofShortage)
  ]
  const sum = new Map<AssetId, bigint>()
  for (const { token, units } of moves) {
    const asset = exits.assets.get(token)
    if (asset !== undefined) sum.set(asset, (sum.get(asset) ?? 0n) + units)
  }
  return sum
}
