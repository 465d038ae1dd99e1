import type { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import type { IsBare } from "../api/Parameter.ts"

type HasBare<Endpoint extends HttpApiEndpoint.HttpApiEndpoint.Any> =
  | IsBare<HttpApiEndpoint.HttpApiEndpoint.PathParsed<Endpoint>>
  | IsBare<HttpApiEndpoint.HttpApiEndpoint.UrlParams<Endpoint>>
  | IsBare<HttpApiEndpoint.HttpApiEndpoint.Headers<Endpoint>>

type Bare<Endpoint> = Endpoint extends HttpApiEndpoint.HttpApiEndpoint.Any
  ? true extends HasBare<Endpoint> ? HttpApiEndpoint.HttpApiEndpoint.Name<Endpoint> : never
  : never

/** Nothing for groups that can be served; else the name of an endpoint with a parameter that has no failure of its own. */
export type Servable<Groups> = [Bare<HttpApiGroup.HttpApiGroup.Endpoints<Groups>>] extends [never] ? unknown
  : { readonly "a parameter has no failure of its own": Bare<HttpApiGroup.HttpApiGroup.Endpoints<Groups>> }
