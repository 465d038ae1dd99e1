import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { TransactionsRequest, TransactionsResult } from "../domain/CloseTransaction.ts"
import { CloseRequest, Plan } from "../domain/Plan.ts"
import { BatchRequest, BatchResult } from "./Batch.ts"
import { Checked } from "./Checked.ts"
import { failures } from "./ErrorTable.ts"
import { NetworkPath } from "./Parameters.ts"
import { bodyFailures, networkFailures } from "./RouteFailures.ts"
import { closeBodyBytes, deadlines, DeadlineSeconds, MaxBodyBytes } from "./RouteLimits.ts"
import { ApiKeyAuth } from "./Security.ts"
import { strict } from "./Strict.ts"

/** What is wrong with a close request itself. */
export const closeInputFailures = failures(
  "InvalidSource",
  "InvalidDestination",
  "InvalidMemo",
  "InvalidDecisions",
  "InvalidFeePayer",
  "InvalidValidity",
  "InvalidSlippage",
  "InvalidHash"
)

/** The body of a request for a plan. */
export const PlanBody = strict(CloseRequest)

/** The body of a request for transactions. */
export const TransactionsBody = strict(TransactionsRequest)

/** The body of a request for several plans. */
export const BatchBody = strict(BatchRequest)

/** What planning may answer beside. */
export const planFailures = failures("AccountNotFound", "AccountTooLarge", "LedgerApiLagging", "SourcesDisagree")

const plan = HttpApiEndpoint.post("plan", "/v1/:network/close/plan")
  .setPath(NetworkPath)
  .setPayload(PlanBody)
  .addSuccess(Plan)
  .addError(closeInputFailures)
  .addError(planFailures)
  .addError(networkFailures)
  .addError(bodyFailures)
  .annotate(MaxBodyBytes, closeBodyBytes)
  .annotate(DeadlineSeconds, deadlines.plan)
  .annotate(OpenApi.Identifier, "planClose")
  .annotate(OpenApi.Summary, "Plan a close")
  .annotate(
    OpenApi.Description,
    "The full plan: steps in order, what must be decided, what blocks, what it costs and brings, and a dry run. " +
      "Answers 200 for everything found on the ledger, `blocked` and `needs_decisions` included; 4xx is for input only."
  )

/** What building may answer beside. */
export const buildFailures = failures(
  "AccountNotFound",
  "AccountTooLarge",
  "MemoRequired",
  "RegistryExpired",
  "DestinationNotAcknowledged",
  "PlanChanged",
  "PlanBlocked",
  "NeedsDecisions",
  "QuoteDrifted",
  "BelowAcceptedMinimum",
  "DestinationUnusable",
  "TransferDestinationUnusable",
  "ConversionFloorMissing",
  "PositionsUnread",
  "PositionExitUnavailable",
  "PositionExitUnsafe",
  "PositionCoolingDown",
  "PayoutTrustlineMissing",
  "RepayAssetShort",
  "TokenUnsafe",
  "SimulationFailed",
  "InsufficientLumens",
  "RevokeUnsafe",
  "DryRunFailed",
  "LedgerApiLagging",
  "ContractRpcLagging",
  "SourcesDisagree",
  "NetworkFeeAboveLimit",
  "MediatorNotConfigured",
  "MediatorOverfunded"
)

const transactions = HttpApiEndpoint.post("transactions", "/v1/:network/close/transactions")
  .setPath(NetworkPath)
  .setPayload(TransactionsBody)
  .addSuccess(TransactionsResult)
  .addError(closeInputFailures)
  .addError(buildFailures)
  .addError(networkFailures)
  .addError(bodyFailures)
  .annotate(MaxBodyBytes, closeBodyBytes)
  .annotate(DeadlineSeconds, deadlines.plan)
  .annotate(OpenApi.Identifier, "buildTransaction")
  .annotate(OpenApi.Summary, "Build the next transaction")
  .annotate(
    OpenApi.Description,
    "Reads afresh, enforces every gate of the plan again, and hands over the next unsigned transaction. " +
      "Verify it, sign it, submit it, and call again while `remaining.requiresAnotherCall` is true. Send all answers every time."
  )

/** The same answer as one JSON object a line, for `Accept: application/x-ndjson`. */
const lines = {
  schema: {
    $ref: "#/components/schemas/BatchItem",
    description: "The schema of one line. Each line is one JSON object that ends with a line feed; lines come as results are ready."
  }
}

interface Answers {
  readonly 200: { readonly content: object }
}

const alsoInLines = (operation: Record<string, unknown>): Record<string, unknown> => {
  const responses = operation["responses"] as Answers
  const content = { ...responses[200].content, "application/x-ndjson": lines }
  return { ...operation, responses: { ...responses, 200: { ...responses[200], content } } }
}

const batchPlan = HttpApiEndpoint.post("batchPlan", "/v1/:network/close/batch-plan")
  .setPath(NetworkPath)
  .setPayload(BatchBody)
  .addSuccess(BatchResult)
  .addError(failures("InvalidAccounts", "TooManyAccounts", "InvalidDestination"))
  .addError(networkFailures)
  .addError(bodyFailures)
  .annotate(MaxBodyBytes, closeBodyBytes)
  .annotate(DeadlineSeconds, deadlines.batch)
  .annotate(OpenApi.Transform, alsoInLines)
  .annotate(OpenApi.Identifier, "planBatch")
  .annotate(OpenApi.Summary, "Plan several closes")
  .annotate(
    OpenApi.Description,
    "Plans up to 100 accounts, results in request order; one failing account never fails another. " +
      "With `Accept: application/x-ndjson` the response has one result a line, each as soon as it is ready."
  )

/** Planning and building a close. */
export class Close extends HttpApiGroup.make("close")
  .add(plan)
  .add(transactions)
  .add(batchPlan)
  .middleware(Checked)
  .middleware(ApiKeyAuth)
  .annotate(OpenApi.Title, "Close")
  .annotate(OpenApi.Description, "The close loop: plan, build, sign, submit, and again.")
{}
