import type { HttpClient } from "@effect/platform"
import { Effect, Schema } from "effect"
import { showAmount } from "../domain/Amount.ts"
import { effectOf, isSale } from "../domain/ChoiceEffect.ts"
import { Decision as DecisionSchema, OfferedPoint } from "../domain/Decision.ts"
import type { Plan } from "../domain/Plan.ts"
import type { Agreement, Answer } from "./Agreement.ts"
import { given } from "./Callback.ts"
import { CallbackFailed, type CloseFailure, UnansweredDecision, UnexpectedAnswer } from "./ClientFailure.ts"
import { Closing } from "./Closing.ts"
import { presumedIn } from "./EchoedOption.ts"
import { type Doubt, doubtAbout } from "./Floors.ts"
import type { Decided, DecisionPoint, Question } from "./Question.ts"

type Point = typeof OfferedPoint.Type

const encodePoint = Schema.encodeSync(OfferedPoint)

const questionOf = (point: Point, { against, floor, reason }: Doubt): Question => {
  const shown: DecisionPoint = encodePoint(point)
  return {
    reason,
    id: shown.id,
    subject: shown.subject,
    about: shown.about,
    options: shown.options,
    floorLumens: floor === null ? null : showAmount(floor),
    againstLumens: against === null ? null : showAmount(against)
  }
}

const unanswered: Doubt = { reason: "unanswered", floor: null, against: null }
const failed = (reason: string) => new CallbackFailed({ callback: "decide", cause: new Error(reason) })

/** What `decide` gave, as a decision: an option with its params, or a whole one. */
const decisionIn = (point: Point, answer: NonNullable<Decided>): Effect.Effect<Answer, CallbackFailed> => {
  if (typeof answer === "string") {
    const option = point.options.find(({ id }) => id === answer)
    if (option === undefined) return Effect.fail(failed(`${point.id} has no option ${answer}`))
    return Effect.succeed({ id: point.id, choice: option.id, ...(option.params === undefined ? {} : { params: option.params }) })
  }
  return Effect.filterOrFail(
    Effect.mapError(Schema.decodeUnknown(DecisionSchema)(answer), ({ message }) => failed(message)),
    ({ id }) => id === point.id,
    () => failed(`The question is about ${point.id}, the answer about ${answer.id}`)
  )
}

/** Asks the owner, and keeps the answer; without one the close stops. */
const ask = (agreement: Agreement, point: Point, doubt: Doubt): Effect.Effect<void, CloseFailure, Closing> =>
  Effect.gen(function*() {
    const { emit, settings: { decide } } = yield* Closing
    // Owners decide by the effect: it must be what the choice really does.
    const wrong = point.options.find(({ effect, id }) => effect !== effectOf(id))
    if (wrong !== undefined) return yield* new UnexpectedAnswer({ reason: `${point.id} says of ${wrong.id} that it ${wrong.effect}` })
    // What is echoed is agreed: it must not name anyone whom the owner did not name.
    for (const option of point.options) {
      const presumed = presumedIn(option)
      if (presumed !== null) return yield* new UnexpectedAnswer({ reason: `${point.id} fills in ${presumed} of ${option.id}` })
    }
    const question = questionOf(point, doubt)
    yield* emit({ _tag: "question", question })
    const answer = decide === undefined ? null : yield* given("decide", () => decide(question))
    if (answer === null || answer === undefined) return yield* new UnansweredDecision({ question })
    const decision = yield* decisionIn(point, answer)
    // A floor that the owner wrote, or confirmed by itself, is the owner's own.
    if (isSale(decision.choice) && (doubt.floor !== null || typeof answer !== "string")) agreement.confirmed.set(point.id, decision)
    agreement.decided.set(point.id, decision)
  })

/** Keeps what a plan suggests, or calls `decide` with it. */
export const takeSuggestion = (
  agreement: Agreement,
  { decisionPoints, transactions }: Plan,
  one: Answer
): Effect.Effect<void, CloseFailure, Closing | HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const doubt = yield* doubtAbout(agreement, one, { agreed: agreement.sales.get(one.id), isRenewable: transactions.length === 1 })
    if (doubt === null) return void agreement.suggested.set(one.id, one)
    const point = decisionPoints.find(({ id }) => id === one.id)
    if (point !== undefined) yield* ask(agreement, point, doubt)
  })

/** Calls `decide` with a point that has no recommended option; once more with the floor of a sale, where that is doubtful. */
export const askOpen = (agreement: Agreement, point: Point): Effect.Effect<void, CloseFailure, Closing | HttpClient.HttpClient> =>
  Effect.gen(function*() {
    yield* ask(agreement, point, unanswered)
    const chosen = agreement.decided.get(point.id)
    const doubt = chosen === undefined
      ? null
      : yield* doubtAbout(agreement, chosen, { agreed: agreement.sales.get(point.id), isRenewable: false })
    if (doubt !== null) yield* ask(agreement, point, doubt)
  })
