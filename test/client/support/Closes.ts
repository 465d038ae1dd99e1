import type { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { closeAccount, type CloseEvent, type CloseOptions, type Receipt, signWithKey } from "../../../src/client/Client.ts"
import { Serving } from "../../../src/serving/Serving.ts"
import { Service } from "../../close/support/Service.ts"
import { startTestService, type TestService } from "../../support/TestService.ts"
import { careful, sandboxContracts } from "./CarefulOwner.ts"

/** The service over a sandbox that closes ledgers on a timer, as a real network does. */
export const served = <A, E>(protocols: boolean, work: Effect.Effect<A, E, Service>) =>
  Effect.scoped(
    Effect.flatMap(
      startTestService({}, Serving.layerWith({ closeEvery: "1 second", protocols, accounts: false })),
      (service) => Effect.provideService(work, Service, service)
    )
  )

/** A client's options to close an account on the sandbox. */
export const optionsFor = ({ key, passphrase, url }: TestService, source: Keypair, destination: string): CloseOptions => ({
  baseUrl: url,
  apiKey: key,
  network: "testnet",
  networkPassphrase: passphrase,
  source: source.publicKey(),
  destination,
  contracts: sandboxContracts,
  decide: careful,
  sign: signWithKey(source)
})

/** Closes an account, and returns the receipt and all events. */
export const closed = (options: CloseOptions): Effect.Effect<{ readonly receipt: Receipt; readonly events: ReadonlyArray<CloseEvent> }> =>
  Effect.promise(async () => {
    const events: Array<CloseEvent> = []
    return { receipt: await closeAccount(options).promise((event) => events.push(event)), events }
  })
