import { HttpMiddleware } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Api } from "../api/Api.ts"
import { account } from "./handlers/Account.ts"
import { close } from "./handlers/Close.ts"
import { config } from "./handlers/Config.ts"
import { destinations } from "./handlers/Destinations.ts"
import { health } from "./handlers/Health.ts"
import { index } from "./handlers/Index.ts"
import { mediator } from "./handlers/Mediator.ts"
import { metrics } from "./handlers/Metrics.ts"
import { paths } from "./handlers/Paths.ts"
import { submit } from "./handlers/Submit.ts"
import { unbuilt } from "./handlers/Unbuilt.ts"
import { HealthProbe } from "./HealthProbe.ts"
import * as Security from "./Security.ts"
import { serve } from "./Serve.ts"

const handlers = Effect.map(
  Effect.all({ account, close, config, destinations, health, index, mediator, metrics, paths, submit }),
  (built) => ({ ...built, ...unbuilt })
)

/**
 * The whole HTTP side, served on whatever `HttpServer` is provided. The framework's own request span is off: it would carry
 * paths, queries and headers.
 */
export const layer = serve(Api, handlers).pipe(
  Layer.provide(HealthProbe.layer),
  Layer.provide(Security.layer),
  HttpMiddleware.withTracerDisabledWhen(() => true)
)
