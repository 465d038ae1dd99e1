import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Either, Schema } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { type AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { callProblem, specIn, wasmHashIn } from "../CodeGate.ts"
import { instanceIn } from "../kit/LedgerView.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import { noExit, refused, unavailable } from "../kit/NoExit.ts"
import { nothing } from "../Protocol.ts"
import type { Decoded, Exit, ExitContext, HeldPosition, Protocol } from "../Protocol.ts"
import type { FoundContracts } from "./Discovery.ts"
import { askUntilKnown, type ReadAt, type Sources } from "./QuestionLoop.ts"

/** What became of reading one protocol. */
export type ProtocolReading =
  | ({
    readonly _tag: "Read"
    readonly protocol: Protocol
    readonly keys: ReadonlyArray<xdr.LedgerKey>
    /** Contracts that were read beside those configured; null when the protocol looks for none. */
    readonly found: FoundContracts | null
    /** Tokens that can be put into the protocol; left out where its list of contracts has no gap. */
    readonly reserves?: ReadonlyArray<ContractAddress>
  } & Omit<Decoded, "further">)
  /** A source gave no answer. It may the next time; until then nothing is known. */
  | { readonly _tag: "Unread"; readonly protocol: Protocol; readonly failure: ChainFailure }
  /** The decoder cannot cope with what it was given. Asking again changes nothing. */
  | { readonly _tag: "Broken"; readonly protocol: Protocol; readonly reason: string }

/** A protocol, and the contracts of it that are found rather than configured. */
export interface Readable {
  readonly protocol: Protocol
  readonly found: (at: ReadAt) => Effect.Effect<Either.Either<FoundContracts | null, string>, ChainFailure>
}

/** More rounds than any decoder needs to see what is held; one that still asks then never ends. */
const mostRounds = 6
/** A way out may walk a list entry by entry. Decoders bound such walks themselves; the request's deadline bounds the time. */
const mostExitRounds = 512

/** Reads one protocol for an account. Never fails: a failure is a reading that says so. */
export const readProtocol =
  (sources: Sources, at: ReadAt, user: AccountAddress) => ({ found, protocol }: Readable): Effect.Effect<ProtocolReading> =>
    Effect.gen(function*() {
      const listed = yield* found(at)
      if (Either.isLeft(listed)) return { _tag: "Broken", protocol, reason: listed.left } satisfies ProtocolReading
      const contracts = listed.right?.contracts ?? []
      const known = yield* askUntilKnown(sources, at, { first: protocol.keys?.(user, contracts) ?? [], most: mostRounds }, (view) => {
        const decoded = protocol.decode?.(user, view, contracts) ?? nothing
        const isDoubted = listed.right !== null && listed.right.doubt !== null
        return [{ ...decoded, reserves: isDoubted ? protocol.reserves?.(view, contracts) ?? [] : [] }, decoded.further]
      })
      if (Either.isLeft(known)) return { _tag: "Broken", protocol, reason: known.left } satisfies ProtocolReading
      const { keys, value: { enrichment, positions, reserves, unrecognized } } = known.right
      return { _tag: "Read", protocol, keys, found: listed.right, reserves, positions, unrecognized, enrichment } satisfies ProtocolReading
    }).pipe(
      Effect.catchAll((failure) => Effect.succeed<ProtocolReading>({ _tag: "Unread", protocol, failure })),
      Effect.withSpan("ProtocolRegistry.read", { attributes: { protocol: protocol.name } })
    )

/** What was read of a protocol, with contracts that only this account names, once a contract of the file knows them as its own. */
export const readCandidates =
  (sources: Sources, at: ReadAt, user: AccountAddress, candidates: ReadonlyArray<ContractAddress>) =>
  (reading: ProtocolReading): Effect.Effect<ProtocolReading> =>
    Effect.gen(function*() {
      if (reading._tag !== "Read" || reading.found === null) return reading
      const { found, protocol } = reading
      const confirm = protocol.discovery?.confirm
      const unseen = candidates.filter((one) => ![...(protocol.contracts ?? []), ...found.contracts].includes(one))
      if (confirm === undefined || unseen.length === 0) return reading
      const known = yield* askUntilKnown(sources, at, { first: [], most: mostRounds }, (view) => {
        const { contracts, further } = confirm(view, unseen)
        return [contracts, further]
      })
      if (Either.isLeft(known)) return { _tag: "Broken", protocol, reason: known.left } satisfies ProtocolReading
      if (known.right.value.length === 0) return reading
      const whole = { ...found, contracts: [...found.contracts, ...known.right.value] }
      return yield* readProtocol(sources, at, user)({ protocol, found: () => Effect.succeed(Either.right(whole)) })
    }).pipe(Effect.catchAll((failure) => Effect.succeed<ProtocolReading>({ _tag: "Unread", protocol: reading.protocol, failure })))

/**
 * The contracts of a protocol with those that a position names: whoever found them, they were confirmed when it was read. They would be
 * taken for left behind by a list that lacks them.
 */
const withNamed = (
  protocol: Protocol,
  listed: ReadonlyArray<ContractAddress>,
  { contract, key }: Pick<HeldPosition, "contract" | "key">
): ReadonlyArray<ContractAddress> => {
  const named = protocol.discovery === undefined ? [] : [contract, key].filter(Schema.is(ContractAddress))
  return [...new Set([...listed, ...named.filter((one) => !protocol.contracts?.includes(one))])]
}

/** A protocol as far as a position rests on it, whose list has the contracts that the position names. */
export const naming = ({ found, protocol }: Readable, position: Pick<HeldPosition, "contract" | "key">): Readable => {
  const about = protocol.about?.(position)
  const listed = (list: FoundContracts) => withNamed(about ?? protocol, about === undefined ? list.contracts : [], position)
  return {
    protocol: about ?? protocol,
    found: (at) => Effect.map(found(at), Either.map((list) => (list === null ? null : { ...list, contracts: listed(list) })))
  }
}

/**
 * The exit with the code its next call is made for, and others of that contract, unless the call does not fit what that code declares; where the code declares
 * nothing, it stands.
 */
const checked = (view: LedgerView, exit: Exit): Exit => {
  if (exit._tag !== "Calls") return exit
  const [call, ...later] = exit.calls
  const read = Either.gen(function*() {
    const instance = yield* instanceIn(view, call.contract)
    const wasmHash = instance === null ? null : yield* wasmHashIn(view, instance)
    return wasmHash === null ? { code: null, spec: null } : { code: wasmHash, spec: yield* specIn(view, { wasmHash }) }
  })
  if (Either.isLeft(read)) return noExit(call.contract)(read.left)
  const { code, spec } = read.right
  const problem = spec === null ? null : callProblem(spec, call)
  if (problem !== null) return unavailable(`The call does not fit the contract: ${problem}.`)
  return code === null
    ? exit
    : { ...exit, calls: [{ ...call, code }, ...later.map((one) => (one.contract === call.contract ? { ...one, code } : one))] }
}

/** An exit about which nothing is left to ask. */
export type KnownExit = Exclude<Exit, { readonly _tag: "Further" }>

/** A position to leave: its protocol, and who leaves it with what. */
export interface Leaving {
  readonly readable: Readable
  readonly position: Pick<HeldPosition, "contract" | "key">
  readonly context: Omit<ExitContext, "view" | "found">
}

/** What leaving a position takes, once everything it needs is read. */
export const readExit = (
  sources: Sources,
  at: ReadAt,
  { context, position, readable }: Leaving
): Effect.Effect<KnownExit, ChainFailure> =>
  Effect.gen(function*() {
    const { found, protocol } = naming(readable, position)
    const blind = (reason: string): KnownExit => (refused({ _tag: "Undecodable", contract: position.contract, reason }))
    const listed = yield* found(at)
    if (Either.isLeft(listed)) return blind(listed.left)
    const contracts = listed.right?.contracts ?? []
    const first = protocol.keys?.(context.user, contracts) ?? []
    const known = yield* askUntilKnown<KnownExit | null>(sources, at, { first, most: mostExitRounds }, (view) => {
      const exit = checked(
        view,
        protocol.exit?.(position, { ...context, view, found: contracts }) ?? unavailable("No way out of this position is known here.")
      )
      return exit._tag === "Further" ? [null, exit.questions] : [exit, []]
    })
    return Either.isLeft(known) ? blind(known.left) : known.right.value ?? blind("nothing came of it")
  })
