import type { xdr } from "@stellar/stellar-sdk"
import { Context, Effect, Layer, Ref } from "effect"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { ProtocolName } from "../domain/ProtocolName.ts"
import type { ContractCall } from "../operations/ContractCall.ts"
import type { CallProblem } from "./Exit.ts"
import type { Place } from "./Place.ts"
import type { Discovery } from "./reading/Discovery.ts"

/** A contract of a protocol that holders let spend their tokens. */
export interface Spender {
  readonly contract: ContractAddress
  /** What it is, for people. */
  readonly role: string
}

/** A decoder for one protocol: the port through which positions are read and left. What is left out has no such thing. */
export interface Protocol {
  /** The name on the wire. */
  readonly name: ProtocolName
  /** What people call it, for instance "Blend"; left out: its name. */
  readonly label?: string
  /** SHA-256 of the wasm it was written for, in hex: contracts that run it may stand in what an account agrees to. */
  readonly code: ReadonlyArray<string>
  /** Every configured contract that is read, for an account or to find others. */
  readonly contracts: ReadonlyArray<ContractAddress>
  /** Where an account may hold something, as far as the contracts file names it. */
  readonly places: ReadonlyArray<Place>
  /** How places beside those are found. What is found is shared by all accounts for a while, and is read for each of them. */
  readonly discovery?: Discovery
  /**
   * Contracts that may be of this protocol, by the keys of what calls of the account read or wrote (their footprints): those of which a
   * key names what the account has there. Whether they are is for `discovery` to confirm.
   */
  readonly candidatesIn?: (keys: ReadonlyArray<xdr.LedgerKey>, user: AccountAddress) => ReadonlyArray<ContractAddress>
  /** What error `code` of a failed call means (`Error(Contract, #code)`); null when it is none of the protocol's own. */
  readonly problem?: (call: Pick<ContractCall, "contract" | "function">, code: number) => CallProblem | null
  /** Contracts that may hold allowances of accounts. */
  readonly spenders?: ReadonlyArray<Spender>
  /** Tokens the protocol pays beside those of its positions, for instance its reward token. */
  readonly tokens?: ReadonlyArray<ContractAddress>
}

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

/** Registers a decoder when the layer is built. To add a protocol, merge its layer; nothing else is needed. */
export const layer = <E, R>(make: Effect.Effect<Protocol, E, R>): Layer.Layer<never, E, R | Registrations> =>
  Layer.effectDiscard(Effect.flatMap(make, (protocol) => Effect.flatMap(Registrations, ({ register }) => register(protocol))))
