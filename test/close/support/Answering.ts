import type { Answer, PlanBody } from "./Client.ts"

type Point = PlanBody["decisionPoints"][number]

/** Echoes an option of a decision point, with params changed or added where the test sets them. */
export const echo = (point: Point, choice: string, params: NonNullable<Answer["params"]> = {}): Answer => {
  const option = point.options.find(({ id }) => id === choice)
  if (option === undefined) throw new Error(`${point.id} does not offer ${choice}`)
  const all = { ...option.params, ...params }
  return { id: point.id, choice, ...(Object.keys(all).length === 0 ? {} : { params: all }) }
}

/** The option that a client takes without a wish of its own: the recommended one, else the first that needs nothing more. */
export const usualOption = ({ options }: Point): Point["options"][number] | undefined =>
  options.find(({ recommended = false }) => recommended) ?? options.find(({ needs }) => needs.length === 0) ?? options[0]

/** The owner's word for a sale far below the best price, where its option needs that. */
const impactAccepted = ({ options }: Point, choice: string): NonNullable<Answer["params"]> => {
  const { needs = [], quote } = options.find(({ id }) => id === choice) ?? {}
  return quote !== undefined && needs.includes("acceptPriceImpactBps") ? { acceptPriceImpactBps: quote.priceImpactBps } : {}
}

/** Whether a question needs an answer: it is required, or its default would claim against the wish. */
const isAnswered = ({ options, required, type }: Point, wished: ReadonlyArray<string>): boolean =>
  required || (type.startsWith("claim") && options.some(({ id }) => wished.includes(id)))

/** Answers every question that must be answered, with the first of the wished choices that is offered, else as clients usually do. */
export const answersTo = ({ decisionPoints }: PlanBody, ...wished: ReadonlyArray<string>): ReadonlyArray<Answer> =>
  decisionPoints.filter((point) => isAnswered(point, wished)).flatMap((point) => chosenFor(point, ...wished) ?? [])

/** The answer to one question, with the first of the wished choices that is offered, else as clients usually do; null: it offers none. */
export const chosenFor = (point: Point, ...wished: ReadonlyArray<string>): Answer | null => {
  const choice = wished.find((wish) => point.options.some(({ id }) => id === wish)) ?? usualOption(point)?.id
  return choice === undefined ? null : echo(point, choice, impactAccepted(point, choice))
}

/** These answers with this one in place of any other to the same question. */
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

/** The owner's word for a destination in no registry. */
export const acknowledges = (address: string): Answer => ({ id: `destination:${address}`, choice: "i_control_this_address" })
