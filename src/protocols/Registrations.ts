import { Context, Effect, Layer, Ref } from "effect"
import type { Protocol } from "./Protocol.ts"

/** Where layers of protocols hand in their decoders while a network's stack is built. */
export class Registrations extends Context.Tag("closeout/protocols/Registrations")<Registrations, {
  /** Adds a decoder; a second one for the same protocol is a defect. */
  readonly register: (protocol: Protocol) => Effect.Effect<void>
  /** What was handed in so far. */
  readonly all: Effect.Effect<ReadonlyArray<Protocol>>
}>() {
  static readonly layer: Layer.Layer<Registrations> = Layer.effect(
    Registrations,
    Effect.map(Ref.make<ReadonlyArray<Protocol>>([]), (ref) =>
      Registrations.of({
        register: (protocol) =>
          Effect.flatMap(Ref.get(ref), (known) =>
            known.some(({ name }) => name === protocol.name)
              ? Effect.dieMessage(`two decoders for ${protocol.name}`)
              : Ref.set(ref, [...known, protocol])),
        all: Ref.get(ref)
      }))
  )
}
