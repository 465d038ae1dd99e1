import type { xdr } from "@stellar/stellar-sdk"
import { Either, Effect } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { keyText } from "../chain/EntryKeys.ts"
import type { EntryAnswer, LedgerEntries } from "../chain/LedgerEntries.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { callProblem, specIn, wasmHashOf } from "./CodeGate.ts"
import { instanceIn, viewOf } from "./LedgerView.ts"
import type { LedgerView } from "./LedgerView.ts"
import { nothing } from "./Protocol.ts"
import type { Decoded, Exit, ExitContext, HeldPosition, Protocol } from "./Protocol.ts"

/** What became of reading one protocol. */
export type ProtocolReading =
  | ({ readonly _tag: "Read"; readonly protocol: Protocol; readonly keys: ReadonlyArray<xdr.LedgerKey> } & Omit<Decoded, "further">)
  /** A source gave no answer. It may the next time; until then nothing is known. */
  | { readonly _tag: "Unread"; readonly protocol: Protocol; readonly failure: ChainFailure }
  /** The decoder cannot cope with what it was given. Asking again changes nothing. */
  | { readonly _tag: "Broken"; readonly protocol: Protocol; readonly reason: string }

/** The ledger that readings are made as of: accrual runs up to its close time. */
export interface ReadAt {
  readonly sequence: number
  /** Unix seconds. */
  readonly closeTime: bigint
}

/** More rounds than any decoder needs to see what is held; one that still asks then never ends. */
const mostRounds = 6
/** A way out may walk a list entry by entry. Decoders bound such walks themselves; the request's deadline bounds the time. */
const mostExitRounds = 512

type Step = { readonly _tag: "Done" } | { readonly _tag: "Ask"; readonly keys: ReadonlyArray<xdr.LedgerKey> } | { readonly _tag: "Stuck" }

/** The keys that were not asked for yet. */
const unasked = (keys: ReadonlyArray<xdr.LedgerKey>, view: LedgerView): Step => {
  const missing = keys.filter((key) => view.state(key)._tag === "Unread")
  return keys.length === 0 ? { _tag: "Done" } : missing.length === 0 ? { _tag: "Stuck" } : { _tag: "Ask", keys: missing }
}

/** Reads what is asked for until nothing more is. Every round travels in one batch with the others' that run beside it. */
const rounds = <A>(
  entries: LedgerEntries["Type"],
  at: ReadAt,
  first: ReadonlyArray<xdr.LedgerKey>,
  most: number,
  evaluate: (view: LedgerView) => readonly [A, ReadonlyArray<xdr.LedgerKey>]
): Effect.Effect<Either.Either<{ readonly value: A; readonly answers: ReadonlyArray<EntryAnswer> }, string>, ChainFailure> =>
  Effect.gen(function*() {
    let answers: ReadonlyArray<EntryAnswer> = yield* entries.answers(first)
    for (let round = 0; round < most; round++) {
      const view = viewOf(at, answers)
      // A decoder that throws is as blind as one that cannot decode.
      const evaluated = Either.try(() => evaluate(view))
      if (Either.isLeft(evaluated)) return Either.left("its decoder failed")
      const [value, further] = evaluated.right
      const step = unasked(further, view)
      if (step._tag === "Done") return Either.right({ value, answers })
      if (step._tag === "Stuck") return Either.left("its decoder asks for what it has")
      answers = [...answers, ...(yield* entries.answers(step.keys))]
    }
    return Either.left("its decoder does not come to an end")
  })

/** Reads one protocol for an account. Never fails: a failure is a reading that says so. */
export const readProtocol = (
  entries: LedgerEntries["Type"],
  at: ReadAt,
  user: AccountAddress
) =>
(protocol: Protocol): Effect.Effect<ProtocolReading> =>
  rounds(entries, at, protocol.keys?.(user) ?? [], mostRounds, (view) => {
    const decoded = protocol.decode?.(user, view) ?? nothing
    return [decoded, decoded.further] as const
  }).pipe(
    Effect.map(Either.match({
      onLeft: (reason): ProtocolReading => ({ _tag: "Broken", protocol, reason }),
      onRight: ({ answers, value: { enrichment, positions, unrecognized } }): ProtocolReading => ({
        _tag: "Read",
        protocol,
        keys: [...new Map(answers.map(({ key }) => [keyText(key), key])).values()],
        positions,
        unrecognized,
        enrichment
      })
    })),
    Effect.catchAll((failure) => Effect.succeed<ProtocolReading>({ _tag: "Unread", protocol, failure })),
    Effect.withSpan("ProtocolRegistry.read", { attributes: { protocol: protocol.name } })
  )

/** The exit, unless its next call does not fit what the contract's own code declares; where the code declares nothing, it stands. */
const checked = (view: LedgerView, exit: Exit): Exit => {
  if (exit._tag !== "Calls") return exit
  const [call] = exit.calls
  const spec = Either.flatMap(instanceIn(view, call.contract), (instance) => {
    const wasmHash = instance === null ? null : wasmHashOf(instance)
    return wasmHash === null ? Either.right(null) : specIn(view, { wasmHash })
  })
  if (Either.isLeft(spec)) {
    return spec.left._tag === "Unread"
      ? { _tag: "Further", keys: spec.left.keys }
      : { _tag: "Refused", refusal: { _tag: "Undecodable", contract: call.contract, reason: spec.left.reason } }
  }
  const problem = spec.right === null ? null : callProblem(spec.right, call)
  return problem === null ? exit : { _tag: "Refused", refusal: { _tag: "Unavailable", reason: `The call does not fit the contract: ${problem}.` } }
}

/** What leaving a position takes, once everything it needs is read. */
export const readExit = (
  entries: LedgerEntries["Type"],
  at: ReadAt,
  protocol: Protocol,
  position: Pick<HeldPosition, "contract" | "key">,
  context: Omit<ExitContext, "view">
): Effect.Effect<Exclude<Exit, { readonly _tag: "Further" }>, ChainFailure> =>
  Effect.map(
    rounds(entries, at, protocol.keys?.(context.user) ?? [], mostExitRounds, (view) => {
      const exit = checked(
        view,
        protocol.exit?.(position, { ...context, view }) ??
          { _tag: "Refused", refusal: { _tag: "Unavailable", reason: "No way out of this position is known here." } }
      )
      return exit._tag === "Further" ? [null, exit.keys] as const : [exit, []] as const
    }),
    (outcome): Exclude<Exit, { readonly _tag: "Further" }> =>
      Either.isRight(outcome) && outcome.right.value !== null
        ? outcome.right.value
        : { _tag: "Refused", refusal: { _tag: "Undecodable", contract: position.contract, reason: Either.isLeft(outcome) ? outcome.left : "nothing came of it" } }
  )
