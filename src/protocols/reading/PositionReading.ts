import type { xdr } from "@stellar/stellar-sdk"
import { type Duration, Effect, Either, Schema } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { type AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { traced } from "../../fibers/Traced.ts"
import { callProblem, specIn, wasmHashIn } from "../CodeGate.ts"
import type { Exit, ExitContext } from "../Exit.ts"
import type { Decoded, HeldPosition } from "../HeldPosition.ts"
import { instanceIn } from "../kit/LedgerView.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import { noExit, refused, unavailable } from "../kit/NoExit.ts"
import { openQuestions } from "../kit/OpenQuestions.ts"
import { contractsOf, decodePlaces, keysOf, type Place, placesOf } from "../Place.ts"
import type { Protocol } from "../Protocol.ts"
import type { Market } from "../TradingPool.ts"
import type { PlaceList } from "./Discovery.ts"
import { readMarket } from "./MarketReading.ts"
import { answerLoop, type QuestionsAhead, type ReadAt, type Sources } from "./QuestionLoop.ts"
import { type UserAnswers, userAnswersOf } from "./UserAnswers.ts"

/** A pool as it trades on the ledger that was read. */
export interface PoolMarket {
  readonly tokens: ReadonlyArray<ContractAddress>
  readonly market: Market
}

/** What became of reading one protocol. */
export type ProtocolReading =
  | ({
    readonly _tag: "Read"
    readonly protocol: Protocol
    readonly keys: ReadonlyArray<xdr.LedgerKey>
    /** What was read beside what is configured; null when the protocol looks for nothing. */
    readonly found: PlaceList | null
    /** Tokens that are positions of the protocol themselves, of everything that was read. */
    readonly shares: ReadonlyArray<ContractAddress>
    /** Tokens that can be put into the protocol; left out where its list of contracts has no gap. */
    readonly reserves?: ReadonlyArray<ContractAddress>
    /** What contracts said when they were queried for the account. Left out: none was. */
    readonly userAnswers?: UserAnswers
    /** Asks what leaving will ask and is not known yet. It never fails. Left out: nothing. */
    readonly ahead?: Effect.Effect<void>
    /** Pools that the account has a position in, as they trade by what was read; one that would take more reading is left out. */
    readonly markets?: () => ReadonlyArray<PoolMarket>
  } & Omit<Decoded, "further">)
  /** A source gave no answer. It may the next time; until then nothing is known. */
  | { readonly _tag: "Unread"; readonly protocol: Protocol; readonly failure: ChainFailure }
  /** The decoder cannot cope with what it was given. Asking again changes nothing. */
  | { readonly _tag: "Broken"; readonly protocol: Protocol; readonly reason: string }

/** A protocol, and the places of it that are found rather than configured. */
export interface ReadableProtocol {
  readonly protocol: Protocol
  /** @param mostOld how old the list of them may be; left out: as old as lists ever serve */
  readonly found: (at: ReadAt, mostOld?: Duration.Duration) => Effect.Effect<Either.Either<PlaceList | null, string>, ChainFailure>
}

/** More rounds than any decoder needs to see what is held; one that still asks then never ends. */
const mostRounds = 6
/** A way out may walk a list entry by entry. Decoders bound such walks themselves; the request's deadline bounds the time. */
const mostExitRounds = 512

/** What the code of a contract declares, with its hash (hex); both null where it runs no wasm of its own. */
const declaredBy = (view: LedgerView, contract: ContractAddress) =>
  Either.gen(function*() {
    const instance = yield* instanceIn(view, contract)
    const wasmHash = instance === null ? null : yield* wasmHashIn(view, instance)
    return wasmHash === null ? { code: null, spec: null } : { code: wasmHash, spec: yield* specIn(view, { wasmHash }) }
  })

/**
 * The exit with the code its next call is made for, and others of that contract, unless the call does not fit what that code declares; where the code declares
 * nothing, it stands.
 */
const checked = (view: LedgerView, exit: Exit): Exit => {
  if (exit._tag !== "Calls") return exit
  const [call, ...later] = exit.calls
  const read = declaredBy(view, call.contract)
  if (Either.isLeft(read)) return noExit(call.contract)(read.left)
  const { code, spec } = read.right
  const problem = spec === null ? null : callProblem(spec, call)
  if (problem !== null) return unavailable(`The call does not fit the contract: ${problem}.`)
  return code === null
    ? exit
    : { ...exit, calls: [{ ...call, code }, ...later.map((one) => (one.contract === call.contract ? { ...one, code } : one))] }
}

/** Keys to read beyond those that show positions, given the positions decoded so far. */
export type KeysAhead = (positions: ReadonlyArray<HeldPosition>) => ReadonlyArray<xdr.LedgerKey>

/** For what an account is read. */
export interface Purpose {
  /** How old lists of contracts may be; left out: as old as they ever serve. */
  readonly mostOld?: Duration.Duration
  /** It is to be closed: beside what shows its positions, what their ways out will ask is requested already, and these keys. Left out: it is shown. */
  readonly leaving?: KeysAhead
}

/** Enough of every token, so that nothing keeps a way out from asking all that it may want. */
const plenty = 1n << 100n

/** As a way out is requested before anything is decided: what it asks does not rest on how much of anything there is. */
const undecided = (user: AccountAddress, { closeTime }: ReadAt): Omit<ExitContext, "view"> => ({
  user,
  spendable: () => plenty,
  maxSlippageBps: 0,
  deadline: closeTime,
  withoutRewards: false
})

/** What leaving some positions will ask; most are left by calls of their own contracts, whose code is requested beside. */
const exitsAhead =
  (places: ReadonlyArray<Place>, positions: ReadonlyArray<HeldPosition>, context: Omit<ExitContext, "view">): QuestionsAhead => (view) =>
    positions.flatMap((position) =>
      placesOf(places, position).flatMap((place) => {
        const exit = checked(view, place.exit(position.key, { ...context, view }))
        return exit._tag === "Further" ? [...exit.questions, ...openQuestions(declaredBy(view, position.contract))] : []
      })
    )

/** The pools among some places that hold one of these positions. */
const marketsIn =
  (places: ReadonlyArray<Place>, positions: ReadonlyArray<HeldPosition>, view: LedgerView) => (): ReadonlyArray<PoolMarket> => {
    const held = new Set(positions.map(({ contract }) => contract))
    return places.flatMap(({ contract, trades }) => {
      if (trades === undefined || !held.has(contract)) return []
      const market = readMarket(trades, view)
      return market === null ? [] : [{ tokens: trades.tokens, market }]
    })
  }

/** What an account holds in some places of a protocol, once everything that takes is read. */
const readPlaces = (
  sources: Sources,
  at: ReadAt,
  { leaving, user }: Pick<Purpose, "leaving"> & { readonly user: AccountAddress },
  places: ReadonlyArray<Place>
) =>
  answerLoop(sources, at, { first: keysOf(places, user), most: mostRounds }, (view) => {
    const decoded = decodePlaces(places, user, view)
    const { further, positions } = decoded
    const reserves = () => [...new Set(places.flatMap((place) => place.reserves?.(view) ?? []))]
    const read = { ...decoded, reserves, markets: marketsIn(places, positions, view) }
    if (leaving === undefined || positions.length === 0) return [read, further]
    const exits = exitsAhead(places, positions, undecided(user, at))
    return [read, further, (later) => [...leaving(positions), ...exits(later)]]
  })

/** Reads one protocol for an account. Never fails: a failure is a reading that says so. */
export const readProtocol =
  (sources: Sources, at: ReadAt, user: AccountAddress, { leaving, mostOld }: Purpose = {}) =>
  ({ found, protocol }: ReadableProtocol): Effect.Effect<ProtocolReading> =>
    Effect.gen(function*() {
      const listed = yield* found(at, mostOld)
      if (Either.isLeft(listed)) return { _tag: "Broken", protocol, reason: listed.left } satisfies ProtocolReading
      const places = [...protocol.places, ...(listed.right?.places ?? [])]
      const known = yield* readPlaces(sources, at, { user, ...(leaving === undefined ? {} : { leaving }) }, places)
      if (Either.isLeft(known)) return { _tag: "Broken", protocol, reason: known.left } satisfies ProtocolReading
      const { ahead, getters, keys, value: { enrichment, markets, positions, reserves, unrecognized }, valueWith } = known.right
      const isDoubted = listed.right !== null && listed.right.doubt !== null
      return {
        _tag: "Read",
        protocol,
        keys,
        found: listed.right,
        shares: [...new Set(places.flatMap((place) => place.shares ?? []))],
        reserves: isDoubted ? reserves() : [],
        ...userAnswersOf(user, getters, valueWith),
        ...(ahead === undefined ? {} : { ahead }),
        markets,
        positions,
        unrecognized,
        enrichment
      } satisfies ProtocolReading
    }).pipe(
      Effect.catchAll((failure) => Effect.succeed<ProtocolReading>({ _tag: "Unread", protocol, failure })),
      traced("decoder", () => ({ attributes: { protocol: protocol.name } }))
    )

/** The places of some contracts that a contract of the file knows as its own; why that does not come to an end. */
const confirmed = (
  sources: Sources,
  at: ReadAt,
  { discovery }: Protocol,
  candidates: ReadonlyArray<ContractAddress>
): Effect.Effect<Either.Either<ReadonlyArray<Place>, string>, ChainFailure> => {
  const confirm = discovery?.confirm
  if (confirm === undefined || candidates.length === 0) return Effect.succeed(Either.right([]))
  return Effect.map(
    answerLoop(sources, at, { first: [], most: mostRounds }, (view) => {
      const { further, places } = confirm(view, candidates)
      return [places, further]
    }),
    Either.map(({ value }) => value)
  )
}

/** Asks ahead whether a contract of the file knows some contracts as its own, where the list of them does not say so. It never fails. */
export const askCandidates =
  (sources: Sources, at: ReadAt, candidates: ReadonlyArray<ContractAddress>, mostOld?: Duration.Duration) =>
  ({ found, protocol }: ReadableProtocol): Effect.Effect<void> =>
    Effect.ignore(Effect.flatMap(found(at, mostOld), (listed) => {
      const seen = new Set([...protocol.contracts, ...(Either.getOrElse(listed, () => null)?.contracts ?? [])])
      return confirmed(sources, at, protocol, candidates.filter((one) => !seen.has(one)))
    }))

/** What was read of a protocol, with contracts that only this account names, once a contract of the file knows them as its own. */
export const readCandidates =
  (sources: Sources, at: ReadAt, user: AccountAddress, candidates: ReadonlyArray<ContractAddress>) =>
  (reading: ProtocolReading): Effect.Effect<ProtocolReading> =>
    Effect.gen(function*() {
      if (reading._tag !== "Read" || reading.found === null) return reading
      const { found, protocol } = reading
      const seen = new Set([...protocol.contracts, ...found.contracts])
      const known = yield* confirmed(sources, at, protocol, candidates.filter((one) => !seen.has(one)))
      if (Either.isLeft(known)) return { _tag: "Broken", protocol, reason: known.left } satisfies ProtocolReading
      if (known.right.length === 0) return reading
      const places = [...found.places, ...known.right]
      const whole = { ...found, places, contracts: contractsOf(places) }
      return yield* readProtocol(sources, at, user)({ protocol, found: () => Effect.succeed(Either.right(whole)) })
    }).pipe(Effect.catchAll((failure) => Effect.succeed<ProtocolReading>({ _tag: "Unread", protocol: reading.protocol, failure })))

/**
 * Where a position may be. If the list of places does not have it, its contract is confirmed again, however it was found. Otherwise a
 * position that was confirmed when it was read would be taken for left behind. Left: why its place is unknown.
 */
export const placesNamed = (
  sources: Sources,
  at: ReadAt,
  { found, protocol }: ReadableProtocol,
  position: Pick<HeldPosition, "contract" | "key">
): Effect.Effect<Either.Either<ReadonlyArray<Place>, string>, ChainFailure> =>
  Effect.gen(function*() {
    const configured = placesOf(protocol.places, position)
    if (configured.length > 0) return Either.right(configured)
    const listed = yield* found(at)
    if (Either.isLeft(listed)) return Either.left(listed.left)
    const known = placesOf(listed.right?.places ?? [], position)
    if (known.length > 0) return Either.right(known)
    const named = [position.contract, position.key].filter(Schema.is(ContractAddress)).filter((one) => !protocol.contracts.includes(one))
    const places = yield* confirmed(sources, at, protocol, named)
    return Either.flatMap(places, (all) => {
      const there = placesOf(all, position)
      return there.length > 0 ? Either.right(there) : Either.left("no contract of the protocol knows its contract")
    })
  })

/** An exit about which nothing is left to ask. */
export type KnownExit = Exclude<Exit, { readonly _tag: "Further" }>

/** A position to leave: its protocol, and who leaves it with what. */
export interface Leaving {
  readonly readable: ReadableProtocol
  readonly position: Pick<HeldPosition, "contract" | "key">
  readonly context: Omit<ExitContext, "view">
}

/** A way out that is not known, and why. */
export const unknownExit = ({ contract }: Pick<HeldPosition, "contract">, reason: string): KnownExit =>
  refused({ _tag: "Undecodable", contract, reason })

/** What leaving a position takes, in places where it may be, once everything it needs is read. */
export const readExitIn = (
  sources: Sources,
  at: ReadAt,
  places: ReadonlyArray<Place>,
  { context, position }: Pick<Leaving, "context" | "position">
): Effect.Effect<KnownExit, ChainFailure> =>
  Effect.gen(function*() {
    const known = yield* answerLoop<KnownExit | null>(
      sources,
      at,
      { first: keysOf(places, context.user), most: mostExitRounds },
      (view) => {
        const exits = places.map((place) => checked(view, place.exit(position.key, { ...context, view })))
        const exit = exits.find(({ _tag }) => _tag !== "Gone") ?? exits[0] ?? unavailable("This service knows no exit for this position.")
        return exit._tag === "Further" ? [null, exit.questions] : [exit, []]
      }
    )
    return Either.isLeft(known) ? unknownExit(position, known.left) : known.right.value ?? unknownExit(position, "it returned nothing")
  })

/** What leaving a position takes, wherever it is. */
export const readExit = (sources: Sources, at: ReadAt, { readable, ...leaving }: Leaving): Effect.Effect<KnownExit, ChainFailure> =>
  Effect.flatMap(placesNamed(sources, at, readable, leaving.position), (places) =>
    Either.isLeft(places)
      ? Effect.succeed(unknownExit(leaving.position, places.left))
      : readExitIn(sources, at, places.right, leaving))
