import { Effect, Schema } from "effect"
import { AccountAddress, accountAddressProblem } from "../../domain/Address.ts"
import { InvalidAddress } from "../../domain/failure/Input.ts"
import { NetworkUnavailable } from "../../domain/failure/Upstream.ts"
import type { Network } from "../../domain/Network.ts"
import { AccountSigners } from "../../keys/AccountSigners.ts"
import { SelfService, type Where } from "../../keys/SelfService.ts"
import { Networks } from "../../Networks.ts"
import { keysPage } from "../keys-page/KeysPage.ts"
import { selfServiceBound } from "../rate/SelfServiceBound.ts"
import type { Handlers } from "./Handlers.ts"

const isAccount = Schema.is(AccountAddress)

/** Handlers of the group `selfService`. */
export const selfService = Effect.gen(function*() {
  const sessions = yield* SelfService
  const networks = yield* Networks
  const bounded = yield* selfServiceBound

  const where = (network: Network): Effect.Effect<Where, NetworkUnavailable> => {
    const served = networks.enabled.get(network)
    return served === undefined ? new NetworkUnavailable({ network }) : Effect.succeed({ network, passphrase: served.passphrase })
  }
  const rule = (network: Network, address: AccountAddress) =>
    networks.on(network)(Effect.flatMap(AccountSigners, (signers) => signers.of(address)))

  const page = keysPage([...networks.enabled.keys()])

  const handlers: Handlers["selfService"] = {
    page: () => Effect.succeed(page),
    challenge: ({ payload: { address, network } }) =>
      Effect.gen(function*() {
        const place = yield* where(network)
        if (!isAccount(address)) return yield* new InvalidAddress({ reason: accountAddressProblem(address) })
        return { ...(yield* sessions.challenge(place, address)), networkPassphrase: place.passphrase }
      }),
    session: ({ payload: { network, transaction }, request }) =>
      Effect.gen(function*() {
        const place = yield* where(network)
        const address = yield* sessions.accountOf(place, transaction)
        yield* bounded("sessions", request)
        return yield* sessions.open(place, transaction, yield* rule(network, address))
      })
  }
  return handlers
})
