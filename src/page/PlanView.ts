import { Either, Schema } from "effect"
import { Plan } from "../domain/Plan.ts"
import { at, doing, el, field, goTo, Problem, remove, section, textIn } from "./Dom.ts"
import { takeFragment } from "./Fragment.ts"
import { planNotes, planPanels } from "./PlanPanels.ts"
import { optionsOf, questionsIn } from "./Questions.ts"

const decode = Schema.decodeUnknownEither(Schema.parseJson(Plan))
const encode = Schema.encodeSync(Plan)

const draw = (text: string): void => {
  const read = decode(text)
  if (Either.isLeft(read)) throw new Problem("This is no plan: paste the whole answer of POST /v1/{network}/close/plan.", "plan-text")
  const plan = encode(read.right)
  remove("plan")
  const questions = questionsIn(plan)
  section(
    "plan",
    `The plan is ${plan.status.replaceAll("_", " ")}`,
    planPanels(plan),
    ...planNotes(plan),
    questions.length === 0 ? null : el("h3", {}, "What only the owner can decide"),
    ...questions.map((point) =>
      el("fieldset", {}, el("legend", {}, `${point.subject}${point.answered ? " (answered)" : ""}`), ...optionsOf(point))
    ),
    el("p", { class: "quiet" }, "Ledger ", String(plan.snapshot.ledger), ", plan ", el("span", { class: "hash" }, plan.planHash))
  )
  goTo("plan")
}

/** The page that draws a plan. It asks the service nothing. */
export const planView = (): void => {
  at("main").append(el("p", { id: "intro" }, "Draws a plan that you paste, or that came with the link. It stays in this page."))
  const form = el(
    "form",
    {},
    ...field("plan-text", "Plan, as JSON", el("textarea", { required: "", spellcheck: "false" })),
    el("button", { class: "act" }, "Draw it")
  )
  form.addEventListener("submit", doing("paste", () => draw(textIn("plan-text"))))
  section("paste", "Paste a plan", form)
  void doing("paste", () => {
    const given = takeFragment("plan")
    if (given !== null) draw(given)
  })()
}
