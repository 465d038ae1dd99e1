import { HttpApi, HttpApiBuilder, HttpApiSwagger, HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Layer } from "effect"
import type { apiOf } from "../api/ApiOf.ts"

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
const described = (api: ReturnType<typeof apiOf>) => Layer.succeed(HttpApi.Api, { api: api as never, context: Context.empty() })

/** The viewer would offer a public address of the document to this service and show its badge; `none` switches that off. */
const validator = "https://validator.swagger.io/validator"

/** The page of the bundled viewer. It is mounted on a router of its own, so that its route stands in the contract like every other. */
export const docsPage = (
  api: ReturnType<typeof apiOf>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpRouter.HttpRouter.DefaultServices> =>
  Effect.scoped(
    Effect.gen(function*() {
      const viewer = Layer.merge(HttpApiSwagger.layer({ path: "/docs" }), HttpApiBuilder.Router.Live)
      const context = yield* Layer.build(Layer.provide(viewer, described(api)))
      const app = yield* HttpRouter.toHttpApp(yield* Context.get(context, HttpApiBuilder.Router).router)
      const request = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
      const page = yield* Effect.orDie(Effect.provideService(app, HttpServerRequest.HttpServerRequest, request))
      const html = yield* Effect.promise(() => HttpServerResponse.toWeb(page).text())
      return HttpServerResponse.html(html.replaceAll(validator, "none")).pipe(
        HttpServerResponse.setHeader("content-security-policy", contentSecurityPolicy)
      )
    })
  )
