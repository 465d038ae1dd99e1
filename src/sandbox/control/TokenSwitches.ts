import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { addressOf } from "../../ledger/soroban/Values.ts"
import { Behaviour } from "../contracts/tokens/Behaviour.ts"
import { NewToken, withBehaviours } from "../contracts/tokens/NewToken.ts"
import { ContractText } from "../events/Subject.ts"
import { Network } from "../Network.ts"
import { Problem } from "../rest/Problem.ts"
import { deployToken } from "../scenarios/Tokens.ts"
import { controlBody } from "./ControlBody.ts"

/** `POST /sandbox/tokens`: puts a token on the network, honest or hostile, and answers its address. */
export const putToken = HttpRouter.makeRoute(
  "POST",
  "/sandbox/tokens",
  Effect.gen(function*() {
    const contract = yield* deployToken(yield* controlBody(NewToken))
    return HttpServerResponse.unsafeJson({ contract }, { status: 201 })
  })
)

const Turning = Schema.Struct({ behaviours: Schema.Array(Behaviour) })

/** `PUT /sandbox/tokens/{contract}/behaviours`: has a token do so much and no more that an honest one does not. */
export const turnBehaviours = HttpRouter.makeRoute(
  "PUT",
  "/sandbox/tokens/:contract/behaviours",
  Effect.gen(function*() {
    const { contract } = yield* HttpRouter.schemaPathParams(Schema.Struct({ contract: ContractText }))
    const { behaviours } = yield* controlBody(Turning)
    const network = yield* Network
    const turned = Option.fromNullable(withBehaviours((yield* network.snapshot).state, addressOf(contract), behaviours))
    if (Option.isNone(turned)) return yield* Problem.notFound
    const { sequence } = yield* network.amend((state) => withBehaviours(state, addressOf(contract), behaviours) ?? state)
    return HttpServerResponse.unsafeJson({ ledger: sequence })
  })
)
