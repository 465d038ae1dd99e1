import { HttpApiError, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Chunk, Context, type Duration, Effect, Option, Schema } from "effect"
import { withPatience } from "../../chain/pace/Patience.ts"
import { type Asker, Requester } from "../../close/load/Requester.ts"
import { AccountAddress } from "../../domain/Address.ts"
import { DeadlineExceeded } from "../../domain/failure/Upstream.ts"
import { CurrentCaller, type Identity } from "../request/Caller.ts"
import { RequestId } from "../request/RequestId.ts"
import { decodeFailure } from "./DecodeFailure.ts"
import { CurrentPlace, type Place } from "./Place.ts"
import { pathParameters, queryParameters, targetOf } from "./Target.ts"

/** Stops what takes too long and does not wait until it has stopped. The server runs its applications uninterruptible; this part is not. */
const within = (deadline: Duration.Duration) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | DeadlineExceeded, R> =>
  work.pipe(
    Effect.disconnect,
    Effect.timeoutFail({ duration: deadline, onTimeout: () => new DeadlineExceeded() }),
    Effect.interruptible
  )

const isAccount = Schema.is(AccountAddress)

/**
 * Who waits for a turn, as far as fairness goes. An owner of an operator's key counts as one. Owners of self-service keys are named by
 * the account they proved; such keys are free to make, so all their owners count as one together, and are distinguished by client address first.
 */
export const askerOf = (identity: Identity, client: string, deadline: Duration.Duration): Asker => {
  const owner = identity._tag === "Some" ? Option.getOrThrow(identity).owner : null
  return { path: owner === null || isAccount(owner) ? ["self-service", client, owner ?? ""] : ["operator", owner], deadline }
}

/** Who asks, as the middleware found before any route. */
export class Visitor extends Context.Tag("closeout/http/Visitor")<
  Visitor,
  { readonly identity: Identity; readonly client: string; readonly requestId: string }
>() {}

type Asked = Visitor | HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext

/** The context of a route: the caller, and the parameters as the contract has them. */
const knowing = (place: Place, context: Context.Context<Asked>) => {
  const { client, identity, requestId } = Context.get(context, Visitor)
  const route = Context.get(context, HttpRouter.RouteContext)
  const parameters = {
    path: pathParameters(route.params),
    query: queryParameters(targetOf(Context.get(context, HttpServerRequest.HttpServerRequest).url).query)
  }
  const known = Context.make(CurrentPlace, place).pipe(
    Context.add(CurrentCaller, identity),
    Context.add(RequestId, requestId),
    Context.add(Requester, askerOf(identity, client, place.deadline)),
    Context.add(HttpRouter.RouteContext, { ...route, params: parameters.path }),
    Context.add(HttpServerRequest.ParsedSearchParams, parameters.query)
  )
  return { known, parameters }
}

/**
 * What goes around every route, its token included: who asks and for what, the deadline, and the failures of parameters. The platform's
 * middleware of a group would only come before.
 */
const wrapped = (place: Place) => <E, R>(handler: HttpRouter.Route.Handler<E, R>) =>
  Effect.flatMap(Effect.context<Asked>(), (context) => {
    const { known, parameters } = knowing(place, context)
    const answer = Effect.catchAll(
      handler,
      (failure) => Effect.fail(failure instanceof HttpApiError.HttpApiDecodeError ? decodeFailure(place, parameters, failure) : failure)
    )
    return answer.pipe(withPatience, Effect.provide(known), within(place.deadline))
  })

/** A router whose every route is wrapped. */
export const wrapRoutes = (places: ReadonlyArray<Place>) => <E, R>({ routes }: HttpRouter.HttpRouter<E, R>) =>
  HttpRouter.fromIterable(Chunk.map(routes, ({ handler, method, path }) => {
    const place = places.find((one) => one.method === method && one.template === path)
    if (place === undefined) throw new Error(`the contract has no ${method} ${path}`)
    return HttpRouter.makeRoute(method, path, wrapped(place)(handler))
  }))
