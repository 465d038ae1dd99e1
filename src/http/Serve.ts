import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, type HttpApiMiddleware, HttpServer } from "@effect/platform"
import { type ConfigError, type Context, Effect, Layer, type Scope } from "effect"
import type { KeyStore } from "../keys/KeyStore.ts"
import { pipeline } from "./Pipeline.ts"
import type { RateLimitStore } from "./rate/RateLimitStore.ts"
import { guardedBy } from "./route/Guard.ts"
import type { HandlersOf, Servable } from "./route/HandlersOf.ts"
import { type Answer, type Decoded, type Route, routeOf } from "./route/Route.ts"
import { routeTable } from "./route/RouteTable.ts"
import { successOf } from "./wire/Success.ts"

/** The middlewares that groups and their endpoints name. */
type Middleware<Groups> =
  | HttpApiGroup.HttpApiGroup.Middleware<Groups>
  | HttpApiMiddleware.HttpApiMiddleware.Only<HttpApiEndpoint.HttpApiEndpoint.Context<HttpApiGroup.HttpApiGroup.Endpoints<Groups>>>

/** A handler whose types were checked where it was written. */
type Handler = (decoded: Decoded) => Effect.Effect<unknown, unknown>

/** The routes of an API: each endpoint with its guard, its handler, and how what it answers is encoded. */
const routesOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E>(
  api: HttpApi.HttpApi<Id, Groups, E>,
  handlers: HandlersOf<Groups, E>,
  services: Context.Context<Middleware<Groups>>
): ReadonlyArray<Route> => {
  // A handler takes what its endpoint declares, by its type; and that is what is decoded for it.
  const untyped = handlers as unknown as Readonly<Record<string, Readonly<Record<string, Handler>>>>
  const routes: Array<Route> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, middleware }) => {
      const handler = untyped[group.identifier]?.[endpoint.name]
      if (handler === undefined) throw new Error(`nobody handles ${group.identifier}.${endpoint.name}`)
      const guard = guardedBy(middleware, services)
      const respond = successOf(endpoint.successSchema)
      const answer: Answer = (decoded) => Effect.flatMap(Effect.suspend(() => handler(decoded)), respond)
      routes.push(routeOf(endpoint, middleware, { answer, guard }))
    }
  })
  return routes
}

/** What serving needs besides a socket and what its handlers ask for. Written out: a guard that nobody provides must not compile. */
type Needed<Groups> = HttpServer.HttpServer | KeyStore | RateLimitStore | Middleware<Groups>

/**
 * An API, answered by its handlers on whatever `HttpServer` is provided. A request is matched and decoded once, by our own table and
 * gates, and what was decoded goes to the handler. An endpoint with a parameter that has no failure of its own does not compile.
 */
export const serve = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, HE, HR>(
  api: HttpApi.HttpApi<Id, Groups, E> & Servable<Groups>,
  handlers: Effect.Effect<HandlersOf<Groups, E>, HE, HR>
): Layer.Layer<never, ConfigError.ConfigError | HE, Needed<Groups> | Exclude<HR, Scope.Scope>> =>
  Layer.unwrapScoped(Effect.gen(function*() {
    const services = yield* Effect.context<Middleware<Groups>>()
    const routes = routesOf<Id, Groups, E>(api, yield* handlers, services)
    return HttpServer.serve((yield* pipeline)(routeTable(routes)))
  }))
