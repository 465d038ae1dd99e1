import { type HttpApi, HttpApiBuilder, type HttpApiGroup, HttpRouter, HttpServer } from "@effect/platform"
import { type ConfigError, Effect, Layer } from "effect"
import type { Checked } from "../api/Checked.ts"
import type { KeyStore } from "../keys/KeyStore.ts"
import * as Pipeline from "./Pipeline.ts"
import type { RateLimitStore } from "./rate/RateLimitStore.ts"
import * as Checks from "./route/Checks.ts"
import { type Place, placesOf } from "./route/Place.ts"
import { wrapRoutes } from "./route/RouteWrapper.ts"
import type { Servable } from "./Servable.ts"

/** A path is what it is, and a parameter as long as a target may be: its schema refuses a longer one. */
const asWritten = HttpRouter.setRouterConfig({ caseSensitive: true, maxParamLength: 16_384 })

/** The platform's application over its router, every route of it wrapped. */
const app = (places: ReadonlyArray<Place>) =>
  Effect.flatMap(HttpApiBuilder.Router, (router) =>
    Effect.provideService(HttpApiBuilder.httpApp, HttpApiBuilder.Router, {
      ...router,
      router: Effect.map(router.router, (all) => wrapRoutes(places)(all) as typeof all)
    }))

/** A served API, and what it needs: a socket, stores, and what its groups ask for. */
type Served<GE, GR> = Layer.Layer<
  never,
  ConfigError.ConfigError | GE,
  HttpServer.HttpServer | HttpRouter.HttpRouter.DefaultServices | KeyStore | RateLimitStore | Exclude<GR, Checked>
>

/**
 * Serves an API by its groups on the provided `HttpServer`. An endpoint with a parameter that has no failure of its own does not
 * compile.
 */
export const serve = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, GE, GR>(
  api: HttpApi.HttpApi<Id, Groups, E> & Servable<Groups>,
  groups: Layer.Layer<HttpApiGroup.HttpApiGroup.ToService<Id, Groups>, GE, GR>
): Served<GE, GR> =>
  Layer.unwrapEffect(Effect.sync(() => {
    const places = placesOf<Id, Groups, E, never>(api)
    return Layer.unwrapEffect(Effect.map(app(places), (served) => HttpServer.serve(served))).pipe(
      Layer.provide([HttpApiBuilder.api<Id, Groups, E, never>(api), Pipeline.layer(places)]),
      Layer.provide(Layer.provide(groups, Checks.layer)),
      Layer.provide([HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer]),
      Layer.provide(asWritten)
    )
    // What is provided above is no part of what groups ask for: the compiler does not see it as long as it does not know them.
  })) as Served<GE, GR>
