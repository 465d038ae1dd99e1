import { atomicGroup } from "../model/AtomicGroup.ts"
import { claimsByAsset } from "../model/Claims.ts"
import { needsNoLine } from "../model/IssuerPower.ts"
import type { StepRule } from "../model/StepRule.ts"
import { claimStep } from "./AssetPart.ts"

/** Lumens, and what the account issued itself, arrive without a line and leave nothing to dispose of: as many claims as fit. */
export const claimLumens: StepRule = function*({ claims, holdings, room }) {
  for (const [asset, open] of claimsByAsset(claims)) {
    if (!needsNoLine(holdings.address, asset)) continue
    for (let at = 0; at < open.length;) {
      const some = open.slice(at, at + Math.max(1, room.left()))
      yield atomicGroup(some.map((one) => claimStep(holdings.address, one)))
      at += some.length
    }
  }
}
