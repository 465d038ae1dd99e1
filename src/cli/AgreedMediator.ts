import { Prompt } from "@effect/cli"
import { Effect, Option } from "effect"
import { called, type ServiceClient } from "../client/ServiceClient.ts"
import { AccountAddress, isAccountAddress } from "../domain/Address.ts"
import type { Network } from "../domain/Network.ts"
import { Declined, wrongInput } from "./CommandFailed.ts"
import { bold, paragraph, print } from "./Screen.ts"

interface Asked {
  readonly client: ServiceClient
  readonly network: Network
  readonly destination: string
  readonly mayAsk: boolean
}

const reason = "This exchange credits payments only, so the lumens go through a mediator. The service says that its mediator is"
const advice = "Compare the address with what the operator of the service publishes elsewhere"

/**
 * The mediator of a close into an exchange that needs one. Where the caller names none, the service's own is shown, and a person has to confirm
 * it; without a terminal the command stops with it.
 */
export const agreedMediator = (named: Option.Option<string>, { client, destination, mayAsk, network }: Asked) =>
  Effect.gen(function*() {
    if (Option.isSome(named) || !isAccountAddress(destination)) return {}
    const path = { network, address: AccountAddress.make(destination) }
    const { mediator, requiresMediator } = yield* called(client.destinations.describe({ path }))
    if (!requiresMediator || mediator === null) return {}
    if (!mayAsk) return yield* wrongInput(`${reason} ${mediator}. ${advice}, then add --mediator ${mediator}.`)
    yield* print(...paragraph(reason), `  ${bold(mediator)}`, ...paragraph(`${advice}.`))
    const isIts = yield* Prompt.run(Prompt.confirm({ message: "Have you compared it, and is it the operator's?" }))
    return isIts ? { mediator } : yield* new Declined()
  })
