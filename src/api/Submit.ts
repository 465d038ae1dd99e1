import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { SubmitRequest, SubmitResult, TransactionStatus } from "../domain/SubmitResult.ts"
import { Checked } from "./Checked.ts"
import { failures } from "./ErrorTable.ts"
import { NetworkPath, TransactionPath } from "./Parameters.ts"
import { bodyFailures, networkFailures } from "./RouteFailures.ts"
import { deadlines, DeadlineSeconds } from "./RouteLimits.ts"
import { ApiKeyAuth } from "./Security.ts"
import { strict } from "./Strict.ts"

/** The body of a submission. */
export const SubmitBody = strict(SubmitRequest)

/** What submitting may answer beside what every route may. */
export const submitFailures = failures(
  "InvalidTransaction",
  "AccountNotFound",
  "MediatorRefused",
  "PlanChanged",
  "StaleSequence",
  "TransactionExpired",
  "BadSignatures",
  "TransactionRejected",
  "TransactionFailed",
  "InsufficientLumens",
  "SubmissionBusy",
  "ConfirmationTimeout",
  "LedgerApiLagging",
  "ContractRpcLagging",
  "SourcesDisagree",
  "RegistryExpired"
)

const submit = HttpApiEndpoint.post("submit", "/v1/:network/submit")
  .setPath(NetworkPath)
  .setPayload(SubmitBody)
  .addSuccess(SubmitResult)
  .addError(submitFailures)
  .addError(networkFailures)
  .addError(bodyFailures)
  .annotate(DeadlineSeconds, deadlines.submit)
  .annotate(OpenApi.Identifier, "submitTransaction")
  .annotate(OpenApi.Summary, "Submit a signed transaction")
  .annotate(
    OpenApi.Description,
    "Submits a client-signed transaction and waits until it is in a ledger. Submitting the same envelope again is safe: " +
      "what is already on the ledger is answered at once."
  )

const lookup = HttpApiEndpoint.get("lookup", "/v1/:network/transactions/:hash")
  .setPath(TransactionPath)
  .addSuccess(TransactionStatus)
  .addError(failures("InvalidHash"))
  .addError(networkFailures)
  .annotate(OpenApi.Identifier, "getTransaction")
  .annotate(OpenApi.Summary, "Look up a transaction")
  .annotate(OpenApi.Description, "What the network knows of a transaction hash, for instance after `confirmation_timeout`.")

/** Submitting and looking up transactions. */
export class Submit extends HttpApiGroup.make("submit")
  .add(submit)
  .add(lookup)
  .middleware(Checked)
  .middleware(ApiKeyAuth)
  .annotate(OpenApi.Title, "Submit")
  .annotate(OpenApi.Description, "Bringing signed transactions to the ledger.")
{}
