import { brief, briefLumens } from "../client/BriefAmount.ts"
import { choiceName } from "../client/ChoiceName.ts"
import type { Plan } from "../client/CloseEvent.ts"
import { type Decision, type DecisionPoint, neededOf } from "../client/Question.ts"
import { el, field, Problem, textIn, textInput } from "./Dom.ts"
import { shownValue } from "./PlanPanels.ts"

type Option = DecisionPoint["options"][number]

/** What an option brings or costs, in words. */
const priceOf = ({ params, quote }: Option): string | null => {
  if (quote === undefined) return null
  const floor = params?.minReceive === undefined ? "" : `, at least ${brief(params.minReceive)}`
  return `Brings ${briefLumens(quote.receive)} now${floor}. Price impact ${quote.priceImpactBps / 100} %.`
}

const losesOf = ({ loses }: Option): string | null => {
  if (loses === undefined) return null
  return loses.length === 0 ? "You give up what cannot be known yet." : `You give up ${loses.map(shownValue).join(", ")}.`
}

const neededNames: Readonly<Record<string, string>> = {
  destination: "Address that receives it (G... or M...)",
  minReceive: "Least lumens that it must bring",
  newSponsor: "Account that takes over (G...)"
}

/** The field of a param that the person must give. */
const needId = (question: number, option: number, need: string): string => `need-${question}-${option}-${need}`

const optionRow = (question: number, index: number, option: Option, isChosen: boolean): HTMLElement => {
  const input = el("input", { type: "radio", name: `question-${question}`, value: String(index), ...(isChosen ? { checked: "" } : {}) })
  const loses = losesOf(option)
  const price = priceOf(option)
  return el(
    "div",
    {},
    el(
      "label",
      { class: "choice" },
      input,
      el("b", {}, `${choiceName(option.id)}${option.recommended === true ? " (recommended)" : ""}`),
      price === null ? null : el("small", {}, price),
      loses === null ? null : el("small", { class: "loses" }, loses),
      option.note === undefined ? null : el("small", {}, option.note)
    ),
    ...neededOf(option).map((need) =>
      el("div", { class: "need" }, ...field(needId(question, index, need), neededNames[need] ?? need, textInput({ class: "mono" })))
    )
  )
}

/** The options of a question, to be read only. */
export const optionsOf = ({ options }: DecisionPoint): ReadonlyArray<HTMLElement> =>
  options.map((option) =>
    el(
      "p",
      {},
      el("span", { class: "amount" }, `${choiceName(option.id)}${option.recommended === true ? " (recommended)" : ""}`),
      ...[priceOf(option), losesOf(option), option.note ?? null].flatMap((line) => (line === null ? [] : [el("br"), line]))
    )
  )

/** Questions that a person is shown: what strangers may add later is answered by the client itself. */
export const questionsIn = ({ decisionPoints }: Plan): ReadonlyArray<DecisionPoint> =>
  decisionPoints.filter(({ id, options }) => id !== "later" && options.length > 0)

/** The option that stands chosen: what was answered, else what the plan suggests, else what holds without an answer. */
const chosenOf = (point: DecisionPoint, plan: Plan, answers: ReadonlyMap<string, Decision>): number => {
  const said = answers.get(point.id) ?? plan.suggestedDecisions.find(({ id }) => id === point.id)
  const choice = said?.choice ?? point.default
  return point.options.findIndex(({ id }) => id === choice)
}

const fieldsetOf = (point: DecisionPoint, index: number, chosen: number): HTMLElement =>
  el("fieldset", {}, el("legend", {}, point.subject), ...point.options.map((option, at) => optionRow(index, at, option, at === chosen)))

/** The questions of a plan, those that only the person can answer first. */
export const questionFields = (plan: Plan, answers: ReadonlyMap<string, Decision>): ReadonlyArray<HTMLElement> => {
  const all = questionsIn(plan).map((point, index) => ({ point, index, chosen: chosenOf(point, plan, answers) }))
  const shown = ({ chosen, index, point }: (typeof all)[number]) => fieldsetOf(point, index, chosen)
  const isOpen = ({ chosen, point }: (typeof all)[number]) => chosen === -1 || point.type === "destination" || answers.has(point.id)
  const others = all.filter((one) => !isOpen(one))
  return [
    ...all.filter(isOpen).map(shown),
    ...(others.length === 0
      ? []
      : [el("details", {}, el("summary", {}, `Answered as recommended (${others.length}): look or change`), ...others.map(shown))])
  ]
}

const decisionOf = (point: DecisionPoint, question: number, at: number): Decision => {
  const option = point.options[at]
  if (option === undefined) throw new Error("the page has no such option")
  const given = neededOf(option).map((need) => {
    const id = needId(question, at, need)
    const text = textIn(id)
    if (text === "") throw new Problem("Fill this in, or choose another answer.", id)
    return [need, text] as const
  })
  const params = { ...option.params, ...Object.fromEntries(given) }
  return {
    id: point.id,
    choice: option.id,
    ...(Object.keys(params).length === 0 ? {} : { params: params as NonNullable<Decision["params"]> })
  }
}

/** What the person answers beside what the plan suggests; every required question must have an answer. */
export const answersIn = (plan: Plan): ReadonlyMap<string, Decision> => {
  const said = new Map<string, Decision>()
  for (const [index, point] of questionsIn(plan).entries()) {
    const checked = document.querySelector<HTMLInputElement>(`input[name=question-${index}]:checked`)
    if (checked === null) {
      if (point.required) throw new Problem(`Answer the question: ${point.subject}`)
      continue
    }
    const decision = decisionOf(point, index, Number(checked.value))
    const isSuggested = plan.suggestedDecisions.some(({ choice, id }) => id === point.id && choice === decision.choice)
    if (!isSuggested && decision.choice !== point.default) said.set(point.id, decision)
  }
  return said
}

/** Whether everything that must be answered is, by the person or by what the plan suggests. */
export const isAnswered = (plan: Plan, answers: ReadonlyMap<string, Decision>): boolean =>
  plan.decisionPoints.every(({ answered, id, required }) =>
    !required || answered || answers.has(id) || plan.suggestedDecisions.some((one) => one.id === id)
  )

/** What a question is about selling, with its amount. */
const soldIn = ({ about, subject }: DecisionPoint): string =>
  about.kind === "asset" ? `${brief(about.amount)} ${about.asset.split(":")[0] ?? about.asset}` : subject

/** Sales that were agreed and move the market, in words. */
export const impactsIn = (plan: Plan, decisions: ReadonlyArray<Decision>): ReadonlyArray<string> =>
  decisions.flatMap(({ choice, id }) => {
    const point = plan.decisionPoints.find((one) => one.id === id)
    const quote = point?.options.find((option) => option.id === choice)?.quote
    return point === undefined || quote === undefined || quote.priceImpactBps <= 300
      ? []
      : [`${soldIn(point)} for ${briefLumens(quote.receive)}, ${quote.priceImpactBps / 100} % below the best price.`]
  })
