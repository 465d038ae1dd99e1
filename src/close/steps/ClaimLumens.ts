import { claimsByAsset } from "../claims/Claims.ts"
import { atomicGroup } from "../situation/AtomicGroup.ts"
import { needsNoTrustline } from "../situation/IssuerPower.ts"
import { claimStep } from "./AssetPart.ts"
import type { StepRule } from "./StepRule.ts"

/** Lumens, and what the account issued itself, arrive without a trustline and leave nothing to dispose of: as many claims as fit. */
export const claimLumens: StepRule = function*({ claims, holdings, room }) {
  for (const [asset, open] of claimsByAsset(claims)) {
    if (!needsNoTrustline(holdings.address, asset)) continue
    for (let at = 0; at < open.length;) {
      const some = open.slice(at, at + Math.max(1, room.left()))
      yield atomicGroup(some.map((one) => claimStep(holdings.address, one)))
      at += some.length
    }
  }
}
