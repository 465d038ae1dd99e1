import { HttpMiddleware } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Api } from "../api/Api.ts"
import * as Security from "./AuthLayers.ts"
import { account } from "./handlers/AccountHandlers.ts"
import { admin } from "./handlers/AdminHandlers.ts"
import { allowances } from "./handlers/AllowancesHandlers.ts"
import { close } from "./handlers/CloseHandlers.ts"
import { config } from "./handlers/ConfigHandlers.ts"
import { destinations } from "./handlers/DestinationsHandlers.ts"
import { health } from "./handlers/HealthHandlers.ts"
import { index } from "./handlers/IndexHandlers.ts"
import { mediator } from "./handlers/MediatorHandlers.ts"
import { metrics } from "./handlers/MetricsHandlers.ts"
import { myKeys } from "./handlers/MyKeysHandlers.ts"
import { paths } from "./handlers/PathsHandlers.ts"
import { selfService } from "./handlers/SelfServiceHandlers.ts"
import { submit } from "./handlers/SubmitHandlers.ts"
import { HealthProbe } from "./HealthProbe.ts"
import * as MetricsListener from "./metrics/MetricsListener.ts"
import { MetricsText } from "./metrics/MetricsText.ts"
import { serve } from "./Serve.ts"

const handlers = Effect.all({
  account,
  admin,
  allowances,
  close,
  config,
  destinations,
  health,
  index,
  mediator,
  metrics,
  myKeys,
  paths,
  selfService,
  submit
})

/**
 * The whole HTTP side, served on whatever `HttpServer` is provided. The framework's own request span is off: it would carry
 * paths, queries and headers.
 */
export const layer = Layer.merge(serve(Api, handlers), MetricsListener.layer).pipe(
  Layer.provide(Layer.provideMerge(MetricsText.layer, HealthProbe.layer)),
  Layer.provide(Security.layer),
  HttpMiddleware.withTracerDisabledWhen(() => true)
)
