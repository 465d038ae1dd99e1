import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Effect, Either, Exit, Fiber, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { ContractRpc } from "../../chain/ContractRpc.ts"
import type { EntryAnswer } from "../../chain/EntryAnswer.ts"
import { askGetterOnce, type Getter, type GetterAnswer, getterText } from "../../chain/Getter.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { concurrency } from "../../chain/RpcPolicy.ts"
import { endOfFiber } from "../../fibers/SharedWork.ts"
import { type LedgerView, openIn, viewOf } from "../kit/LedgerView.ts"
import { isGetter, isTwoOriginGetter, isUntrusted, type Question, questionText } from "../kit/Question.ts"
import { combinedAnswer, type OriginsAnswer, twoOriginGetters } from "./TwoOriginGetters.ts"
import { type UntrustedQuery, untrustedQuery } from "./UntrustedGetters.ts"

/** Where answers come from. */
export interface Sources {
  readonly entries: Pick<LedgerEntries["Type"], "answers">
  readonly rpc: ContractRpc["Type"]
  /** Contracts are not asked, because they would answer as of the present ledger. Left out: they are. */
  readonly isForeseen?: true
}

/** The ledger that something is read as of: accrual runs up to its close time. */
export interface ReadAt {
  readonly sequence: number
  /** Unix seconds. */
  readonly closeTime: bigint
}

/** The value of a loop, and the keys that were read for it, each once. */
export interface LoopResult<A> {
  readonly value: A
  readonly keys: ReadonlyArray<xdr.LedgerKey>
  /** The getters whose answers rest on one origin. */
  readonly getters: ReadonlyArray<Getter>
  /** The value if the getters had answered this; null: more queries would be needed. */
  readonly valueWith: (answers: ReadonlyArray<readonly [Getter, GetterAnswer]>) => A | null
  /**
   * Sends the queries wanted ahead that did not travel with needed ones. It never fails: an answer it does not get is queried when needed.
   * Left out: nothing.
   */
  readonly ahead?: Effect.Effect<void>
}

interface Answers {
  readonly entries: ReadonlyArray<EntryAnswer>
  /** By the text of the question. */
  readonly getterAnswers: ReadonlyMap<string, GetterFact>
}

interface GetterFact extends OriginsAnswer {
  readonly getter: Getter
}

const unanswered: GetterAnswer = { _tag: "Failed", reason: "no source could be queried" }

/** How long facts that can be done without may keep a reading waiting. */
const patience = "4 seconds"

/** None: it does not come in time, or not at all. */
const inTime = <A>(answer: Effect.Effect<A, ChainFailure>): Effect.Effect<Option.Option<A>> =>
  Effect.catchAll(Effect.timeoutOption(answer, patience), () => Effect.succeedNone)

/** The sources of one loop. */
interface LoopSources extends Sources {
  readonly askUntrusted: UntrustedQuery
}

/** What one origin said; none: it did not answer in time, or not at all. */
const ofOneOrigin = (answer: Option.Option<GetterAnswer>): OriginsAnswer => ({
  answer: Option.getOrElse(answer, () => unanswered),
  isSettled: false
})

/** Asks contracts; one that does not answer in time, or for which no source answers, has failed. Untrusted ones delay no other. */
const askGetters = (
  { askUntrusted, isForeseen, rpc }: LoopSources,
  getters: ReadonlyArray<Getter>
): Effect.Effect<Answers["getterAnswers"]> => {
  const askTwice = twoOriginGetters(rpc, inTime)
  const ask = (getter: Getter): Effect.Effect<OriginsAnswer> => {
    if (isForeseen === true) return Effect.succeed(ofOneOrigin(Option.none()))
    if (isTwoOriginGetter(getter)) return askTwice(getter, unanswered)
    if (isUntrusted(getter)) return Effect.map(askUntrusted(getter), ofOneOrigin)
    return Effect.map(inTime(askGetterOnce(rpc, getter)), (dated) => ofOneOrigin(Option.map(dated, ({ answer }) => answer)))
  }
  const askAll = (some: ReadonlyArray<Getter>, together: number | "unbounded") =>
    Effect.forEach(some, (getter) => Effect.map(ask(getter), (heard) => [questionText(getter), { ...heard, getter }] as const), {
      concurrency: together
    })
  const [trusted, untrusted] = Arr.partition(getters, isUntrusted)
  return Effect.map(
    Effect.all([askAll(trusted, concurrency), askAll(untrusted, "unbounded")], { concurrency: 2 }),
    (all) => new Map(all.flat())
  )
}

/**
 * Sends queries: entries join the batch of concurrent callers, and getters travel beside it. The getters start first, on their own. A batch
 * is sent only once no caller that could join it is busy with something else.
 */
const ask = (sources: LoopSources, questions: ReadonlyArray<Question>): Effect.Effect<Answers, ChainFailure> =>
  Effect.gen(function*() {
    const distinct = [...new Map(questions.map((question) => [questionText(question), question])).values()]
    const getters = distinct.filter(isGetter)
    const entries = sources.entries.answers(distinct.flatMap((one) => (isGetter(one) ? [] : [one])))
    if (getters.length === 0) return { entries: yield* entries, getterAnswers: new Map() }
    const asking = yield* Effect.forkDaemon(askGetters(sources, getters))
    const answered = endOfFiber(asking)
    return yield* Effect.flatMap(entries, (found) => Effect.map(answered, (getterAnswers): Answers => ({ entries: found, getterAnswers })))
      .pipe(
        Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Fiber.interruptFork(asking)))
      )
  })

const combined = (some: Answers, more: Answers): Answers => ({
  entries: [...some.entries, ...more.entries],
  getterAnswers: new Map([...some.getterAnswers, ...more.getterAnswers])
})

const answersIn = ({ getterAnswers }: Answers): ReadonlyMap<string, GetterAnswer> =>
  new Map([...getterAnswers].map(([text, { answer }]) => [text, answer]))

const viewIn = (at: ReadAt, known: Answers): LedgerView => viewOf(at, known.entries, answersIn(known))

/** Getters whose answers rest on one origin, each once. A call at two origins replaces an earlier call of the same getter. */
const unsettledIn = ({ getterAnswers }: Answers): ReadonlyArray<Getter> => {
  const last = new Map([...getterAnswers.values()].map((fact) => [getterText(fact.getter), fact]))
  return [...last.values()].flatMap(({ getter, isSettled }) => (isSettled ? [] : [getter]))
}

/** The same with other answers. For code that no file lists, the earlier answer counts beside the new one. */
const withOthers = ({ entries, getterAnswers }: Answers, others: ReadonlyArray<readonly [Getter, GetterAnswer]>): Answers => ({
  entries,
  getterAnswers: new Map([
    ...getterAnswers,
    ...others.map(([getter, other]): readonly [string, GetterFact] => {
      const before = getterAnswers.get(questionText(getter))
      const answer = before !== undefined && isTwoOriginGetter(getter) ? combinedAnswer(getter, before.answer, other) : other
      return [questionText(getter), { getter, answer, isSettled: false }]
    })
  ])
})

/** What someone will want to know later in the request, by what was read so far. */
export type QuestionsAhead = (view: LedgerView) => ReadonlyArray<Question>

/** Those that are not answered yet. A decoder that throws wants nothing here: it is blind where its answer counts. */
const wantedBy = (ahead: QuestionsAhead | undefined, view: LedgerView): ReadonlyArray<Question> =>
  openIn(view, Either.getOrElse(Either.try(() => ahead?.(view) ?? []), () => []))

/** Asks on, so many rounds at most. */
const askAhead = (
  sources: LoopSources,
  at: ReadAt,
  before: Answers,
  { ahead, most }: { readonly ahead: QuestionsAhead; readonly most: number }
) =>
  Effect.gen(function*() {
    let known = before
    for (let round = 0; round < most; round++) {
      const open = wantedBy(ahead, viewIn(at, known))
      if (open.length === 0) return
      known = combined(known, yield* ask(sources, open))
    }
  }).pipe(Effect.ignore)

/** The value, the queries to answer first, and queries that travel with them for a later reader; left out: none. */
export type Evaluation<A> = readonly [A, further: ReadonlyArray<Question>, ahead?: QuestionsAhead]

/**
 * Asks what `evaluate` wants to know until it wants nothing more; what is wanted ahead travels with it. Left: why it never comes to that,
 * however often it is tried.
 *
 * @param rounds what the first asks for, and how many one that comes to an end takes at most
 */
export const answerLoop = <A>(
  given: Sources,
  at: ReadAt,
  { first, most }: { readonly first: ReadonlyArray<Question>; readonly most: number },
  evaluate: (view: LedgerView, shown: ReadonlyArray<EntryAnswer>) => Evaluation<A>
): Effect.Effect<Either.Either<LoopResult<A>, string>, ChainFailure> =>
  Effect.gen(function*() {
    const sources = { ...given, askUntrusted: yield* untrustedQuery(given.rpc) }
    let known = yield* ask(sources, first)
    for (let round = 0; round < most; round++) {
      const view = viewIn(at, known)
      // A decoder that throws is as blind as one that cannot decode.
      const evaluated = Either.try(() => evaluate(view, known.entries))
      if (Either.isLeft(evaluated)) return Either.left("its decoder failed")
      const [value, further, ahead] = evaluated.right
      if (further.length === 0) {
        return Either.right({
          value,
          keys: known.entries.map(({ key }) => key),
          getters: unsettledIn(known),
          valueWith: (others) => {
            const again = Either.try(() => evaluate(viewIn(at, withOthers(known, others)), known.entries))
            return Either.isRight(again) && again.right[1].length === 0 ? again.right[0] : null
          },
          ...(ahead === undefined ? {} : { ahead: askAhead(sources, at, known, { ahead, most }) })
        })
      }
      const open = openIn(view, further)
      if (open.length === 0) return Either.left("its decoder repeats a query")
      known = combined(known, yield* ask(sources, [...open, ...wantedBy(ahead, view)]))
    }
    return Either.left("its decoder does not finish")
  })
