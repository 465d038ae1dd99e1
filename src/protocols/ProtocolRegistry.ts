import { Context, Effect, Layer } from "effect"
import { ProtocolName } from "../domain/Position.ts"
import { ContractAddresses } from "../registry/ContractAddresses.ts"
import type { Protocol } from "./Protocol.ts"

/** The decoders of this service, and what is configured beyond them. */
export class ProtocolRegistry extends Context.Tag("closeout/protocols/ProtocolRegistry")<ProtocolRegistry, {
  /** Every registered decoder, by name. */
  readonly all: ReadonlyArray<Protocol>

  /**
   * Protocols that have addresses on this network and no decoder here, by name. What an account holds in them cannot be seen,
   * so it must never be taken for nothing.
   */
  readonly untracked: ReadonlyArray<ProtocolName>
}>() {
  /** These decoders and no others; two for one protocol are a defect. */
  static readonly layerOf = (protocols: ReadonlyArray<Protocol>): Layer.Layer<ProtocolRegistry, never, ContractAddresses> =>
    Layer.effect(
      ProtocolRegistry,
      Effect.gen(function*() {
        const { protocols: contracts } = yield* ContractAddresses
        const decoded = new Set(protocols.map(({ name }) => name))
        if (decoded.size !== protocols.length) return yield* Effect.dieMessage("two decoders for one protocol")
        return ProtocolRegistry.of({
          all: protocols.toSorted((left, right) => (left.name < right.name ? -1 : 1)),
          untracked: ProtocolName.literals.filter((name) => contracts[name] !== "none" && !decoded.has(name)).toSorted()
        })
      })
    )

  /** The decoders this version has: none. */
  static readonly layer = ProtocolRegistry.layerOf([])
}
