import { briefLumens } from "../client/BriefAmount.ts"
import type { Plan } from "../client/CloseEvent.ts"
import type { Decision } from "../client/Question.ts"
import type { Memo } from "../domain/Memo.ts"
import { call } from "./Calls.ts"
import { close } from "./Closing.ts"
import { confirmation, mediatorIn } from "./Confirmation.ts"
import { coSign } from "./CoSign.ts"
import { at, doing, el, field, goTo, remove, say, section, textIn, textInput } from "./Dom.ts"
import { facts } from "./Facts.ts"
import { takeFragment } from "./Fragment.ts"
import { memoFields, memoIn } from "./MemoFields.ts"
import { planNotes, planPanels } from "./PlanPanels.ts"
import { answersIn, isAnswered, questionFields } from "./Questions.ts"
import { showSignedIn, type SignedIn, signIn } from "./SignIn.ts"

/** Plans that are made until nothing new is suggested. */
const mostPlans = 4

interface Request {
  readonly destination: string
  readonly memo: Memo | null
}

/** The plan with everything that it suggests, and what the person answered. */
const planned = async (
  { session: { source, token } }: SignedIn,
  { destination, memo }: Request,
  answers: ReadonlyMap<string, Decision>
): Promise<Plan> => {
  const suggested = new Map<string, Decision>()
  const ask = () => {
    const decisions = [...new Map([...suggested, ...answers]).values()]
    return call<Plan>("/close/plan", { source, destination, ...(memo === null ? {} : { memo }), decisions }, token)
  }
  let plan = await ask()
  for (let made = 1; made < mostPlans && plan.status !== "complete"; made++) {
    const fresh = plan.suggestedDecisions.filter(({ id }) => !suggested.has(id) && !answers.has(id))
    if (fresh.length === 0) break
    fresh.forEach((one) => suggested.set(one.id, one))
    plan = await ask()
  }
  return { ...plan, suggestedDecisions: [...suggested.values()] }
}

const showConfirmation = (signedIn: SignedIn, request: Request, plan: Plan, answers: ReadonlyMap<string, Decision>): void => {
  const { destination, memo } = request
  const { source } = signedIn.session
  confirmation(
    {
      plan,
      network: signedIn.network,
      source,
      destination,
      memo,
      decisions: [...plan.suggestedDecisions, ...answers.values()],
      isTest: signedIn.destination === destination
    },
    () => close(signedIn, { plan, destination, memo, decisions: [...answers.values()], mediator: mediatorIn(plan, source) })
  )
}

const complete = (plan: Plan): ReadonlyArray<HTMLElement> => [
  el(
    "p",
    {},
    `This account is closed already. ${briefLumens(plan.closed?.receivedLumens ?? "")} arrived at ${
      plan.closed?.paidTo ?? "its destination"
    }.`
  )
]

const showPlan = (signedIn: SignedIn, request: Request, plan: Plan, answers: ReadonlyMap<string, Decision>): void => {
  remove("confirm", "progress", "receipt")
  const questions = questionFields(plan, answers)
  const form = el("form", {}, ...questions, el("button", { class: plan.status === "ready" ? "" : "act" }, "Update the plan"))
  form.addEventListener(
    "submit",
    doing("plan", async () => {
      const said = answersIn(plan)
      showPlan(signedIn, request, await planned(signedIn, request, said), said)
      const isReady = document.getElementById("confirm") !== null
      if (isReady) goTo("confirm")
      say(isReady ? "The plan is up to date. Now confirm." : "The plan is up to date.")
    })
  )
  section(
    "plan",
    "3. The plan",
    ...(plan.status === "complete" ? complete(plan) : [planPanels(plan), ...planNotes(plan)]),
    questions.length === 0 ? null : el("h3", {}, "What only you can decide"),
    questions.length === 0 ? null : form
  )
  if (plan.status === "ready" && isAnswered(plan, answers)) showConfirmation(signedIn, request, plan, answers)
  goTo("plan")
}

const askDestination = (signedIn: SignedIn): void => {
  const form = el(
    "form",
    {},
    ...field(
      "destination",
      "Address that receives the lumens (starts with G or M)",
      textInput({
        class: "mono",
        required: "",
        autocapitalize: "characters",
        ...(signedIn.destination === null ? {} : { value: signedIn.destination })
      }),
      signedIn.destination === null ? null : "Filled in with a second test account."
    ),
    ...memoFields(),
    el("button", { class: "act" }, "Show the plan")
  )
  form.addEventListener(
    "submit",
    doing("where", async () => {
      const request: Request = { destination: textIn("destination").toUpperCase(), memo: memoIn() }
      const none = new Map<string, Decision>()
      showPlan(signedIn, request, await planned(signedIn, request, none), none)
      say("The plan is ready to read.")
    })
  )
  section("where", "2. Where the lumens go", form)
}

/** The page that closes an account. */
export const closePage = (): void => {
  const main = at("main")
  main.append(
    el(
      "div",
      { id: "intro" },
      el(
        "p",
        {},
        "Turn everything an account holds into lumens, send them to another account, and remove it. You sign each step in your own wallet."
      ),
      el("p", { class: "note" }, el("strong", {}, "Never paste a secret seed"), " (it starts with S) here or anywhere else."),
      facts.networks.some(({ name }) => name === "mainnet")
        ? el("p", { class: "danger" }, "This service serves the public network: what you sign there moves real money.")
        : null
    )
  )
  if (facts.state === "unset") {
    main.append(
      el(
        "p",
        { class: "danger" },
        "This page is not set up yet. Who runs the service must set SEP10_SECRET and PUBLIC_URL, so that wallets can tell who asks."
      )
    )
    return
  }
  let bundle: string | null = null
  try {
    bundle = takeFragment("bundle")
  } catch (problem) {
    main.append(el("p", { class: "danger", role: "alert" }, problem instanceof Error ? problem.message : ""))
  }
  if (bundle !== null) return coSign(bundle)
  signIn((signedIn) => {
    remove("hands")
    showSignedIn(signedIn)
    askDestination(signedIn)
    say("Signed in. Now say where the lumens go.")
  })
  main.append(el("p", { class: "quiet noprint", id: "hands" }, "Do you sign for an account with several signers? "))
  at("hands").append(el("a", { href: "#", id: "open-hands" }, "Paste what they sent"), ".")
  at("open-hands").addEventListener("click", (event) => {
    event.preventDefault()
    coSign(null)
  })
}
