import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import type { IsBare } from "../../api/Parameter.ts"

/** Handlers of one group, by the names of its endpoints. Each is given what was decoded, and may fail with what is declared. */
export type GroupHandlers<Group extends HttpApiGroup.HttpApiGroup.Any, Failure> = {
  readonly [Endpoint in HttpApiGroup.HttpApiGroup.Endpoints<Group> as HttpApiEndpoint.HttpApiEndpoint.Name<Endpoint>]:
    HttpApiEndpoint.HttpApiEndpoint.Handler<Endpoint, HttpApiGroup.HttpApiGroup.Error<Group> | Failure, never>
}

/** Handlers of every group, by its name. */
export type HandlersOf<Groups extends HttpApiGroup.HttpApiGroup.Any, Failure> = {
  readonly [Group in Groups as HttpApiGroup.HttpApiGroup.Name<Group>]: GroupHandlers<Group, Failure>
}

/** Handlers of a whole API. */
export type HandlersOfApi<Api> = Api extends HttpApi.HttpApi<infer _Id, infer Groups, infer Failure, infer _R> ? HandlersOf<Groups, Failure>
  : never

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
