import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Either, Exit, Fiber, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { ContractRpc } from "../../chain/ContractRpc.ts"
import { askGetterOnce, type DatedAnswer, type Getter, type GetterAnswer, getterText } from "../../chain/Getter.ts"
import type { EntryAnswer, LedgerEntries } from "../../chain/LedgerEntries.ts"
import { currentPin } from "../../chain/Pin.ts"
import { othersOf } from "../../chain/RpcOrigin.ts"
import { concurrency } from "../../chain/RpcPolicy.ts"
import { endOfFiber, sideBySide } from "../../fibers/Concurrently.ts"
import { type LedgerView, openIn, viewOf } from "../kit/LedgerView.ts"
import { isGetter, isTwoOriginGetter, type Question, questionText, type TwoOriginGetter } from "../kit/Question.ts"

/** What a contract said, and whether nothing more is to be heard: another origin said it too, on the same ledger or a later one. */
interface OriginsAnswer {
  readonly answer: GetterAnswer
  readonly isSettled: boolean
}

/** What two answers say together: what fails at either has failed. */
const answersTogether = ({ larger }: TwoOriginGetter, one: GetterAnswer, other: GetterAnswer): GetterAnswer => {
  if (one._tag === "Failed") return one
  return other._tag === "Failed" ? other : { _tag: "Returned", value: larger(one.value, other.value) }
}

/** Waits for an answer as long as facts that can be done without may take; none: it did not come. */
type InTime = (answer: Effect.Effect<DatedAnswer, ChainFailure>) => Effect.Effect<Option.Option<DatedAnswer>>

/**
 * Calls getters at two origins: the request's own, then another. If that one does not answer or is behind, the next one is queried. An
 * origin that failed to answer once is not queried again.
 */
const askingTwice = (rpc: Pick<ContractRpc["Type"], "origins" | "simulateTransaction">, inTime: InTime) => {
  const silent = new Set<string>()
  return (getter: TwoOriginGetter, unanswered: GetterAnswer): Effect.Effect<OriginsAnswer> =>
    Effect.gen(function*() {
      const own = Option.getOrNull(yield* inTime(askGetterOnce(rpc, getter)))
      if (own === null) return { answer: unanswered, isSettled: true }
      let answer = own.answer
      for (const origin of othersOf(rpc.origins, yield* currentPin)) {
        if (answer._tag === "Failed") break
        if (silent.has(origin.name)) continue
        const other = Option.getOrNull(yield* inTime(askGetterOnce(origin, getter, origin.name)))
        if (other === null) {
          silent.add(origin.name)
          continue
        }
        answer = answersTogether(getter, answer, other.answer)
        if (other.ledger >= own.ledger) return { answer, isSettled: true }
      }
      return { answer, isSettled: answer._tag === "Failed" }
    })
}

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

/** What came of asking, and the keys that were read for it, each once. */
export interface LoopResult<A> {
  readonly value: A
  readonly keys: ReadonlyArray<xdr.LedgerKey>
  /** The getters whose answers rest on one origin. */
  readonly getters: ReadonlyArray<Getter>
  /** The value if the getters had answered this; null: more queries would be needed. */
  readonly retold: (told: ReadonlyArray<readonly [Getter, GetterAnswer]>) => A | null
  /**
   * Sends the queries wanted ahead that did not travel with needed ones. It never fails: an answer it does not get is queried when needed.
   * Left out: nothing.
   */
  readonly ahead?: Effect.Effect<void>
}

interface Answers {
  readonly entries: ReadonlyArray<EntryAnswer>
  /** By the text of the question. */
  readonly told: ReadonlyMap<string, GetterFact>
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

/** Asks contracts; one that does not answer in time, or for which no source answers, has failed. */
const told = ({ isForeseen, rpc }: Sources, getters: ReadonlyArray<Getter>): Effect.Effect<Answers["told"]> => {
  const askTwice = askingTwice(rpc, inTime)
  const ask = (getter: Getter): Effect.Effect<OriginsAnswer> => {
    if (isForeseen === true) return Effect.succeed({ answer: unanswered, isSettled: false })
    if (isTwoOriginGetter(getter)) return askTwice(getter, unanswered)
    return Effect.map(inTime(askGetterOnce(rpc, getter)), (heard) => ({
      answer: Option.match(heard, { onNone: () => unanswered, onSome: ({ answer }) => answer }),
      isSettled: false
    }))
  }
  return Effect.map(
    sideBySide(getters, concurrency, (getter) => Effect.map(ask(getter), (heard) => [questionText(getter), { ...heard, getter }] as const)),
    (all) => new Map(all)
  )
}

/**
 * Sends queries: entries join the batch of concurrent callers, and getters travel beside it. The getters start first, on their own. A batch
 * is sent only once no caller that could join it is busy with something else.
 */
const ask = (sources: Sources, questions: ReadonlyArray<Question>): Effect.Effect<Answers, ChainFailure> =>
  Effect.gen(function*() {
    const distinct = [...new Map(questions.map((question) => [questionText(question), question])).values()]
    const asked = distinct.filter(isGetter)
    const entries = sources.entries.answers(distinct.flatMap((one) => (isGetter(one) ? [] : [one])))
    if (asked.length === 0) return { entries: yield* entries, told: new Map() }
    const getters = yield* Effect.forkDaemon(told(sources, asked))
    const answered = endOfFiber(getters)
    return yield* Effect.flatMap(entries, (found) => Effect.map(answered, (said): Answers => ({ entries: found, told: said })))
      .pipe(
        Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Fiber.interruptFork(getters)))
      )
  })

const together = (some: Answers, more: Answers): Answers => ({
  entries: [...some.entries, ...more.entries],
  told: new Map([...some.told, ...more.told])
})

const answersIn = ({ told }: Answers): ReadonlyMap<string, GetterAnswer> => new Map([...told].map(([text, { answer }]) => [text, answer]))

const seenIn = (at: ReadAt, known: Answers): LedgerView => viewOf(at, known.entries, answersIn(known))

/** Getters whose answers rest on one origin, each once. A call at two origins replaces an earlier call of the same getter. */
const unsettledIn = ({ told }: Answers): ReadonlyArray<Getter> => {
  const last = new Map([...told.values()].map((heard) => [getterText(heard.getter), heard]))
  return [...last.values()].flatMap(({ getter, isSettled }) => (isSettled ? [] : [getter]))
}

/** The same with other answers. For code that no file lists, the earlier answer counts beside the new one. */
const retelling = ({ entries, told }: Answers, others: ReadonlyArray<readonly [Getter, GetterAnswer]>): Answers => ({
  entries,
  told: new Map([
    ...told,
    ...others.map(([getter, other]): readonly [string, GetterFact] => {
      const before = told.get(questionText(getter))
      const answer = before !== undefined && isTwoOriginGetter(getter) ? answersTogether(getter, before.answer, other) : other
      return [questionText(getter), { getter, answer, isSettled: false }]
    })
  ])
})

/** What someone will want to know later in the request, by what was read so far. */
export type Ahead = (view: LedgerView) => ReadonlyArray<Question>

/** Those that are not answered yet. A decoder that throws wants nothing here: it is blind where its answer counts. */
const wantedBy = (ahead: Ahead | undefined, view: LedgerView): ReadonlyArray<Question> =>
  openIn(view, Either.getOrElse(Either.try(() => ahead?.(view) ?? []), () => []))

/** Asks on, so many rounds at most. */
const askAhead = (sources: Sources, at: ReadAt, before: Answers, { ahead, most }: { readonly ahead: Ahead; readonly most: number }) =>
  Effect.gen(function*() {
    let known = before
    for (let round = 0; round < most; round++) {
      const open = wantedBy(ahead, seenIn(at, known))
      if (open.length === 0) return
      known = together(known, yield* ask(sources, open))
    }
  }).pipe(Effect.ignore)

/** The value, the queries to answer first, and queries that travel with them for a later reader; left out: none. */
export type Evaluated<A> = readonly [A, further: ReadonlyArray<Question>, ahead?: Ahead]

/**
 * Asks what `evaluate` wants to know until it wants nothing more; what is wanted ahead travels with it. Left: why it never comes to that,
 * however often it is tried.
 *
 * @param rounds what the first asks for, and how many one that comes to an end takes at most
 */
export const answerLoop = <A>(
  sources: Sources,
  at: ReadAt,
  { first, most }: { readonly first: ReadonlyArray<Question>; readonly most: number },
  evaluate: (view: LedgerView, shown: ReadonlyArray<EntryAnswer>) => Evaluated<A>
): Effect.Effect<Either.Either<LoopResult<A>, string>, ChainFailure> =>
  Effect.gen(function*() {
    let known = yield* ask(sources, first)
    for (let round = 0; round < most; round++) {
      const view = seenIn(at, known)
      // A decoder that throws is as blind as one that cannot decode.
      const evaluated = Either.try(() => evaluate(view, known.entries))
      if (Either.isLeft(evaluated)) return Either.left("its decoder failed")
      const [value, further, ahead] = evaluated.right
      if (further.length === 0) {
        return Either.right({
          value,
          keys: known.entries.map(({ key }) => key),
          getters: unsettledIn(known),
          retold: (others) => {
            const again = Either.try(() => evaluate(seenIn(at, retelling(known, others)), known.entries))
            return Either.isRight(again) && again.right[1].length === 0 ? again.right[0] : null
          },
          ...(ahead === undefined ? {} : { ahead: askAhead(sources, at, known, { ahead, most }) })
        })
      }
      const open = openIn(view, further)
      if (open.length === 0) return Either.left("its decoder repeats a query")
      known = together(known, yield* ask(sources, [...open, ...wantedBy(ahead, view)]))
    }
    return Either.left("its decoder does not finish")
  })
