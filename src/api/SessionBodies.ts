import { Schema } from "effect"
import { Network } from "../domain/Network.ts"
import { strict } from "./Strict.ts"

/** Who asks for a challenge. */
export const ChallengeBody = strict(
  Schema.Struct({ network: Network, address: Schema.String.annotations({ description: "The account to prove control of (G...)." }) })
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

const expiresAt = Schema.String.annotations({ description: "When it ends, ISO 8601." })

/** A challenge to sign. */
export const ChallengeResult = Schema.Struct({
  transaction: Schema.String.annotations({ description: "Challenge transaction (SEP-10), base64. It cannot be submitted." }),
  networkPassphrase: Schema.String.annotations({ description: "What the signature must be made for." }),
  expiresAt
}).annotations({ identifier: "Challenge", description: "A challenge to sign." })

/** A session that was opened. */
export const SessionResult = Schema.Struct({ token: Schema.String.annotations({ description: "Bearer token of the session." }), expiresAt })
  .annotations({ identifier: "Session", description: "A session of 30 minutes." })
