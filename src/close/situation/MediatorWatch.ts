import { Context, Effect, Layer } from "effect"
import type { TransactionHash } from "../../domain/Ledger.ts"

/** A use of the mediator's account that no close and no sweep explains. */
export interface MediatorAlarm {
  /** The rule that was broken. */
  readonly rule: string
  /** The transaction that broke it; null: it shows at the account itself. */
  readonly hash: TransactionHash | null
}

/** The rule that `mediator/sign` and submit name while an alarm lasts. */
export const mediatorPaused = "mediator_paused"

/** Looks at everything that is done with the mediator's account. While it has found something, the mediator is paused. */
export class MediatorWatch extends Context.Tag("closeout/close/MediatorWatch")<MediatorWatch, {
  /** Looks at what is new. It never fails: `blindFor` reports what could not be read. */
  readonly look: Effect.Effect<void>
  /** Why the mediator is paused; null: it is not. Reads nothing. */
  readonly alarm: Effect.Effect<MediatorAlarm | null>
  /** The same, once the account was looked at for the first time. */
  readonly firstAlarm: Effect.Effect<MediatorAlarm | null>
  /** The seconds for which nothing could be read; null while the watch goes well. */
  readonly blindFor: Effect.Effect<number | null>
}>() {
  /** Where there is no mediator to look at. */
  static readonly layerNone: Layer.Layer<MediatorWatch> = Layer.succeed(MediatorWatch, {
    look: Effect.void,
    alarm: Effect.succeed(null),
    firstAlarm: Effect.succeed(null),
    blindFor: Effect.succeed(null)
  })
}
