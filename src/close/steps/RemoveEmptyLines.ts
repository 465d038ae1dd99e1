import type { AssetId } from "../../domain/Asset.ts"
import { claimsByAsset } from "../model/Claims.ts"
import type { Holdings } from "../model/Holdings.ts"
import type { Step } from "../model/Step.ts"
import { lineRemoval } from "./AssetPart.ts"
import { unit } from "../model/Unit.ts"

const paidByPools = ({ poolShares }: Holdings): ReadonlySet<AssetId> => new Set(poolShares.flatMap(({ assetA, assetB }) => [assetA, assetB]))

/** Lines without a balance that nothing will pay into, whether authorised or not. */
export const removeEmptyLines: Step = function*({ awaited: needed, claims, holdings }) {
  const awaited = new Set([...paidByPools(holdings), ...claimsByAsset(claims).keys(), ...needed])
  for (const line of holdings.lines) {
    if (line.balance === 0n && !awaited.has(line.asset)) yield unit([lineRemoval(holdings.address, line.asset)])
  }
}
