import type { AccountAddress } from "../../domain/Address.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { EntryReader } from "../../ledger/EntryReader.ts"
import { isFed } from "./DebtCover.ts"
import { type Exits, toBeLeft } from "./Exits.ts"
import { tokenMovesOf } from "./Moved.ts"
import { callsOf, type PlannedExit } from "./PlannedExit.ts"
import { isHeldByOffers, shortageOf } from "./RepayShortage.ts"

/** An amount of an asset, stroops; negative: it is taken. */
type Move = readonly [AssetId, bigint]

/** What is missing for a debt and neither another exit pays nor an offer holds: it is bought, or the close is blocked. */
const boughtFor = (exits: Exits, one: PlannedExit, ledgerState: EntryReader, account: AccountAddress): ReadonlyArray<Move> => {
  const lacks = shortageOf(one, exits.assets)
  if (lacks === null || isFed(exits, one) || isHeldByOffers(ledgerState, account, lacks.asset, lacks)) return []
  return [[lacks.asset, lacks.needed - lacks.held]]
}

/**
 * What leaving everything brings the account of each asset, less what debts take of it, as of the ledger that was read; stroops, negative
 * where they take more. Lumens among them.
 */
export const expectedMovesOf = (exits: Exits, ledgerState: EntryReader, account: AccountAddress): ReadonlyMap<AssetId, bigint> => {
  const open = toBeLeft(exits)
  const calls = tokenMovesOf(open.flatMap(callsOf)).flatMap(({ token, units }): ReadonlyArray<Move> => {
    const asset = exits.assets.get(token)
    return asset === undefined ? [] : [[asset, units]]
  })
  const sum = new Map<AssetId, bigint>()
  for (const [asset, units] of [...calls, ...open.flatMap((one) => boughtFor(exits, one, ledgerState, account))]) {
    sum.set(asset, (sum.get(asset) ?? 0n) + units)
  }
  return sum
}
