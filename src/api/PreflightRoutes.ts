import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { PreflightReport } from "../domain/PreflightReport.ts"
import { Checked } from "./Checked.ts"
import { failures } from "./ErrorTable.ts"
import { AccountPath } from "./Parameters.ts"
import { networkFailures } from "./RouteFailures.ts"
import { deadlines, DeadlineSeconds } from "./RouteLimits.ts"
import { ApiKeyAuth } from "./Security.ts"

const report = HttpApiEndpoint.get("report", "/:network/preflight/:address")
  .setPath(AccountPath)
  .addSuccess(PreflightReport)
  .addError(failures("InvalidAddress", "AccountNotFound"))
  .addError(networkFailures)
  .annotate(DeadlineSeconds, deadlines.plan)
  .annotate(OpenApi.Identifier, "getPreflight")
  .annotate(OpenApi.Summary, "Ask whether an account can be merged")
  .annotate(
    OpenApi.Description,
    "Whether the account could be closed now, what blocks it by code and count, and how many lumens come back at least. " +
      "It needs no destination and no answers, and costs what a plan costs. Requests for the same account at the same time share one reading."
  )

/** The short question before a plan. */
export class Preflight extends HttpApiGroup.make("preflight")
  .add(report)
  .middleware(Checked)
  .middleware(ApiKeyAuth)
  .annotate(OpenApi.Title, "Preflight")
  .annotate(OpenApi.Description, "Whether an account can be merged, before anything is planned.")
{}
