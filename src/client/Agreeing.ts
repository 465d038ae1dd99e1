import type { HttpClient } from "@effect/platform"
import { Effect, Schema } from "effect"
import { BelowAcceptedMinimum, NeedsDecisions, PlanBlocked } from "../domain/failure/Planning.ts"
import { Plan } from "../domain/Plan.ts"
import { type Agreement, harmless, rememberSales, sentDecisions } from "./Agreement.ts"
import { askOpen, takeSuggestion } from "./Asking.ts"
import type { CloseFailure } from "./ClientFailure.ts"
import { Closing } from "./Closing.ts"
import { unnamedMediator } from "./NextActions.ts"
import { called, Service } from "./ServiceClient.ts"

const encodePlan = Schema.encodeSync(Plan)

/** Plans that are made until nothing is open: answers may raise further questions. */
const mostPlans = 10

const blockedBy = ({ blockers, decisionPoints }: Plan) =>
  blockers.length > 0
    ? new PlanBlocked({ blockers })
    : new NeedsDecisions({ missing: decisionPoints.filter(({ answered, required }) => required && !answered).map(({ id }) => id) })

/** How often one question is put between two transactions: a source that lies must not have the owner asked the same without end. */
const mostAsked = 3

/** Puts a question, unless the owner's answers to it were not taken so often that another one would not be either. */
const askAgain = (agreement: Agreement, point: Plan["decisionPoints"][number]) =>
  Effect.gen(function*() {
    const times = agreement.asked.get(point.id) ?? 0
    if (times >= mostAsked) return yield* new NeedsDecisions({ missing: [point.id] })
    agreement.asked.set(point.id, times + 1)
    yield* askOpen(agreement, point)
  })

/** A plan, and what is still to be said about it. */
const asked = (agreement: Agreement) =>
  Effect.gen(function*() {
    const { request, retrying, settings: { maxSlippageBps, network } } = yield* Closing
    const { close } = yield* Service
    const payload = { ...request, decisions: sentDecisions(agreement) }
    const plan = yield* retrying(called(close.plan({ path: { network }, payload })))
    const isClosed = plan.status === "complete"
    const fresh = isClosed ? [] : harmless(plan, maxSlippageBps).filter(({ id }) => !agreement.fixed.has(id) && !agreement.decided.has(id))
    const suggested = new Set(fresh.map(({ id }) => id))
    const open = isClosed
      ? []
      : plan.decisionPoints.filter(({ answered, id, required }) => required && !answered && !suggested.has(id))
    // What is taken over changes nothing but `later`.
    return { plan, fresh, open, isFinal: open.length === 0 && fresh.every(({ id }) => id === "later") }
  })

/** A plan that is to be carried out, if it is one. */
const settled = (plan: Plan): Effect.Effect<Plan, CloseFailure, Closing> =>
  Effect.gen(function*() {
    const { settings: { accept, mediator } } = yield* Closing
    if (plan.status === "complete") return plan
    if (plan.status !== "ready") return yield* blockedBy(plan)
    if (mediator === undefined && plan.transactions.some(({ reason }) => reason === "mediator")) return yield* unnamedMediator()
    const least = plan.estimate.minReceivedLumens
    if (accept !== null && least !== null && least < accept) {
      return yield* new BelowAcceptedMinimum({ accepted: accept, current: least })
    }
    return plan
  })

/** Plans and answers until the plan is ready or complete. What was agreed before is never replaced by less, unless the owner says so. */
export const agree = (
  agreement: Agreement
): Effect.Effect<Plan, CloseFailure, Closing | Service | HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const { emit } = yield* Closing
    agreement.suggested.clear()
    for (let made = 0; made < mostPlans; made++) {
      const { fresh, isFinal, open, plan } = yield* asked(agreement)
      for (const one of fresh) yield* takeSuggestion(agreement, plan, one)
      yield* emit({ _tag: "planned", plan: encodePlan(plan), decisions: sentDecisions(agreement), final: isFinal })
      // What no answer lifts is reported before the first question.
      if (isFinal || plan.status === "blocked") {
        rememberSales(agreement)
        return yield* settled(plan)
      }
      for (const point of open) yield* askAgain(agreement, point)
    }
    return yield* new NeedsDecisions({ missing: [] })
  })
