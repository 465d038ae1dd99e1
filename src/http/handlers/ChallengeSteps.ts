import type { HttpServerRequest } from "@effect/platform"
import { Effect, Schema } from "effect"
import type { ChallengeBody, SessionBody } from "../../api/SessionBodies.ts"
import { AccountAddress, accountAddressProblem } from "../../domain/Address.ts"
import { InvalidAddress } from "../../domain/failure/Input.ts"
import { NetworkUnavailable } from "../../domain/failure/Upstream.ts"
import type { Network } from "../../domain/Network.ts"
import { AccountSigners } from "../../keys/AccountSigners.ts"
import { SelfService, type Where } from "../../keys/SelfService.ts"
import { Networks } from "../../Networks.ts"
import { selfServiceBound } from "../rate/SelfServiceBound.ts"

const isAccount = Schema.is(AccountAddress)

/** How a person proves an account (SEP-10): a challenge, and with it signed a session. The pages `/keys` and `/close` share these steps. */
export const challengeSteps = (open: "open" | "openClose") =>
  Effect.gen(function*() {
    const sessions = yield* SelfService
    const networks = yield* Networks
    const bounded = yield* selfServiceBound

    const where = (network: Network): Effect.Effect<Where, NetworkUnavailable> => {
      const served = networks.enabled.get(network)
      return served === undefined ? new NetworkUnavailable({ network }) : Effect.succeed({ network, passphrase: served.passphrase })
    }
    const rule = (network: Network, address: AccountAddress) =>
      networks.on(network)(Effect.flatMap(AccountSigners, (signers) => signers.of(address)))

    const challenge = ({ address, network }: typeof ChallengeBody.Type) =>
      Effect.gen(function*() {
        const place = yield* where(network)
        if (!isAccount(address)) return yield* new InvalidAddress({ reason: accountAddressProblem(address) })
        return { ...(yield* sessions.challenge(place, address)), networkPassphrase: place.passphrase }
      })
    const session = ({ network, transaction }: typeof SessionBody.Type, request: HttpServerRequest.HttpServerRequest) =>
      Effect.gen(function*() {
        const place = yield* where(network)
        const address = yield* sessions.accountOf(place, transaction)
        yield* bounded("sessions", request)
        return yield* sessions[open](place, transaction, yield* rule(network, address))
      })
    return { challenge, session }
  })
