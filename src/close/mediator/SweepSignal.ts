import { Context, Effect, Layer, Queue } from "effect"

/** Says that the mediator may hold more than it should, without waiting for what is done about it. */
export class SweepSignal extends Context.Tag("closeout/close/SweepSignal")<SweepSignal, {
  /** Asks for a look at the mediator's account. Several in a row are one. */
  readonly ring: Effect.Effect<void>
  /** Waits for the next `ring`. */
  readonly heard: Effect.Effect<void>
}>() {
  static readonly layer = Layer.effect(
    SweepSignal,
    Effect.map(Queue.sliding<void>(1), (queue) => ({ ring: Effect.asVoid(Queue.offer(queue, undefined)), heard: Queue.take(queue) }))
  )
}
