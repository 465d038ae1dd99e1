import { claimsByAsset } from "../model/Claims.ts"
import { claimTask } from "./AssetPart.ts"
import { needsNoLine } from "../model/IssuerPower.ts"
import type { Step } from "../model/Step.ts"
import { unit } from "../model/Unit.ts"

/** Lumens, and what the account issued itself, arrive without a line and leave nothing to dispose of: as many claims as fit. */
export const claimLumens: Step = function*({ claims, holdings, room }) {
  for (const [asset, open] of claimsByAsset(claims)) {
    if (!needsNoLine(holdings.address, asset)) continue
    for (let at = 0; at < open.length;) {
      const some = open.slice(at, at + Math.max(1, room.left()))
      yield unit(some.map((one) => claimTask(holdings.address, one)))
      at += some.length
    }
  }
}
