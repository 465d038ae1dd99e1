import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AllowancesResult } from "../domain/Allowance.ts"
import { Checked } from "./Checked.ts"
import { failures } from "./ErrorTable.ts"
import { AccountPath, AllowancesQuery, NetworkPath } from "./Parameters.ts"
import { bodyFailures, networkFailures } from "./RouteFailures.ts"
import { deadlines, DeadlineSeconds } from "./RouteLimits.ts"
import { ApiKeyAuth } from "./Security.ts"
import { strict } from "./Strict.ts"

const list = HttpApiEndpoint.get("list", "/:network/allowances/:address")
  .setPath(AccountPath)
  .setUrlParams(AllowancesQuery)
  .addSuccess(AllowancesResult)
  .addError(failures("InvalidAddress", "InvalidTokens", "InvalidSpender"))
  .addError(networkFailures)
  .annotate(OpenApi.Identifier, "listAllowances")
  .annotate(OpenApi.Summary, "List live allowances")
  .annotate(
    OpenApi.Description,
    "Every live, non-zero allowance the account granted in token contracts, best effort, sorted by token then spender. " +
      "`coverage` says how completely they were looked for. `tokens` and `spenders` are checked in addition."
  )

/** Which allowance to revoke. */
export const RevokeBody = strict(
  Schema.Struct({
    owner: Schema.String.annotations({ description: "Account (G...) that granted the allowance." }),
    token: Schema.String.annotations({ description: "Token contract (C...)." }),
    spender: Schema.String.annotations({ description: "Contract (C...) or account (G...) that may spend." })
  }).annotations({ identifier: "RevokeRequest", description: "Which allowance to revoke." })
)

const revoke = HttpApiEndpoint.post("revoke", "/:network/allowances/revoke")
  .setPath(NetworkPath)
  .setPayload(RevokeBody)
  .addSuccess(
    Schema.Struct({ transaction: Schema.String.annotations({ description: "Unsigned TransactionEnvelope, base64." }) })
      .annotations({ identifier: "RevokeResult", description: "The revocation, ready to be signed." })
  )
  .addError(failures(
    "InvalidOwner",
    "InvalidToken",
    "InvalidSpender",
    "TokenMissing",
    "NothingToRevoke",
    "AccountNotFound",
    "RevokeUnsafe",
    "SimulationFailed",
    "InsufficientLumens",
    "ContractRpcLagging",
    "NetworkFeeAboveLimit"
  ))
  .addError(networkFailures)
  .addError(bodyFailures)
  .annotate(DeadlineSeconds, deadlines.plan)
  .annotate(OpenApi.Identifier, "revokeAllowance")
  .annotate(OpenApi.Summary, "Build a revocation")
  .annotate(
    OpenApi.Description,
    "One unsigned transaction with a single call approve(owner, spender, 0, 0). The caller signs and submits it."
  )

/** Allowances in token contracts. */
export class Allowances extends HttpApiGroup.make("allowances")
  .add(list)
  .add(revoke)
  .middleware(Checked)
  .middleware(ApiKeyAuth)
  .annotate(OpenApi.Title, "Allowances")
  .annotate(OpenApi.Description, "What others may spend of the account's contract tokens.")
{}
