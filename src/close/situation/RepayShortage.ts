import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import type { EntryReader } from "../../ledger/EntryReader.ts"
import type { Exits } from "./Exits.ts"
import { sellingLiabilitiesIn } from "./Holdings.ts"
import type { PlannedExit } from "./PlannedExit.ts"
import { claimable } from "./UnclaimedRewards.ts"

/** Fees of the purchase itself, stroops: they come out of the very lumens that are bought. */
const feeAllowance = 100_000n

/** More of a token is needed than can be spent; base units. */
export interface TokenShortage {
  readonly token: ContractAddress
  readonly needed: bigint
  readonly held: bigint
}

/** What is missing of an asset for a debt, stroops. */
export interface Shortage extends TokenShortage {
  readonly asset: AssetId
  /** What is bought: the missing amount, and the fees that come out of it. */
  readonly short: bigint
}

export const shortageOf = ({ exit }: PlannedExit, assets: Exits["assets"]): Shortage | null => {
  if (exit._tag !== "Refused" || exit.refusal._tag !== "RepayAssetShort") return null
  const { held, needed, token } = exit.refusal
  const asset = assets.get(token)
  return asset === undefined ? null : { asset, token, needed, held, short: needed - held + (asset === native ? feeAllowance : 0n) }
}

/** Whether open offers hold what is missing for a debt: they are cancelled then, and nothing is bought. */
export const isHeldByOffers = (
  ledgerState: EntryReader,
  account: AccountAddress,
  asset: AssetId,
  { held, needed }: Pick<TokenShortage, "held" | "needed">
): boolean => {
  const locked = asset === native ? 0n : sellingLiabilitiesIn(ledgerState, account, asset)
  return locked > 0n && held + locked >= needed
}

export const isAnswered = ({ answer }: PlannedExit): boolean => answer?.choice === "buy_repay_asset_then_exit"

/** What a position has earned, by asset, stroops: where it was not claimed lately it can be claimed first and spent on the debt. */
export const earnedBy = (one: PlannedExit, assets: Exits["assets"]): ReadonlyMap<AssetId, bigint> => {
  const sums = new Map<AssetId, bigint>()
  for (const { amount, claim, token } of claimable(one)) {
    const asset = assets.get(token)
    if (asset !== undefined && !one.claims.made.has(claim)) sums.set(asset, (sums.get(asset) ?? 0n) + amount)
  }
  return sums
}
