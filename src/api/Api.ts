import { HttpApi, OpenApi } from "@effect/platform"
import { Decision } from "../domain/Decision.ts"
import { Account } from "./AccountRoutes.ts"
import { Admin } from "./Admin.ts"
import { Allowances } from "./Allowances.ts"
import { BatchError } from "./Batch.ts"
import { Close } from "./Close.ts"
import { ClosePage, OwnClose } from "./ClosePage.ts"
import { Config } from "./Config.ts"
import { Destinations } from "./Destinations.ts"
import { Health } from "./HealthRoutes.ts"
import { apiVersion, Index } from "./Index.ts"
import { Mcp } from "./Mcp.ts"
import { Mediator } from "./Mediator.ts"
import { Metrics } from "./Metrics.ts"
import { finishDocument } from "./OpenApiDocument.ts"
import { Paths } from "./Paths.ts"
import { Preflight } from "./PreflightRoutes.ts"
import { everyRouteFailures } from "./RouteFailures.ts"
import { MyKeys, SelfService } from "./SelfService.ts"
import { Submit } from "./Submit.ts"

/** The whole contract of the service. Documents and pages show the groups in this order. */
export class Api extends HttpApi.make("closeout")
  .add(Close)
  .add(Submit)
  .add(Mediator)
  .add(Account)
  .add(Preflight)
  .add(Destinations)
  .add(Paths)
  .add(Allowances)
  .add(Mcp)
  .add(SelfService)
  .add(MyKeys)
  .add(ClosePage)
  .add(OwnClose)
  .add(Config)
  .add(Index)
  .add(Health)
  .add(Admin)
  .add(Metrics)
  .addError(everyRouteFailures)
  .annotate(HttpApi.AdditionalSchemas, [Decision, BatchError])
  .annotate(OpenApi.Title, "Account Close-out")
  .annotate(OpenApi.Version, apiVersion)
  .annotate(
    OpenApi.Description,
    "Closes out an account of a ledger network: reads everything it holds, plans the close and builds every unsigned transaction. " +
      "The caller verifies, signs and submits. A secret key is never sent here.\n\n" +
      "Most routes need an API key: get one on the page [/keys](/keys).\n\n" +
      "The loop: `POST /v1/{network}/close/plan`, then `POST /v1/{network}/close/transactions`, sign, `POST /v1/{network}/submit`, " +
      "and from the second step again while another call is required."
  )
  .annotate(OpenApi.Servers, [{ url: "/", description: "This service." }])
  .annotate(
    OpenApi.Transform,
    ({ openapi, info, paths, components, security, tags, servers }) =>
      finishDocument({ openapi, info, paths, components, security, tags, servers })
  )
{}
