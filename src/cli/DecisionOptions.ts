import { Options } from "@effect/cli"
import { Effect, Option, Schema } from "effect"
import { readFileSync } from "node:fs"
import { brief } from "../client/BriefAmount.ts"
import { UnexpectedAnswer } from "../client/ClientFailure.ts"
import { presumedIn } from "../client/EchoedOption.ts"
import type { Decision } from "../client/Question.ts"
import { retrySchedule } from "../client/RetrySchedule.ts"
import { called, type ServiceClient } from "../client/ServiceClient.ts"
import { Decision as DecisionSchema, type OfferedPoint } from "../domain/Decision.ts"
import type { Network } from "../domain/Network.ts"
import type { CloseRequest, Plan } from "../domain/Plan.ts"
import { type CommandFailed, wrongInput } from "./CommandFailed.ts"
import { warn } from "./Screen.ts"

/** Answers that are given beforehand. */
export const decisionOptions = {
  decide: Options.text("decide").pipe(
    Options.withDescription("An answer: the id of a question, =, and the id of a choice. May be repeated"),
    Options.repeated
  ),
  decisions: Options.file("decisions", { exists: "yes" }).pipe(
    Options.withDescription("A JSON file of answers [{id, choice, params}], for instance suggestedDecisions of a plan"),
    Options.optional
  )
}

interface DecisionInput {
  readonly decide: ReadonlyArray<string>
  readonly decisions: Option.Option<string>
}

const encodeOne = Schema.encodeSync(DecisionSchema)
const encode = Schema.encodeSync(Schema.Array(DecisionSchema))

const inFile = (file: string) =>
  Effect.mapError(
    Effect.flatMap(
      Effect.try(() => readFileSync(file, "utf8")),
      Schema.decodeUnknown(Schema.parseJson(Schema.Array(DecisionSchema)))
    ),
    () => wrongInput(`${file} is no JSON list of answers {id, choice, params}.`)
  )

/** An answer without the params of its option. */
interface TypedDecision {
  readonly id: string
  readonly choice: string
}

/** Answers as they were given: whole ones of a file, and those of the command line. */
export interface GivenDecisions {
  readonly whole: ReadonlyArray<Decision>
  readonly typed: ReadonlyArray<TypedDecision>
}

/** Reads what was given. */
export const givenDecisions = ({ decide, decisions }: DecisionInput) =>
  Effect.gen(function*() {
    const whole = Option.isSome(decisions) ? encode(yield* inFile(decisions.value)) : []
    const typed: Array<TypedDecision> = []
    for (const text of decide) {
      const at = text.lastIndexOf("=")
      if (at < 1) return yield* wrongInput("--decide is an id and a choice with = between, for instance asset:USD-G...=return_to_issuer.")
      typed.push({ id: text.slice(0, at), choice: text.slice(at + 1) })
    }
    const given: GivenDecisions = { whole, typed }
    return given
  })

interface PlanRequest {
  readonly path: { readonly network: Network }
  readonly payload: CloseRequest
}

/** The answers for a plan. */
interface PlacedDecisions {
  readonly decisions: ReadonlyArray<Decision>
  /** Ids that were typed, and that no question of the plan has: they are dealt with, come later, or are misspelt. */
  readonly unused: ReadonlyArray<string>
}

/** The most that an answer spends of the owner's; null: nothing. With `--decide` its owner would not see how much. */
export const mostSpent = ({ params = {} }: Pick<Decision, "params">): string | null => {
  const { maxLumens, maxSpend, spendAsset = "its asset" } = params
  if (maxSpend !== undefined) return `${brief(maxSpend)} of ${spendAsset}`
  return maxLumens === undefined ? null : `${brief(maxLumens)} XLM`
}

/** An answer with the params of its option; none where the plan does not put its question. */
const completed = (
  { choice, id }: TypedDecision,
  points: ReadonlyArray<typeof OfferedPoint.Type>
): Effect.Effect<ReadonlyArray<Decision>, UnexpectedAnswer | CommandFailed> => {
  const point = points.find((one) => one.id === id)
  if (point === undefined) return Effect.succeed([])
  const offered = point.options.find((option) => option.id === choice)
  const presumed = offered === undefined ? null : presumedIn(offered)
  if (presumed !== null) return new UnexpectedAnswer({ reason: `${id} fills in ${presumed} of ${choice}` })
  const decision = encodeOne({ id, choice, ...(offered?.params === undefined ? {} : { params: offered.params }) })
  const spent = mostSpent(decision)
  return spent === null
    ? Effect.succeed([decision])
    : wrongInput(`${id}: ${choice} spends up to ${spent}. Give this answer by --decisions, with its params.`)
}

/** All answers with the params that a plan fills in, which is made with those that are whole. Without one of the command line none is made. */
export const decisionsBy = <E, R>(
  { typed, whole }: GivenDecisions,
  planWith: (decisions: ReadonlyArray<Decision>) => Effect.Effect<Pick<Plan, "decisionPoints">, E, R>
): Effect.Effect<PlacedDecisions, E | UnexpectedAnswer | CommandFailed, R> =>
  typed.length === 0 ? Effect.succeed({ decisions: whole, unused: [] }) : Effect.gen(function*() {
    const { decisionPoints } = yield* planWith(whole)
    const placed = yield* Effect.forEach(typed, (one) => completed(one, decisionPoints))
    return { decisions: [...whole, ...placed.flat()], unused: typed.filter((_one, at) => placed[at]?.length === 0).map(({ id }) => id) }
  })

/** The same by plans of a service, as options of a close. The service is called again as long as time helps. */
export const completedDecisions = (given: GivenDecisions, { close }: ServiceClient, request: PlanRequest) =>
  Effect.map(
    decisionsBy(
      given,
      (decisions) => Effect.retry(called(close.plan({ ...request, payload: { ...request.payload, decisions } })), retrySchedule())
    ),
    ({ decisions, unused }) => ({ answers: { decisions, echoed: given.typed.map(({ id }) => id) }, unused })
  )

/** Says which answers no question of the plan takes. An owner would not see it otherwise where the plan suggests something else. */
export const warnUnused = (unused: ReadonlyArray<string>) =>
  Effect.forEach(unused, (id) => warn(`No question of the plan is ${id}, so its answer is not used now.`), { discard: true })
