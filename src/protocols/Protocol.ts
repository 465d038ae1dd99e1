import type { xdr } from "@stellar/stellar-sdk"
import { Context, Effect, Layer, Ref } from "effect"
import type { Schema } from "effect"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { DefiPosition, DefiPositionsResult, ProtocolName, UnrecognizedDefiPosition } from "../domain/Position.ts"
import type { ContractCall } from "../operations/ContractCall.ts"
import type { LedgerView } from "./kit/LedgerView.ts"
import type { Question } from "./kit/Question.ts"
import type { Discovery } from "./reading/Discovery.ts"

/** Something an account holds in one contract of a protocol, that is left as a whole. */
export interface HeldPosition {
  readonly protocol: ProtocolName
  /** The pool, market or vault. */
  readonly contract: ContractAddress
  /** Tells positions in one contract apart, for instance the backstop's pool or the denomination. Without colons and stable from read to read. */
  readonly key: string
  /** What the wire shows of it, one row a thing held or owed. Never empty. */
  readonly rows: ReadonlyArray<DefiPosition>
  /** Token contracts that leaving it may pay. */
  readonly pays: ReadonlyArray<ContractAddress>
  /** What the account must hand over to leave it, as of the ledger that was read; base units. */
  readonly owes: ReadonlyArray<Owed>
  /** Rewards up to the ledger that was read, one a token. The calls of the exit claim them, unless they are dust or declined. */
  readonly rewards?: ReadonlyArray<Reward>
  /** Others can give it without the owner's word, as transferable shares: the key of the entry that then changes. Left out: only the owner can open it. */
  readonly givenUnder?: xdr.LedgerKey
  /** Collateral that cannot pay a debt of its own token, because the contract asks for that in full first; base units. */
  readonly pledged?: ReadonlyArray<{ readonly token: ContractAddress; readonly amount: bigint }>
}

/** What a position has earned and not been paid. */
export interface Reward {
  readonly token: ContractAddress
  /** Base units; more than none. */
  readonly amount: bigint
  /** Too little for a call of its own: the exit leaves it behind, unless it is claimed with the rest. */
  readonly dust: boolean
}

/** A debt in one token. */
export interface Owed {
  readonly token: ContractAddress
  /** Base units, as of the ledger that was read. */
  readonly amount: bigint
}

/** Something in a contract that could not be read with certainty. Each one blocks. */
export interface Unrecognized extends Schema.Schema.Type<typeof UnrecognizedDefiPosition> {
  readonly contract: ContractAddress
}

/** What a decoder makes of the entries it was given. */
export interface Decoded {
  /**
   * What must be asked before the rest can be believed. While there is anything, `positions` and `unrecognized` are incomplete and
   * nobody uses them: it is asked, and then the decoder again.
   */
  readonly further: ReadonlyArray<Question>
  readonly positions: ReadonlyArray<HeldPosition>
  readonly unrecognized: ReadonlyArray<Unrecognized>
  /** What is known of tokens and contracts that the rows name. */
  readonly enrichment: DefiPositionsResult["enrichment"]
}

/** Nothing held, and nothing more to read. */
export const nothing: Decoded = { further: [], positions: [], unrecognized: [], enrichment: {} }

/** What is known of the account when it leaves a position. */
export interface ExitContext {
  readonly user: AccountAddress
  /** Entries of the newest ledger: everything in `args` comes from here. */
  readonly view: LedgerView
  /** Contracts of the protocol that were found beside those configured. */
  readonly found: ReadonlyArray<ContractAddress>
  /** What the account can spend of a token now, base units: without reserves, fees and what offers hold. */
  readonly spendable: (token: ContractAddress) => bigint
  /** The caller decided to leave without claiming rewards (`exit_without_rewards`). */
  readonly withoutRewards: boolean
  /** The token with which the caller decided to buy what a debt lacks (`buy_repay_asset_then_exit`); left out: nothing is bought. */
  readonly buysWith?: ContractAddress
  /** Until when what a debt lacks may take to arrive (Unix seconds): `RepayAssetShort` tells what is owed then. Left out: it is there at once. */
  readonly arrivesBy?: bigint
  /** How long after it was built a call may still be applied, seconds: what it repays must suffice until then. Left out: not known. */
  readonly usableFor?: bigint
  /** The caller decided to leave the position behind (`acknowledge_forfeit`): nothing that takes long is read for a call. Left out: not so. */
  readonly givenUp?: boolean
}

/** Why a position cannot be left now. */
export type ExitRefusal =
  /** It unlocks by itself; nothing else is left to do until then. `unlocksAt`: Unix seconds. */
  | { readonly _tag: "CoolingDown"; readonly unlocksAt: bigint }
  /** More of a token is needed than the account can spend, so that a debt can be paid when what lacks has arrived (`arrivesBy`); base units. */
  | { readonly _tag: "RepayAssetShort"; readonly token: ContractAddress; readonly needed: bigint; readonly held: bigint }
  /** The contract cannot do it at present, in words a caller can act on. */
  | { readonly _tag: "Unavailable"; readonly reason: string }
  /** The code of a contract that would be read or called is not known. */
  | { readonly _tag: "UnknownCode"; readonly contract: ContractAddress; readonly wasmHash: string | null }
  /** An entry holds something else than expected. */
  | { readonly _tag: "Undecodable"; readonly contract: ContractAddress; readonly reason: string }

/** How a position is left. */
export type Exit =
  /** This must be asked first; then the way out is asked for again. */
  | { readonly _tag: "Further"; readonly questions: ReadonlyArray<Question> }
  /** It is not there any more. */
  | { readonly _tag: "Gone" }
  /**
   * The calls that remain, in order. Only the first is exact: it is built, and after it everything is read again. The others are
   * what would follow if nothing else changed. `unlocksAt`: the account must be left open until then (Unix seconds), because the
   * last of these calls starts a waiting time; null when the calls leave nothing behind. `leadsOn`: what follows them rests on what
   * they bring, and is not foreseen.
   */
  | {
    readonly _tag: "Calls"
    readonly calls: readonly [ContractCall, ...ReadonlyArray<ContractCall>]
    readonly unlocksAt: bigint | null
    readonly leadsOn?: boolean
    /**
     * The first call hands one thing over for another, so that its owner might be better off without it: it is made by default only
     * where what it pays is more lumens than what it takes would bring.
     */
    readonly isTrade?: boolean
    /** What may become of the position before it is left, in words; left out: nothing that is known. */
    readonly risk?: string
  }
  | { readonly _tag: "Refused"; readonly refusal: ExitRefusal; readonly risk?: string }

/** What it means that a call failed when it was simulated, or on the ledger. */
export type CallProblem =
  /** The ledger is not what the call was built from any more: read again and build again. */
  | { readonly _tag: "Changed" }
  /** A waiting time is not over. */
  | { readonly _tag: "TooEarly" }
  /** The account holds less of a token than the call needs. */
  | { readonly _tag: "Short" }
  /** The account cannot receive a token the call pays: no line, no authorisation, or no room. */
  | { readonly _tag: "CannotReceive" }
  /** The contract refuses, in words a caller can act on. */
  | { readonly _tag: "Unavailable"; readonly reason: string }

/** A contract of a protocol that holders let spend their tokens. */
export interface Spender {
  readonly contract: ContractAddress
  /** What it is, for people. */
  readonly role: string
}

/**
 * A decoder for one protocol: the port through which positions are read and left. It is pure: it names keys, and makes positions
 * and calls of what was read under them. What is left out has no such thing.
 */
export interface Protocol {
  /** The name on the wire. */
  readonly name: ProtocolName
  /** SHA-256 of the wasm it was written for, in hex: contracts that run it may stand in what an account agrees to. */
  readonly code?: ReadonlyArray<string>
  /** Every configured contract that is read for an account. */
  readonly contracts?: ReadonlyArray<ContractAddress>
  /** How contracts beside those are found. What is found is shared by all accounts for a while, and is read for each of them. */
  readonly discovery?: Discovery
  /**
   * Contracts that may be of this protocol, by the keys of what calls of the account read or wrote (their footprints): those of which a
   * key names what the account has there. Whether they are is for `discovery` to confirm.
   */
  readonly candidatesIn?: (keys: ReadonlyArray<xdr.LedgerKey>, user: AccountAddress) => ReadonlyArray<ContractAddress>
  /** Tokens that can be put into the protocol, by what was read: who holds none of them, and never called, has nothing in a contract that nobody lists. */
  readonly reserves?: (view: LedgerView, found: ReadonlyArray<ContractAddress>) => ReadonlyArray<ContractAddress>
  /** Keys of the first round. One batch holds those of all protocols, so details of what is held belong into `further`. */
  readonly keys?: (user: AccountAddress, found: ReadonlyArray<ContractAddress>) => ReadonlyArray<xdr.LedgerKey>
  /**
   * What the account holds, from the entries that were read. An entry that does not decode, or code that is not known, is never
   * left out: it is an `unrecognized` item.
   */
  readonly decode?: (user: AccountAddress, view: LedgerView, found: ReadonlyArray<ContractAddress>) => Decoded
  /**
   * The same decoder over the contracts that one position rests on, so that leaving many of them does not read all of them for each.
   * Left out: every contract is read for each.
   */
  readonly about?: (position: Pick<HeldPosition, "contract" | "key">) => Protocol
  /** How to leave a position; everything that goes into a call is taken from `context.view` anew. */
  readonly exit?: (position: Pick<HeldPosition, "contract" | "key">, context: ExitContext) => Exit
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

/** Registers a decoder when the layer is built. Merging the layer is all there is to adding a protocol. */
export const layer = <E, R>(make: Effect.Effect<Protocol, E, R>): Layer.Layer<never, E, R | Registrations> =>
  Layer.effectDiscard(Effect.flatMap(make, (protocol) => Effect.flatMap(Registrations, ({ register }) => register(protocol))))
