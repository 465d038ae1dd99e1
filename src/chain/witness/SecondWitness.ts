import type { xdr } from "@stellar/stellar-sdk"
import { Context, Data, Duration, Effect, Layer, Option } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import type { ContractRpcLagging, SourcesDisagree } from "../../domain/failure/Upstream.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { ContractRpc } from "../ContractRpc.ts"
import type { EntryAnswer } from "../EntryAnswer.ts"
import { ledgerAge } from "../LedgerAge.ts"
import { currentPin, type EntryEvidence } from "../Pin.ts"
import { othersOf, ownOf, type RpcOrigin } from "../RpcOrigin.ts"
import { witnessTimeout } from "../RpcPolicy.ts"
import { Disputes } from "./Disputes.ts"
import type { Claim, ContractAnswers, ListEvidence, Statement } from "./Statement.ts"
import { type Behind, type Question, questionOf, type Verdict, verdictOf } from "./Verdict.ts"

/** How long those that are behind are queried again, milliseconds, and after how long each time. */
const longestLag = 6_000
const untilAgain = Duration.seconds(1)

/** More ledgers than this are not made up for while a request waits. */
const farBehind = 20

/** Claims that are remembered as confirmed. Those that may change are not. */
const mostClaims = 20_000

/** What became of asking someone else. */
export type WitnessOutcome =
  /** No endpoint of another origin is configured. */
  | "alone"
  /** Several are, and none of them answered. */
  | "silent"
  | "agreed"

/** The second witness did not reach the ledger of the first one in time: reading that one anew would change nothing. */
export class WitnessBehind extends Data.TaggedError("WitnessBehind")<{ readonly behind: number }> {}

/** What the account's transactions rest on was contradicted before, and no other one answers now: reading anew would change nothing. */
export class StillDisputed extends Data.TaggedError("StillDisputed")<{ readonly failure: SourcesDisagree }> {}

/** Contradictions, and want of time. */
export type WitnessFailure = SourcesDisagree | ContractRpcLagging | WitnessBehind | StillDisputed

/** The transaction that rests on what is compared. */
export interface WitnessedTransaction {
  readonly account: AccountAddress
  /**
   * Whether it is built where no other one answers. After a contradiction for its account it is not, until one agrees with a transaction
   * of this kind. An endpoint that hides holdings may show them while any other is planned.
   */
  readonly mayRestOnOne: boolean
}

/** Whether a header with this close time is too old by the clock. */
type IsOld = (closeTime: bigint) => Effect.Effect<boolean>

/** What is remembered of witnesses from one statement to the next. */
interface WitnessMemory {
  readonly isOld: IsOld
  /** The names of those that by their last answer were behind, or showed a change: they are queried after the others. */
  readonly queriedLast: Set<string>
  /** Texts of claims that were confirmed, up to `mostClaims`. */
  readonly confirmed: Set<string>
  readonly disputes: Disputes
}

/** That memory, and the transaction that rests on one comparison. */
interface Hearing extends WitnessMemory {
  readonly planned: WitnessedTransaction
}

/**
 * Whether one that is behind stopped so long ago, by our clock, that it counts as silent. Never one that has what the first witness calls
 * absent: a first witness that hides it, beside one that stopped, would cost everything that is hidden.
 */
const countsAsSilent = (isOld: IsOld, { hasMore, origin }: Behind): Effect.Effect<boolean> =>
  hasMore
    ? Effect.succeed(false)
    : Effect.flatMap(
      Effect.timeoutOption(Effect.option(origin.latestLedger), witnessTimeout),
      (header) => Option.match(Option.flatten(header), { onNone: () => Effect.succeed(true), onSome: ({ closeTime }) => isOld(closeTime) })
    )

/** What the witnesses of one question said at last. */
type Heard = Map<RpcOrigin, Verdict>

const behindIn = (heard: Heard): ReadonlyArray<Behind> => [...heard.values()].filter((one) => one._tag === "Behind")

/** Takes down what a witness says, and returns what stands: of one that is silent now what it said a second ago. */
const takeDown = ({ disputes, planned, queriedLast }: Hearing, heard: Heard, origin: RpcOrigin, verdict: Verdict): Verdict => {
  const standing = verdict._tag === "Silent" ? heard.get(origin) ?? verdict : verdict
  heard.set(origin, standing)
  if (standing._tag === "Behind" || standing._tag === "Newer") queriedLast.add(origin.name)
  else queriedLast.delete(origin.name)
  if (standing._tag === "Contradicts") disputes.add(planned.account, standing.failure)
  return standing
}

/** The newest ledger in which something changed, as a witness says; 0 where none says so. */
const newestChange = (heard: Heard): number => Math.max(0, ...[...heard.values()].map((one) => (one._tag === "Newer" ? one.since : 0)))

/** Succeeds where no witness says anything against a statement. */
const onlySilence = ({ isOld }: WitnessMemory, heard: Heard): Effect.Effect<void, WitnessFailure> =>
  Effect.gen(function*() {
    const newer = [...heard.values()].find((one) => one._tag === "Newer")
    if (newer !== undefined) return yield* newer.failure
    const against = [...heard.values()].find((one) => one._tag === "Contradicts")
    if (against !== undefined) return yield* against.failure
    const late = yield* Effect.filter(behindIn(heard), (one) => Effect.negate(countsAsSilent(isOld, one)))
    const [nearest] = late.toSorted((one, other) => one.behind - other.behind)
    if (nearest !== undefined) return yield* new WitnessBehind({ behind: nearest.behind })
  })

/**
 * Queries the witnesses one after the other until one agrees. Those that are behind are queried again, each second for `longestLag`. One
 * that shows a change is outvoted only by one that agrees on the ledger of that change: until it reaches that, it is behind as well.
 */
const hearWitnesses = (
  hearing: Hearing,
  statement: Question,
  witnesses: ReadonlyArray<RpcOrigin>
): Effect.Effect<"agreed" | "silent", WitnessFailure> =>
  Effect.gen(function*() {
    const heard: Heard = new Map()
    let until: number | null = null
    let open = witnesses
    for (;;) {
      const again: Array<RpcOrigin> = []
      for (const origin of open) {
        const verdict = takeDown(hearing, heard, origin, yield* verdictOf(statement, origin))
        if (verdict._tag === "Agrees" && verdict.ledger >= newestChange(heard)) return "agreed"
        if (verdict._tag === "Agrees" || (verdict._tag === "Behind" && verdict.behind <= farBehind)) again.push(origin)
      }
      open = again
      const now = yield* steadyMillis
      // The silence of those that were queried first takes nothing of the time of the others.
      until ??= now + longestLag
      if (open.length === 0 || now >= until) return yield* Effect.as(onlySilence(hearing, heard), "silent" as const)
      yield* Effect.sleep(untilAgain)
    }
  })

/** An outcome without an answer of another one. Fails for a transaction that may rest on one where its account is disputed. */
const unsupported = <Outcome>({ disputes, planned }: Hearing, outcome: Outcome): Effect.Effect<Outcome, StillDisputed> => {
  const failure = planned.mayRestOnOne ? disputes.of(planned.account) : undefined
  return failure === undefined ? Effect.succeed(outcome) : new StillDisputed({ failure })
}

/** Remembers that someone agreed. */
const remember = ({ confirmed, disputes, planned }: Hearing, claims: ReadonlyArray<Claim>): void => {
  if (planned.mayRestOnOne) disputes.settle(planned.account)
  const lasting = claims.filter(({ mayChange }) => mayChange !== true)
  if (confirmed.size + lasting.length > mostClaims) confirmed.clear()
  for (const { text } of lasting) confirmed.add(text)
}

/** `SecondWitness.confirm` over these origins. */
const confirmBy = (origins: ReadonlyArray<RpcOrigin>, memory: WitnessMemory) =>
  Effect.fnUntraced(
    function*(
      planned: WitnessedTransaction,
      isWitnessed: (key: xdr.LedgerKey) => boolean,
      { claims, entries }: ListEvidence,
      spoken: ReadonlyArray<ContractAnswers> = []
    ) {
      const hearing: Hearing = { ...memory, planned }
      const pin = yield* currentPin
      const picked = [...(pin?.shown.values() ?? [])].flatMap((versions) => versions.filter(({ key }) => isWitnessed(key)))
      const open = claims.filter(({ text }) => !memory.confirmed.has(text))
      if ([entries, picked, open, spoken].every((some) => some.length === 0)) return yield* unsupported(hearing, "agreed" as const)
      const others = othersOf(origins, pin)
      if (others.length === 0) return "alone"
      const witnesses = others.toSorted((one, other) =>
        Number(memory.queriedLast.has(one.name)) - Number(memory.queriedLast.has(other.name))
      )
      const listed = new Map<EntryAnswer, ReadonlyArray<xdr.ScVal>>(entries.map((one) => [one, one.inside]))
      const told = yield* hearWitnesses(
        hearing,
        questionOf({ shown: [...entries, ...picked], listed, claims: open }, spoken, pin),
        witnesses
      )
      if (told === "silent") return yield* unsupported(hearing, told)
      const own = ownOf(origins, pin)
      const isOwn = ({ by }: EntryEvidence): boolean => own.some(({ places }) => places.some((place) => place === by))
      const foreign: Statement = { shown: entries.filter((one) => !isOwn(one)), listed, claims: open }
      const confirmed = yield* hearWitnesses(hearing, questionOf(foreign, [], null), own)
      if (confirmed === "silent") return yield* unsupported(hearing, confirmed)
      remember(hearing, open)
      return confirmed
    }
  )

/** What the first witness shows is compared with what another endpoint shows, before a transaction rests on it that cannot be taken back. */
export class SecondWitness extends Context.Tag("closeout/chain/SecondWitness")<SecondWitness, {
  /** Whether there is an endpoint of another origin to query at all. */
  readonly exists: boolean

  /**
   * Queries another origin (`getLedgerEntries`, `simulateTransaction`) for what the first one showed: everything of this request that
   * `isWitnessed` picks, what lists of contracts rest on, and what contracts said. What lists rest on is compared with both origins where
   * an endpoint of another origin than this request's reported it, or it was learned and not confirmed for good: one of the two is then
   * not its source. One witness that agrees is enough, and after one that is behind the next is queried. Sends no request where nothing is picked.
   *
   * Fails with `SourcesDisagree` where two cannot both be right; with `StillDisputed` where they could not before, for `planned`, and no other
   * answers now; with `ContractRpcLagging` where another one shows a change since, and none agrees that has reached the
   * ledger of that change, so that everything is read anew; and with `WitnessBehind` where all others that answer are behind the first one.
   *
   * @param planned the transaction that rests on it
   */
  readonly confirm: (
    planned: WitnessedTransaction,
    isWitnessed: (key: xdr.LedgerKey) => boolean,
    lists: ListEvidence,
    spoken?: ReadonlyArray<ContractAnswers>
  ) => Effect.Effect<WitnessOutcome, WitnessFailure>
}>() {
  static readonly layer = Layer.effect(
    SecondWitness,
    Effect.gen(function*() {
      const { origins } = yield* ContractRpc
      const { isOver } = yield* ledgerAge
      const memory: WitnessMemory = { isOld: isOver, queriedLast: new Set(), confirmed: new Set(), disputes: new Disputes() }
      return SecondWitness.of({ exists: origins.length > 1, confirm: confirmBy(origins, memory) })
    })
  )
}
