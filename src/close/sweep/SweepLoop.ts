import { Cause, Effect, Layer, Metric, Option, Ref } from "effect"
import { sleepOneLedger } from "../../chain/CloseInterval.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { showAmount } from "../../domain/Amount.ts"
import { AutoSweep } from "../mediator/AutoSweep.ts"
import * as MediatorMetrics from "../mediator/MediatorMetrics.ts"
import { FloatSettings } from "../situation/FloatSettings.ts"
import { MediatorSigner } from "../situation/MediatorSigner.ts"
import { MediatorSweep, sweepAccount, type SweepFailure, type SweepResult } from "./MediatorSweep.ts"

/** Failures in a row after which the operator is warned. */
const tellAfter = 2

/** The record of recent sweeps. */
export interface SweepRecord {
  /** Since the last one that went well. */
  readonly failures: number
  /** Why the last one failed, in words without addresses. */
  readonly reason: string
}

const fine: SweepRecord = { failures: 0, reason: "" }

/** After a sweep that another instance may have done; the second one in a row finds the surplus again, so no one did. */
const contested: SweepRecord = {
  failures: 1,
  reason: "The sequence number of the mediator was not the next one, and the surplus is still there."
}

/** Another instance may have been quicker: the mediator's sequence number is used up, by a payment of the same surplus. */
const mayBeDoneElsewhere = (failure: SweepFailure): boolean =>
  failure._tag === "StaleSequence" || ("resultCode" in failure && failure.resultCode === "tx_bad_seq")

/** Sweeps once a ledger, as long as the layer lives, where there are a mediator and a sweep account. */
export const layer = Layer.scoped(
  AutoSweep,
  Effect.gen(function*() {
    const { mediator } = yield* MediatorSigner
    const { network } = yield* NetworkSettings
    const { sweep } = yield* MediatorSweep
    const { closeInterval } = yield* ContractRpc
    const { warn } = yield* FloatSettings
    const account = Option.zipRight(mediator, yield* sweepAccount(network))
    const record = yield* Ref.make(fine)

    const succeeded = Effect.fnUntraced(function*(swept: SweepResult) {
      yield* Ref.set(record, fine)
      if (swept._tag === "Nothing") return
      yield* Metric.incrementBy(Metric.tagged(MediatorMetrics.swept, "network", network), swept.amount)
      yield* Effect.logInfo("the mediator's surplus was moved", { network, lumens: showAmount(swept.amount), hash: swept.result.hash })
    })

    const counted = Effect.fnUntraced(function*(reason: string, cause: Cause.Cause<unknown> = Cause.empty) {
      const { failures } = yield* Ref.updateAndGet(record, (before) => ({ failures: before.failures + 1, reason }))
      const log = failures >= tellAfter ? Effect.logError : Effect.logWarning
      yield* log("the mediator's surplus could not be moved", { network, reason, failures }, cause)
    })

    const failed = Effect.fnUntraced(function*(failure: SweepFailure) {
      if (!mayBeDoneElsewhere(failure)) return yield* counted(failure.message)
      const { reason } = yield* Ref.get(record)
      yield* reason === contested.reason ? counted(reason) : Ref.set(record, contested)
    })

    const attempt = (to: AccountAddress) =>
      Effect.matchEffect(sweep(to, warn), { onFailure: failed, onSuccess: succeeded }).pipe(
        Effect.catchAllDefect((defect) => counted("it failed unexpectedly", Cause.die(defect)))
      )

    if (Option.isSome(account)) {
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(sleepOneLedger(closeInterval), attempt(account.value))))
    }
    return {
      isOn: Option.isSome(account),
      trouble: Effect.map(Ref.get(record), ({ failures, reason }) => (failures >= tellAfter ? Option.some(reason) : Option.none()))
    }
  })
)
