import { Context, Effect, Layer } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { LedgerEntries } from "../chain/LedgerEntries.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { ProtocolName } from "../domain/Position.ts"
import { ContractAddresses } from "../registry/ContractAddresses.ts"
import * as All from "./All.ts"
import { readExit, readProtocol } from "./PositionReading.ts"
import type { ProtocolReading, ReadAt } from "./PositionReading.ts"
import type { Exit, ExitContext, HeldPosition, Protocol } from "./Protocol.ts"
import { Registrations } from "./Protocol.ts"

export type { ProtocolReading, ReadAt } from "./PositionReading.ts"
export type { Exit, ExitContext, ExitRefusal, HeldPosition, Owed, Protocol, Reward, Spender, Unrecognized } from "./Protocol.ts"

/** The decoders of this service, and what is configured beyond them. It has no source of its own: who reads brings the entries. */
export class ProtocolRegistry extends Context.Tag("closeout/protocols/ProtocolRegistry")<ProtocolRegistry, {
  /** Every registered decoder, by name. */
  readonly all: ReadonlyArray<Protocol>

  /**
   * Protocols that have addresses on this network and no decoder here, or none of those that their decoder reads, by name. What an
   * account holds in them cannot be seen, so it must never be taken for nothing.
   */
  readonly untracked: ReadonlyArray<ProtocolName>

  /**
   * What an account holds in every protocol, in the order of `all`. Protocols are read side by side, so that the keys of each round
   * travel together (`getLedgerEntries`), and one that fails does not take the others with it.
   */
  readonly read: (entries: LedgerEntries["Type"], at: ReadAt, user: AccountAddress) => Effect.Effect<ReadonlyArray<ProtocolReading>>

  /** What leaving one position takes, from entries read now. */
  readonly exit: (
    entries: LedgerEntries["Type"],
    at: ReadAt,
    position: Pick<HeldPosition, "protocol" | "contract" | "key">,
    context: Omit<ExitContext, "view">
  ) => Effect.Effect<Exclude<Exit, { readonly _tag: "Further" }>, ChainFailure>
}>() {
  /** The decoders that these layers register, and no others. */
  static readonly layerFrom = <E, R>(protocols: Layer.Layer<never, E, R>) =>
    Layer.effect(
      ProtocolRegistry,
      Effect.gen(function*() {
        const { protocols: contracts } = yield* ContractAddresses
        const all = (yield* (yield* Registrations).all).toSorted((left, right) => (left.name < right.name ? -1 : 1))
        return ProtocolRegistry.of({
          all,
          untracked: ProtocolName.literals
            .filter((name) => contracts[name] !== "none" && !all.some((protocol) => protocol.name === name && protocol.contracts?.length !== 0))
            .toSorted(),
          read: (entries, at, user) => Effect.forEach(all, readProtocol(entries, at, user), { batching: true, concurrency: "unbounded" }),
          exit: Effect.fn("ProtocolRegistry.exit")(function*(entries, at, position, context) {
            const protocol = all.find(({ name }) => name === position.protocol)
            if (protocol !== undefined) return yield* readExit(entries, at, protocol, position, context)
            return { _tag: "Refused", refusal: { _tag: "Unavailable", reason: `Nothing here knows ${position.protocol}.` } } as const
          })
        })
      })
    ).pipe(Layer.provide(Layer.provideMerge(protocols, Registrations.layer)))

  /** These decoders and no others. */
  static readonly layerOf = (protocols: ReadonlyArray<Protocol>): Layer.Layer<ProtocolRegistry, never, ContractAddresses> =>
    ProtocolRegistry.layerFrom(
      Layer.effectDiscard(Effect.flatMap(Registrations, ({ register }) => Effect.forEach(protocols, register, { discard: true })))
    )

  /** The decoders of this version. */
  static readonly layer = ProtocolRegistry.layerFrom(All.layer)
}
