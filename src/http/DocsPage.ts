import { HttpApi, HttpApiBuilder, HttpApiSwagger, type HttpApp, HttpRouter, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Layer, type Scope } from "effect"
import { Api } from "../api/Api.ts"

/** Everything the page uses stands in it, and the browser is told to fetch from nowhere else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "font-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

// The tag is typed for an API without errors of its own; the viewer only reads the document.
const described = Layer.succeed(HttpApi.Api, { api: Api as never, context: Context.empty() })

/** The bundled viewer, mounted on a router of its own so that the route can be declared in the contract like every other. */
export const docsPage: Effect.Effect<HttpApp.Default<unknown, HttpRouter.HttpRouter.DefaultServices>, never, Scope.Scope> = Effect.gen(function*() {
  const viewer = Layer.merge(HttpApiSwagger.layer({ path: "/docs" }), HttpApiBuilder.Router.Live)
  const context = yield* Layer.build(Layer.provide(viewer, described))
  const app = yield* HttpRouter.toHttpApp(yield* Context.get(context, HttpApiBuilder.Router).router)
  return Effect.map(app, HttpServerResponse.setHeader("content-security-policy", contentSecurityPolicy))
})
