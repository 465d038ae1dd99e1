import { Effect, Layer } from "effect"
import { newerProtocol } from "../domain/NewerProtocol.ts"
import { modelProtocol } from "../ledger/ModelProtocol.ts"
import { Networks } from "../Networks.ts"

/** Tells the operator at start which networks run a protocol that is newer than the ledger model. A network that does not answer keeps nothing waiting. */
export const layer = Layer.scopedDiscard(
  Effect.forkScoped(
    Effect.flatMap(
      Networks,
      ({ ledgerProtocols }) =>
        Effect.flatMap(ledgerProtocols, (all) =>
          Effect.forEach(all, ([network, protocol]) => {
            const newer = newerProtocol(protocol, modelProtocol)
            return newer === null
              ? Effect.void
              : Effect.logWarning(`${newer}: plans are partial until this service is updated`, { network, protocol, model: modelProtocol })
          }, { discard: true }))
    )
  )
)
