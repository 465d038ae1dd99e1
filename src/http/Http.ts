import { HttpMiddleware } from "@effect/platform"
import { Layer } from "effect"
import { Api } from "../api/Api.ts"
import * as Security from "./AuthLayers.ts"
import * as Account from "./handlers/AccountHandlers.ts"
import * as Admin from "./handlers/AdminHandlers.ts"
import * as Allowances from "./handlers/AllowancesHandlers.ts"
import * as Close from "./handlers/CloseHandlers.ts"
import * as ClosePage from "./handlers/ClosePageHandlers.ts"
import * as Config from "./handlers/ConfigHandlers.ts"
import * as Destinations from "./handlers/DestinationsHandlers.ts"
import * as Health from "./handlers/HealthHandlers.ts"
import * as Index from "./handlers/IndexHandlers.ts"
import * as Mcp from "./handlers/McpHandlers.ts"
import * as Mediator from "./handlers/MediatorHandlers.ts"
import * as Metrics from "./handlers/MetricsHandlers.ts"
import * as MyKeys from "./handlers/MyKeysHandlers.ts"
import * as OwnClose from "./handlers/OwnCloseHandlers.ts"
import * as Paths from "./handlers/PathsHandlers.ts"
import * as Preflight from "./handlers/PreflightHandlers.ts"
import * as SelfService from "./handlers/SelfServiceHandlers.ts"
import * as Submit from "./handlers/SubmitHandlers.ts"
import { HealthProbe } from "./HealthProbe.ts"
import * as MetricsListener from "./metrics/MetricsListener.ts"
import { MetricsText } from "./metrics/MetricsText.ts"
import { serve } from "./Serve.ts"
import * as HelpLinks from "./wire/HelpLinks.ts"

const groups = Layer.mergeAll(
  Account.layer,
  Admin.layer,
  Allowances.layer,
  Close.layer,
  ClosePage.layer,
  Config.layer,
  Destinations.layer,
  Health.layer,
  Index.layer,
  Mcp.layer,
  Mediator.layer,
  Metrics.layer,
  MyKeys.layer,
  OwnClose.layer,
  Paths.layer,
  Preflight.layer,
  SelfService.layer,
  Submit.layer
)

/**
 * The whole HTTP side, served on the `HttpServer` that is provided. The framework's own request span is off: it would carry
 * paths, queries and headers.
 */
export const layer = Layer.merge(serve(Api, groups), MetricsListener.layer).pipe(
  Layer.provide(Layer.provideMerge(MetricsText.layer, HealthProbe.layer)),
  Layer.provide([Security.layer, HelpLinks.layer]),
  HttpMiddleware.withTracerDisabledWhen(() => true)
)
