import { Schema } from "effect"
import { Network } from "../domain/Network.ts"
import { strict } from "./Strict.ts"

/** Who asks for a challenge. */
export const ChallengeBody = strict(
  Schema.Struct({ network: Network, address: Schema.String.annotations({ description: "The account whose keys are managed (G...)." }) })
    .annotations({
      identifier: "ChallengeRequest",
      description: "Who asks for a challenge."
    })
)

/** A challenge that was signed. */
export const SessionBody = strict(
  Schema.Struct({ network: Network, transaction: Schema.String.annotations({ description: "The signed challenge, base64." }) })
    .annotations({ identifier: "SessionRequest", description: "A signed challenge." })
)
