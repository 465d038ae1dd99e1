import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Config, ConfigError, Either } from "effect"
import { allowOf } from "../route/Allow.ts"
import type { Place } from "../route/Place.ts"

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

/** Origins whose pages may read the public routes (`CORS_ORIGINS`, a comma list; none by default, `*` for every one). */
export const corsOrigins: Config.Config<ReadonlyArray<string>> = Config.withDefault(Config.string("CORS_ORIGINS"), "").pipe(
  Config.map((text) => text.split(",").map((part) => part.trim()).filter((part) => part !== "")),
  Config.mapOrFail((origins) =>
    origins.every((origin) => origin === "*" || isOrigin(origin))
      ? Either.right(origins)
      : Either.left(ConfigError.InvalidData(["CORS_ORIGINS"], "a comma-separated list of origins such as https://example.com, or *"))
  )
)

/** The headers that open a public route to a page of an allowed origin; none for every other route and origin. */
export const corsHeaders = (
  request: HttpServerRequest.HttpServerRequest,
  ways: ReadonlyArray<Place>,
  origins: ReadonlyArray<string>
): Readonly<Record<string, string>> => {
  if (origins.length === 0 || ways.length === 0 || ways.some(({ isOpenToOrigins }) => !isOpenToOrigins)) return {}
  const origin = request.headers["origin"]
  const allowed = origin !== undefined && (origins.includes("*") || origins.includes(origin))
  const exposed = "x-request-id, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after"
  return allowed
    ? { "access-control-allow-origin": origin, "access-control-expose-headers": exposed, vary: "Origin" }
    : { vary: "Origin" }
}

/** Whether a request only asks what a page may do on a route. */
export const isPreflight = (request: HttpServerRequest.HttpServerRequest, cors: Readonly<Record<string, string>>): boolean =>
  request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined && "access-control-allow-origin" in cors

/** The answer to such a question. */
export const preflight = (ways: ReadonlyArray<Place>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({
    status: 204,
    headers: {
      "access-control-allow-methods": allowOf(ways).join(", "),
      "access-control-allow-headers": "content-type",
      "access-control-max-age": "600"
    }
  })
