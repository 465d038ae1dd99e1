import { blocker } from "../../domain/Blocker.ts"
import { counted } from "../../domain/CountedNoun.ts"
import type { Gate } from "../situation/Gate.ts"

/** An account that pays reserves for others cannot be merged; what could not be listed cannot be given up. */
export const sponsorships: Gate = ({ snapshot: { state, unlisted } }) =>
  state.sponsorshipEnumerationIncomplete
    ? [{
      failure: null,
      shown: blocker(
        "sponsorship_incomplete",
        `The account pays ${counted(state.numSponsoring, "base reserve")} for other entries, and not all of these entries could be listed.${
          unlisted === true ? " Name the others in `entries`." : ""
        }`
      )
    }]
    : []
