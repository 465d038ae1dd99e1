import type { xdr } from "@stellar/stellar-sdk"
import { Context, Effect, Either, Layer, Option, Order, Struct } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { StateChange } from "../chain/contract-rpc/SimulationAnswer.ts"
import { ContractRpc } from "../chain/ContractRpc.ts"
import { LedgerEntries } from "../chain/LedgerEntries.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { LedgerGap } from "../domain/LedgerGap.ts"
import { isOutside, type ProtocolName } from "../domain/ProtocolName.ts"
import { ContractAddresses } from "../registry/ContractAddresses.ts"
import * as All from "./All.ts"
import type { ExitContext } from "./Exit.ts"
import type { HeldPosition } from "./HeldPosition.ts"
import { unavailable } from "./kit/NoExit.ts"
import { type Protocol, Registrations } from "./Protocol.ts"
import { readForeseenExit } from "./reading/ForeseenExit.ts"
import { type OpenPools, readMarkets } from "./reading/MarketReading.ts"
import {
  askCandidates,
  type KnownExit,
  type ProtocolReading,
  type Purpose,
  type ReadableProtocol,
  readCandidates,
  readExit,
  readProtocol
} from "./reading/PositionReading.ts"
import type { ReadAt } from "./reading/QuestionLoop.ts"
import { ScanStores } from "./reading/ScanStores.ts"
import { type SharedList, sharedList } from "./reading/SharedList.ts"
import type { TradingPool } from "./TradingPool.ts"

export type { Exit, ExitContext, ExitRefusal } from "./Exit.ts"
export type { HeldPosition, Reward, TokenDebt, Unrecognized } from "./HeldPosition.ts"
export { unitsOf } from "./HeldPosition.ts"
export type { Protocol, Spender } from "./Protocol.ts"
export type { OpenPool, OpenPools } from "./reading/MarketReading.ts"
export type { KeysAhead, KnownExit, PoolMarket, ProtocolReading } from "./reading/PositionReading.ts"
export type { ReadAt } from "./reading/QuestionLoop.ts"
export type { Leg, Legs, TradeTerms, TradingPool, Venue } from "./TradingPool.ts"

/** Ledgers in which contracts of a protocol may have been deployed that no one here knows of. */
export interface ProtocolGap {
  readonly protocol: ProtocolName
  readonly gap: LedgerGap
}

/** How far the lists of contracts were read since the start. */
export interface ListsRead {
  readonly gaps: ReadonlyArray<ProtocolGap>
  /** Factories and routers of the contracts file that run code which no list has: it changed, or was never listed. */
  readonly unlisted: ReadonlyArray<{ readonly protocol: ProtocolName; readonly contract: ContractAddress }>
  /** Protocols whose list was not read yet: its gaps are not known. */
  readonly pending: ReadonlyArray<ProtocolName>
}

/** A pool that trades, and whose it is. */
export interface ListedPool {
  readonly protocol: ProtocolName
  readonly pool: TradingPool
}

/** A protocol with its list of contracts; where it lists none, nothing is ever read. */
type Listing = ReadableProtocol & Pick<SharedList, "forget" | "soFar">

const listing = (sources: Parameters<typeof sharedList>[0], stores: ScanStores["Type"] | null) => (protocol: Protocol) => {
  const { discovery } = protocol
  if (discovery === undefined) {
    const none: Listing = { protocol, found: () => Effect.succeed(Either.right(null)), soFar: Effect.succeed(null), forget: Effect.void }
    return Effect.succeed(none)
  }
  const { announcements } = discovery
  const store = announcements === undefined ? undefined : stores?.of(announcements)
  return Effect.map(sharedList(sources, discovery, store), (list): Listing => ({ protocol, ...list }))
}

const listsRead = (readable: ReadonlyArray<Listing>): Effect.Effect<ListsRead> =>
  Effect.map(
    Effect.forEach(
      readable.filter(({ protocol }) => protocol.discovery !== undefined),
      ({ protocol: { name }, soFar }) => Effect.map(soFar, (list) => ({ name, list }))
    ),
    (lists) => ({
      gaps: lists.flatMap(({ list, name }) => (list === null || list.doubt === null ? [] : [{ protocol: name, gap: list.doubt.gap }])),
      unlisted: lists.flatMap(({ list, name }) => (list?.unlisted ?? []).map((contract) => ({ protocol: name, contract }))),
      pending: lists.flatMap(({ list, name }) => (list === null ? [name] : []))
    })
  )

const historySince = (all: ReadonlyArray<Protocol>): number | null => {
  const sinces = all.flatMap(({ candidatesIn, discovery }) => candidatesIn === undefined ? [] : discovery?.announcements?.since ?? [])
  return sinces.length === 0 ? null : Math.min(...sinces)
}

const untrackedIn = (contracts: ContractAddresses["Type"]["protocols"], all: ReadonlyArray<Protocol>): ReadonlyArray<ProtocolName> =>
  Struct.keys(contracts)
    .filter((name) => contracts[name] !== "none" && !all.some((protocol) => protocol.name === name && protocol.contracts.length > 0))
    .toSorted()

/** Names of a contracts file that nothing here has a decoder for and that are none of ours: what they are meant to be is not known. */
const strangersIn = (contracts: ContractAddresses["Type"]["protocols"], all: ReadonlyArray<Protocol>): ReadonlyArray<ProtocolName> =>
  Struct.keys(contracts).filter((name) => isOutside(name) && !all.some((protocol) => protocol.name === name))

const tradingPools = (readable: ReadonlyArray<ReadableProtocol>) => (at: ReadAt): Effect.Effect<ReadonlyArray<ListedPool>, ChainFailure> =>
  Effect.map(
    Effect.forEach(
      readable,
      ({ found, protocol }) =>
        Effect.map(
          found(at),
          (listed): ReadonlyArray<ListedPool> =>
            [...protocol.places, ...(Either.getOrElse(listed, () => null)?.places ?? [])]
              .flatMap(({ trades }) => (trades === undefined ? [] : [{ protocol: protocol.name, pool: trades }]))
        ),
      { batching: true, concurrency: "unbounded" }
    ),
    (lists) => lists.flat()
  )

/** The decoders of this service, what is configured beyond them, and what they make of the ledger. */
export class ProtocolRegistry extends Context.Tag("closeout/protocols/ProtocolRegistry")<ProtocolRegistry, {
  /** Every registered decoder, by name. */
  readonly all: ReadonlyArray<Protocol>

  /** What people call a protocol, for instance "Blend"; its name where it has no other. */
  readonly labelOf: (name: ProtocolName) => string

  /**
   * Protocols that have addresses on this network and no decoder here, or none of those that their decoder reads, by name. What an
   * account holds in them cannot be seen, so it must never be taken for nothing.
   */
  readonly untracked: ReadonlyArray<ProtocolName>

  /**
   * What an account holds in every protocol, in the order of `all`. Protocols are read side by side, so that the keys of each round
   * travel together (`getLedgerEntries`), and one that fails does not take the others with it. `purpose`: left out, it is shown.
   */
  readonly read: (at: ReadAt, user: AccountAddress, purpose?: Purpose) => Effect.Effect<ReadonlyArray<ProtocolReading>>

  /** What the lists of contracts lack that were read so far. Sends no request. */
  readonly lists: Effect.Effect<ListsRead>

  /**
   * Discards the lists of contracts, because something they rest on was contradicted. The next request for a list reads it from the start.
   */
  readonly forgetLists: Effect.Effect<void>

  /** The first ledger from which on an account's own history may name contracts that no file lists; null where no protocol has such. */
  readonly historySince: number | null

  /** Contracts that may be of any protocol, by the footprints of an account's own calls. */
  readonly candidatesIn: (keys: ReadonlyArray<xdr.LedgerKey>, user: AccountAddress) => ReadonlyArray<ContractAddress>

  /** Asks ahead what `readCandidates` will ask about them while positions are still read. It never fails. */
  readonly askCandidates: (at: ReadAt, candidates: ReadonlyArray<ContractAddress>, purpose?: Purpose) => Effect.Effect<void>

  /** What was read, and what is in those of the candidates that a contract of the file knows as its own. */
  readonly readCandidates: (
    at: ReadAt,
    user: AccountAddress,
    candidates: ReadonlyArray<ContractAddress>,
    readings: ReadonlyArray<ProtocolReading>
  ) => Effect.Effect<ReadonlyArray<ProtocolReading>>

  /** What leaving one position takes, from entries read now. */
  readonly exit: (
    at: ReadAt,
    position: Pick<HeldPosition, "protocol" | "contract" | "key">,
    context: Omit<ExitContext, "view">
  ) => Effect.Effect<KnownExit, ChainFailure>

  /** What would be left to do for a position after a call, by what its simulation foresees. */
  readonly exitAfter: (
    at: ReadAt,
    position: Pick<HeldPosition, "protocol" | "contract" | "key">,
    context: Omit<ExitContext, "view">,
    changes: ReadonlyArray<StateChange>
  ) => Effect.Effect<KnownExit, ChainFailure>

  /**
   * The pools of every protocol that trade, by protocol, in the order of each protocol's own list. Newly opened pools come last. A protocol
   * whose decoder fails has none.
   */
  readonly tradingPools: (at: ReadAt) => Effect.Effect<ReadonlyArray<ListedPool>, ChainFailure>

  /** Those of some pools that trade on the newest ledger, and what they pay there. */
  readonly openPools: (at: ReadAt, pools: ReadonlyArray<TradingPool>) => Effect.Effect<OpenPools, ChainFailure>
}>() {
  /** The decoders that these layers register, and no others. What they scan is kept where `ScanStores` says, else in memory. */
  static readonly layerFrom = <E, R>(protocols: Layer.Layer<never, E, R>) =>
    Layer.scoped(
      ProtocolRegistry,
      Effect.gen(function*() {
        const { protocols: contracts } = yield* ContractAddresses
        const sources = { entries: yield* LedgerEntries, rpc: yield* ContractRpc }
        const all = (yield* (yield* Registrations).all).toSorted(Order.mapInput(Order.string, ({ name }) => name))
        const strangers = strangersIn(contracts, all)
        if (strangers.length > 0) return yield* Effect.dieMessage(`contracts file: this service has no reader for ${strangers.join(", ")}`)
        const stores = Option.getOrNull(yield* Effect.serviceOption(ScanStores))
        const readable = yield* Effect.forEach(all, listing(sources, stores))
        const unknown = (name: ProtocolName): KnownExit => (unavailable(`This service does not know ${name}.`))
        const readableOf = (name: ProtocolName) => readable.find(({ protocol }) => protocol.name === name)
        return ProtocolRegistry.of({
          all,
          labelOf: (name) => readableOf(name)?.protocol.label ?? name,
          lists: listsRead(readable),
          forgetLists: Effect.forEach(readable, ({ forget }) => forget, { discard: true }),
          historySince: historySince(all),
          untracked: untrackedIn(contracts, all),
          read: (at, user, purpose) =>
            Effect.forEach(readable, readProtocol(sources, at, user, purpose), { batching: true, concurrency: "unbounded" }),
          candidatesIn: (keys, user) => [...new Set(all.flatMap((protocol) => protocol.candidatesIn?.(keys, user) ?? []))],
          askCandidates: (at, candidates, purpose) =>
            Effect.forEach(candidates.length === 0 ? [] : readable, askCandidates(sources, at, candidates, purpose?.mostOld), {
              batching: true,
              concurrency: "unbounded",
              discard: true
            }),
          readCandidates: (at, user, candidates, readings) =>
            candidates.length === 0
              ? Effect.succeed(readings)
              : Effect.forEach(readings, readCandidates(sources, at, user, candidates), { batching: true, concurrency: "unbounded" }),
          exit: Effect.fnUntraced(function*(at, position, context) {
            const one = readableOf(position.protocol)
            return one === undefined ? unknown(position.protocol) : yield* readExit(sources, at, { readable: one, position, context })
          }),
          exitAfter: Effect.fnUntraced(function*(at, position, context, changes) {
            const one = readableOf(position.protocol)
            return one === undefined
              ? unknown(position.protocol)
              : yield* readForeseenExit(sources, at, { readable: one, position, context }, changes)
          }),
          tradingPools: tradingPools(readable),
          openPools: (at, pools) => readMarkets(sources, at, pools)
        })
      })
    ).pipe(Layer.provide(Layer.provideMerge(protocols, Registrations.layer)))

  /** These decoders and no others. */
  static readonly layerOf = (protocols: ReadonlyArray<Protocol>) =>
    ProtocolRegistry.layerFrom(
      Layer.effectDiscard(Effect.flatMap(Registrations, ({ register }) => Effect.forEach(protocols, register, { discard: true })))
    )

  /** The decoders of this version. */
  static readonly layer = ProtocolRegistry.layerFrom(All.layer)
}
