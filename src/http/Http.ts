import { HttpApiBuilder, HttpMiddleware } from "@effect/platform"
import { Layer } from "effect"
import { Api } from "../api/Api.ts"
import * as Account from "./handlers/Account.ts"
import * as Close from "./handlers/Close.ts"
import * as Config from "./handlers/Config.ts"
import * as Destinations from "./handlers/Destinations.ts"
import * as Health from "./handlers/Health.ts"
import * as Index from "./handlers/Index.ts"
import * as Mediator from "./handlers/Mediator.ts"
import * as Metrics from "./handlers/Metrics.ts"
import * as Paths from "./handlers/Paths.ts"
import * as Submit from "./handlers/Submit.ts"
import * as Unbuilt from "./handlers/Unbuilt.ts"
import { HealthProbe } from "./HealthProbe.ts"
import * as Pipeline from "./Pipeline.ts"
import * as Security from "./Security.ts"

const groups = Layer.mergeAll(Account.layer, Close.layer, Config.layer, Destinations.layer, Health.layer, Index.layer, Mediator.layer, Metrics.layer, Paths.layer, Submit.layer, Unbuilt.layer).pipe(
  Layer.provide(HealthProbe.layer),
  Layer.provide(Security.layer)
)

/**
 * The whole HTTP side, served on whatever `HttpServer` is provided. The framework's own request span is off: it would carry
 * paths, queries and headers.
 */
export const layer = HttpApiBuilder.serve().pipe(
  Layer.provide(HttpApiBuilder.api(Api)),
  Layer.provide(groups),
  Layer.provide(Pipeline.layer),
  HttpMiddleware.withTracerDisabledWhen(() => true)
)
