import { BigInt as Big, Context, Effect, Layer, Metric, Option, Ref } from "effect"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { showAmount } from "../../domain/Amount.ts"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import type { TransactionHash } from "../../domain/Ledger.ts"
import { masked } from "../../domain/MaskedAddress.ts"
import { MediatorSigner } from "../situation/MediatorSigner.ts"
import { mergedStroops, operationResults } from "../situation/ResultCodes.ts"
import type { Forwarding } from "./MediatedEnvelope.ts"
import * as MediatorMetrics from "./MediatorMetrics.ts"

/** Hashes that are remembered, so that a close that is handed in twice counts once. */
const remembered = 10_000

/** Keeps count of what closes leave with the mediator, so that its operator can refund it. */
export class MediatorResidue extends Context.Tag("closeout/close/Residue")<MediatorResidue, {
  /** Logs and counts what a close that succeeded left behind (`getTransaction`). It never fails, as the close is over: the log says what is not counted. */
  readonly note: (hash: TransactionHash, forwarding: Forwarding) => Effect.Effect<void>
}>() {
  static readonly layer = Layer.effect(
    MediatorResidue,
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      const { mediator } = yield* MediatorSigner
      const { network } = yield* NetworkSettings
      const counted = yield* Ref.make<ReadonlySet<string>>(new Set())
      const isNew = (hash: string) =>
        Ref.modify(counted, (known) => [!known.has(hash), known.has(hash) ? known : new Set([...known, hash].slice(-remembered))])

      const note = Effect.fnUntraced(function*(hash: TransactionHash, forwarding: Forwarding) {
        if (!Option.exists(mediator, ({ address }) => address === forwarding.mediator)) return
        const answer = yield* rpc.transaction(hash)
        const result = answer.status === "NOT_FOUND" ? undefined : answer.result
        const merged = result === undefined ? null : mergedStroops(operationResults(result)[0])
        if (merged === null) return yield* new UpstreamUnusable({ source: "contract_rpc" })
        if (!(yield* isNew(hash))) return
        const left = merged - forwarding.amount
        yield* Metric.incrementBy(Metric.tagged(MediatorMetrics.residue, "network", network), Big.max(left, 0n))
        yield* Effect.logInfo("a mediated close succeeded").pipe(
          Effect.annotateLogs({ network, hash, closed: masked(forwarding.closer), residueLumens: showAmount(left) })
        )
      })

      return MediatorResidue.of({
        note: (hash, forwarding) =>
          Effect.catchAll(
            note(hash, forwarding),
            (failure) => Effect.logWarning("the residue of a mediated close was not counted", { hash, reason: failure._tag })
          )
      })
    })
  )
}
