import type { AssetId } from "../../domain/Asset.ts"
import { atomicGroup } from "../model/AtomicGroup.ts"
import { claimsByAsset } from "../model/Claims.ts"
import type { Holdings } from "../model/Holdings.ts"
import type { StepRule } from "../model/StepRule.ts"
import { lineRemoval } from "./AssetPart.ts"

const paidByPools = ({ poolShares }: Holdings): ReadonlySet<AssetId> =>
  new Set(poolShares.flatMap(({ assetA, assetB }) => [assetA, assetB]))

/** Lines without a balance that nothing will pay into, whether authorised or not. */
export const removeEmptyLines: StepRule = function*({ awaited: needed, claims, holdings }) {
  const awaited = new Set([...paidByPools(holdings), ...claimsByAsset(claims).keys(), ...needed])
  for (const line of holdings.trustlines) {
    if (line.balance === 0n && !awaited.has(line.asset)) yield atomicGroup([lineRemoval(holdings.address, line.asset)])
  }
}
