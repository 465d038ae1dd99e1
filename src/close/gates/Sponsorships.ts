import { blocker } from "../../domain/Blocker.ts"
import type { Gate } from "../Gate.ts"

/** An account that pays reserves for others cannot be merged, and giving those up is not built yet. */
export const sponsorships: Gate = ({ snapshot: { state } }) => {
  if (state.numSponsoring === 0) return []
  return [{
    refusal: null,
    blocker: state.sponsorshipEnumerationIncomplete
      ? blocker("sponsorship_incomplete", `The account pays ${state.numSponsoring} base reserves for other entries, and not all of them could be listed.`)
      : blocker("not_supported_yet", `The account pays ${state.numSponsoring} base reserves for other entries. Revoke those sponsorships first.`)
  }]
}
