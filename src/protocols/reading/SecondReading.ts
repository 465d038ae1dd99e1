import { Effect, Option, Schedule } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { ContractRpc } from "../../chain/ContractRpc.ts"
import { currentPin, withEndpoint } from "../../chain/Pin.ts"
import type { RpcOrigin } from "../../chain/RpcOrigin.ts"
import type { ReadAt } from "./QuestionLoop.ts"

/** How long a doubtful reading keeps those waiting who asked for it. */
const patience = "6 seconds"

/** How long until the sources are queried again for a newer ledger. */
const pause = "1 second"

/** What was read, and from where. */
interface SourcedValue<A> {
  readonly value: A
  /** The endpoint that all of it came from, by its place in the settings; null where it was more than one, or none. */
  readonly by: number | null
  /** The newest ledger that was met. */
  readonly newest: number
}

/** Something that many requests rest on, and when it is believed as it was read. */
export interface Believable<A> {
  /** @returns what was read, once the endpoint is known that all of it came from; null where it was more than one, or none */
  readonly read: (at: ReadAt) => Effect.Effect<(by: number | null) => A, ChainFailure>
  /** How much of a value is in doubt, to tell which of two is less so; 0: it is sound. */
  readonly doubtIn: (value: A) => number
}

/** @param avoided endpoints that are queried after all others */
const once = <A>(
  { read }: Pick<Believable<A>, "read">,
  at: ReadAt,
  avoided: ReadonlyArray<number>
): Effect.Effect<SourcedValue<A>, ChainFailure> => {
  const newestMet = Effect.map(currentPin, (pin) => Math.max(at.sequence, pin?.newest ?? 0))
  return Effect.map(
    withEndpoint(Effect.zip(read(at), newestMet), { avoided }),
    ([[valueBy, newest], by]) => ({ value: valueBy(by), by, newest })
  )
}

/** The first ledger beyond one, once it exists. Sources that fail are queried again. */
const ledgerAfter = ({ latestLedger }: Pick<ContractRpc["Type"], "latestLedger">, newest: number): Effect.Effect<ReadAt> =>
  latestLedger.pipe(
    Effect.filterOrFail(({ sequence }) => sequence > newest, () => null),
    Effect.retry(Schedule.spaced(pause)),
    Effect.orDie,
    Effect.map(({ closeTime, sequence }) => ({ closeTime, sequence }))
  )

/** Those that are not asked a second time as long as others answer: all of the origin of one, or that one alone where there is no other origin. */
const alikeTo = (origins: ReadonlyArray<RpcOrigin>, by: number | null): ReadonlyArray<number> => {
  if (by === null) return []
  return origins.length > 1 ? origins.find(({ places }) => places.includes(by))?.places ?? [by] : [by]
}

/** From another origin, or endpoint, where one answers, else on a later ledger. */
const again = <A>(
  rpc: Pick<ContractRpc["Type"], "latestLedger" | "origins">,
  work: Believable<A>,
  at: ReadAt,
  { by, newest }: SourcedValue<A>
): Effect.Effect<A, ChainFailure> =>
  Effect.gen(function*() {
    const hasOthers = rpc.origins.flatMap(({ places }) => places).length > 1
    const avoided = alikeTo(rpc.origins, by)
    const other = hasOthers ? yield* Effect.option(once(work, at, avoided)) : Option.none()
    if (Option.isSome(other)) {
      const { by: from, value } = other.value
      if (work.doubtIn(value) === 0 || (from !== null && !avoided.includes(from))) return value
    }
    return (yield* once(work, yield* ledgerAfter(rpc, newest), [])).value
  })

/**
 * Reads once more where a reading is in doubt. The second reading is used if it is less in doubt than the first; doubts of the unused
 * reading are dropped. If the second reading fails or takes too long, the first stands with its doubt.
 */
export const readTwiceInDoubt = <A>(
  rpc: Pick<ContractRpc["Type"], "latestLedger" | "origins">,
  work: Believable<A>,
  at: ReadAt
): Effect.Effect<A, ChainFailure> =>
  Effect.gen(function*() {
    const first = yield* once(work, at, [])
    const doubt = work.doubtIn(first.value)
    if (doubt === 0) return first.value
    const second = yield* Effect.orElseSucceed(Effect.timeoutOption(again(rpc, work, at, first), patience), Option.none)
    return Option.getOrElse(Option.filter(second, (value) => work.doubtIn(value) < doubt), () => first.value)
  })
