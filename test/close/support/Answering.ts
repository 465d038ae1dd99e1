import type { Answer, PlanBody } from "./Client.ts"

type Point = PlanBody["decisionPoints"][number]

/** Echoes an option of a decision point, with params changed or added where the test sets them. */
export const echo = (point: Point, choice: string, params: NonNullable<Answer["params"]> = {}): Answer => {
  const option = point.options.find(({ id }) => id === choice)
  if (option === undefined) throw new Error(`${point.id} does not offer ${choice}`)
  const all = { ...option.params, ...params }
  return { id: point.id, choice, ...(Object.keys(all).length === 0 ? {} : { params: all }) }
}

/** A client's default option: the recommended one, or else the first without further needs. */
export const usualOption = ({ options }: Point): Point["options"][number] | undefined =>
  options.find(({ recommended = false }) => recommended) ?? options.find(({ needs }) => needs.length === 0) ?? options[0]

/** The owner's consent to a sale far below the best price, where its option needs that. */
const impactAccepted = ({ options }: Point, choice: string): NonNullable<Answer["params"]> => {
  const { needs = [], quote } = options.find(({ id }) => id === choice) ?? {}
  return quote !== undefined && needs.includes("acceptPriceImpactBps") ? { acceptPriceImpactBps: quote.priceImpactBps } : {}
}

/** Whether a question needs an answer: it is required, or its default would claim against the wish. */
const isAnswered = ({ options, required, type }: Point, wished: ReadonlyArray<string>): boolean =>
  required || (type.startsWith("claim") && options.some(({ id }) => wished.includes(id)))

/** Answers every required question with the first offered wished choice, or else with the client's default. */
export const answersTo = ({ decisionPoints }: PlanBody, ...wished: ReadonlyArray<string>): ReadonlyArray<Answer> =>
  decisionPoints.filter((point) => isAnswered(point, wished)).flatMap((point) => chosenFor(point, ...wished) ?? [])

/** The answer to one question: the first offered wished choice, or else the client's default; null: no option fits. */
export const chosenFor = (point: Point, ...wished: ReadonlyArray<string>): Answer | null => {
  const choice = wished.find((wish) => point.options.some(({ id }) => id === wish)) ?? usualOption(point)?.id
  return choice === undefined ? null : echo(point, choice, impactAccepted(point, choice))
}

/** These answers with this one in place of another to the same question. */
export const withAnswer = (
  answers: ReadonlyArray<Answer>,
  one: Answer
): ReadonlyArray<Answer> => [...answers.filter(({ id }) => id !== one.id), one]

/** The decision point with this id. */
export const pointOf = ({ decisionPoints }: PlanBody, id: string): Point => {
  const point = decisionPoints.find((one) => one.id === id)
  if (point === undefined) throw new Error(`the plan does not ask ${id}: ${decisionPoints.map((one) => one.id).join(", ")}`)
  return point
}

/** The decision point about the only position. */
export const positionIn = ({ decisionPoints }: PlanBody): Point => {
  const [point, ...more] = decisionPoints.filter(({ type }) => type === "position")
  if (point === undefined || more.length > 0) throw new Error(`not one position: ${decisionPoints.map((one) => one.id).join(", ")}`)
  return point
}

/** The owner's confirmation of an unlisted destination. */
export const acknowledges = (address: string): Answer => ({ id: `destination:${address}`, choice: "i_control_this_address" })
