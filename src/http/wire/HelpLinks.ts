import { HttpServer } from "@effect/platform"
import { type ConfigError, Context, Effect, Layer, Option } from "effect"
import { publicUrlSetting } from "../../domain/PublicUrl.ts"
import { Networks } from "../../Networks.ts"

/** How errors, blockers and warnings name their page, inside of JSON. No other text can look like it: there, quotes are escaped. */
const within = "\"helpUrl\":\"/docs/"

/** How the links of an answer, as JSON text, are written for its callers. */
export type Links = (json: string) => string

/** Links as they are made: paths of this service. */
export const asPaths: Links = (json) => json

/** Links as addresses below an origin, such as `https://close.example.org`. */
export const linksUnder = (origin: string): Links => {
  const absolute = within.replace("/docs/", `${origin}/docs/`)
  return (json) => json.replaceAll(within, () => absolute)
}

/** Where callers reach this service, such as `https://close.example.org`; empty where it does not know. */
export class ServiceOrigin extends Context.Reference<ServiceOrigin>()("closeout/http/ServiceOrigin", { defaultValue: () => "" }) {}

/** How the links of answers are written. */
export class HelpLinks extends Context.Reference<HelpLinks>()("closeout/http/HelpLinks", { defaultValue: () => asPaths }) {}

/** The origin of `PUBLIC_URL`, or another where it is not set. */
const originOr = <R>(otherwise: Effect.Effect<string, never, R>): Effect.Effect<string, ConfigError.ConfigError, R> =>
  Effect.flatMap(
    publicUrlSetting,
    Option.match({ onNone: () => otherwise, onSome: ({ origin }) => Effect.succeed(origin) })
  )

/** Links below `PUBLIC_URL`, or paths where it is not set. */
export const publicLinks: Effect.Effect<Links, ConfigError.ConfigError> = Effect.map(originOr(Effect.succeed("")), linksUnder)

/** Addresses that mean every address of this machine. */
const everywhere: ReadonlySet<string> = new Set(["0.0.0.0", "::"])

/** The origin under which a listener is reached from this machine. */
const originOf = ({ hostname, port }: HttpServer.TcpAddress): string => {
  if (everywhere.has(hostname)) return `http://localhost:${port}`
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`
}

/** The address that a service of nothing but the sandbox listens on, else nothing. */
const ownAddress = Effect.map(
  Effect.all([Networks, HttpServer.HttpServer]),
  ([{ enabled }, { address }]) =>
    [...enabled.values()].every(({ sandbox }) => sandbox) && address._tag === "TcpAddress" ? originOf(address) : ""
)

/** Links below `PUBLIC_URL`. Where it is not set: below the address of a service that serves the sandbox only, else paths. */
export const layer: Layer.Layer<HelpLinks | ServiceOrigin, ConfigError.ConfigError, Networks | HttpServer.HttpServer> = Layer.effectContext(
  Effect.map(
    originOr(ownAddress),
    (origin) => Context.make(HelpLinks, linksUnder(origin)).pipe(Context.add(ServiceOrigin, origin))
  )
)
