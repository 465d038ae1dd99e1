import { Context, Effect, Layer } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { pinned } from "../../chain/Pin.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import type { AccountNotFound } from "../../domain/failure/Request.ts"
import type { ServiceBusy } from "../../domain/failure/Upstream.ts"
import type { PreflightReport } from "../../domain/PreflightReport.ts"
import { singleFlight } from "../../fibers/SingleFlight.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import { Admission, Computing } from "../load/Admission.ts"
import { project } from "../project/Projection.ts"
import { SituationReader } from "../read/SituationReader.ts"
import { closeInput } from "../situation/CloseInput.ts"
import type { Situation } from "../situation/Situation.ts"
import { preflightOf } from "./PreflightOf.ts"

/** Why there is no report. */
export type PreflightFailure = AccountNotFound | ChainFailure | ServiceBusy

/** Says whether an account can be merged, without a destination and without answers. */
export class Preflight extends Context.Tag("closeout/close/Preflight")<Preflight, {
  /** Reads afresh. Requests for the same account at the same time share one reading; nothing is remembered after it. */
  readonly report: (address: AccountAddress) => Effect.Effect<PreflightReport, PreflightFailure>
}>() {
  static readonly layer = Layer.effect(
    Preflight,
    Effect.gen(function*() {
      const situations = yield* SituationReader
      const { admit } = yield* Admission
      const computing = yield* Computing
      const registry = yield* ExchangeRegistry
      const { network } = yield* NetworkSettings
      const flights = singleFlight<AccountAddress, Situation, AccountNotFound | ChainFailure>()
      const read = (address: AccountAddress) =>
        Effect.gen(function*() {
          // An address and nothing else cannot be a wrong request.
          const input = yield* Effect.orDie(closeInput({ source: address }, registry.about))
          // Only a request with the answer `later` fails for a history that is behind.
          const reading = Effect.catchTag(situations.read(input), "LedgerApiLagging", (lagging) => Effect.die(lagging))
          return yield* pinned(network, reading)
        })
      // Each caller waits for turns of its own: what one is refused, the others are not.
      const report = (address: AccountAddress) =>
        admit("close")(
          Effect.flatMap(
            flights(address, read(address)),
            (situation) => Effect.map(computing.run(() => project(situation)), (projected) => preflightOf(network, situation, projected))
          )
        )
      return Preflight.of({ report })
    })
  )
}
