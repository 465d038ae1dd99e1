import type { AssetId } from "../../domain/Asset.ts"
import { claimsByAsset } from "../claims/Claims.ts"
import { atomicGroup } from "../situation/AtomicGroup.ts"
import type { Holdings } from "../situation/Holdings.ts"
import { trustlineRemoval } from "./AssetPart.ts"
import type { StepRule } from "./StepRule.ts"

const paidByPools = ({ poolShares }: Holdings): ReadonlySet<AssetId> =>
  new Set(poolShares.flatMap(({ assetA, assetB }) => [assetA, assetB]))

/** Trustlines without a balance that nothing will pay into, whether authorised or not. */
export const removeEmptyTrustlines: StepRule = function*({ awaited: needed, claims, holdings }) {
  const awaited = new Set([...paidByPools(holdings), ...claimsByAsset(claims).keys(), ...needed])
  for (const trustline of holdings.trustlines) {
    if (trustline.balance === 0n && !awaited.has(trustline.asset)) yield atomicGroup([trustlineRemoval(holdings.address, trustline.asset)])
  }
}
