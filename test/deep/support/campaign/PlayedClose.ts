import { Effect } from "effect"
import type { Answer, NextBody, Offered, PlanBody } from "../../../close/support/Client.ts"
import { accountOf } from "../../../close/support/LedgerView.ts"
import { Service } from "../../../close/support/Service.ts"
import { signed } from "../../../close/support/Signing.ts"
import type { ErrorBody } from "../../../support/TestService.ts"
import { Places } from "./CampaignService.ts"
import { answerTo, type Caller, openIn } from "./CarefulCaller.ts"
import { lyingTo } from "./Lying.ts"
import type { Stage } from "./Stage.ts"
import type { LieKind, Story } from "./Story.ts"
import { give, isExit, movePrice, springTrap } from "./Strangers.ts"

/** Requests after which a close counts as endless. */
const mostRequests = 24
/** Errors in a row after which the operator removes a lying endpoint, or the close counts as stopped. */
const mostRefusals = 4
/** Most plans with new questions after an answer. */
const mostTurns = 6

/** The end of a close. */
export interface Played {
  readonly end: "merged" | "stopped" | "endless"
  /** The answers of the last transaction. */
  readonly answers: ReadonlyArray<Answer>
  /** The plan that these answers made ready; null: none. */
  readonly plan: PlanBody | null
  /** Stroops of failed transactions' fees. */
  readonly failedFees: bigint
  /** The events, in order. */
  readonly course: ReadonlyArray<string>
}

type Body<A> = A & Partial<ErrorBody>

/** The times of the liar's lies in a story. */
const liesWhen = (during: NonNullable<Story["liar"]>["during"]) => {
  const state = { isBuilding: false, isAway: false }
  const told = new Set<LieKind>()
  const isOn = (kind: LieKind): boolean => {
    if (state.isAway) return false
    if (during === "one answer of each kind") return !told.has(kind) && told.add(kind) !== undefined
    return during === "everything" || (during === "the builds") === state.isBuilding
  }
  return { state, isOn }
}

/** Lets the liar of a story lie about its account during the work. */
const amongLies = <A, E, R>({ liar }: Story, { source }: Stage, isOn: (kind: LieKind) => boolean, work: Effect.Effect<A, E, R>) =>
  liar === null ? work : Effect.flatMap(Places, (places) => {
    const { api, rpc } = places[liar.place]
    const lies = lyingTo(source.publicKey(), liar.about, isOn)
    const apiLies = Effect.acquireRelease(
      Effect.sync(() => {
        api.lie = lies.api
      }),
      () =>
        Effect.sync(() => {
          api.lie = null
        })
    )
    return rpc.lying(lies.rpc, Effect.scoped(Effect.zipRight(apiLies, work)))
  })

/** Plays a story to its end: a careful caller closes the account while strangers give, prices move and an endpoint lies. */
export const played = (story: Story, stage: Stage) => {
  const { isOn, state } = liesWhen(story.liar?.during ?? "everything")
  return amongLies(
    story,
    stage,
    isOn,
    Effect.gen(function*() {
      const { call, on, sandbox } = yield* Service
      const { destination, source } = stage
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const caller: Caller = { ...stage, later: story.later }
      const course: Array<string> = []
      const kept = new Map<string, Answer>()
      let [answers, ready, planHash] = [new Map<string, Answer>(), null as PlanBody | null, null as string | null]
      let [failedFees, spoiled, gifts, refusals] = [0n, 0, 0, 0]

      const ended = (end: Played["end"]): Played => ({ end, answers: [...answers.values()], plan: ready, failedFees, course })
      const passed = sandbox.closeLedger({ advanceSeconds: 5 })

      /** Plans and answers until no question is open; returns the obstacle otherwise. */
      const settled = Effect.gen(function*() {
        answers = new Map(kept)
        for (let turn = 0; turn < mostTurns; turn++) {
          const { body, status } = yield* call<Body<PlanBody>>("POST", "/v1/testnet/close/plan", {
            ...request,
            decisions: [...answers.values()]
          })
          if (status !== 200) return body.error?.code ?? "no answer"
          const open = openIn(caller, body)
          if (open.length === 0) {
            if (body.status !== "ready") return `${body.status} ${body.blockers.map(({ reason }) => reason).join()}`
            ready = body
            planHash = body.planHash
            return null
          }
          for (const point of open) {
            const answer = answerTo(caller, point)
            if (answer === null) return `no answer to ${point.id}`
            answers.set(point.id, answer)
            if (["later", "positions", "tokens"].includes(point.type)) kept.set(point.id, answer)
          }
        }
        return `the questions never end`
      })

      /** Strangers' interference between the build and the ledger; returns the effect that undoes it. */
      const interference = (offer: Offered) =>
        Effect.gen(function*() {
          if (isExit(offer) && spoiled < story.spoiled.times) {
            spoiled++
            return yield* on(movePrice(stage, offer, story.spoiled.permille))
          }
          return stage.trap !== null && offer.covers.includes("HANDLE_TOKENS") ? yield* on(springTrap(stage.trap)) : null
        })

      const lumensNow = Effect.map(accountOf(source), (account) => account?.balance ?? 0n)

      /** Signs and submits the offered transaction, and continues after it. */
      const sent = (offer: Offered, next: NextBody) =>
        Effect.gen(function*() {
          const undo = yield* interference(offer)
          const before = yield* lumensNow
          const { body, status } = yield* call<Body<object>>("POST", "/v1/testnet/submit", { signedXdr: yield* signed(offer, source) })
          course.push(`${offer.covers.join("+")}: ${status === 200 ? "success" : body.error?.code}`)
          if (status === 200) planHash = next.nextPlanHash
          else failedFees += before - (yield* lumensNow)
          if (undo !== null) yield* on(undo)
        })

      /** Waits for a ledger, and continues with a new plan; after several errors without a liar the close stops. */
      const refused = (why: string) =>
        Effect.gen(function*() {
          course.push(`refused: ${why}`)
          refusals++
          if (refusals >= mostRefusals && state.isAway) return true
          if (refusals >= mostRefusals) {
            state.isAway = true
            refusals = 0
          }
          planHash = null
          yield* passed
          return false
        })

      for (let requests = 0; requests < mostRequests; requests++) {
        if ((yield* accountOf(source)) === null) return ended("merged")
        if (planHash === null) {
          const why = yield* settled
          if (why !== null) {
            if (yield* refused(why)) return ended("stopped")
            continue
          }
          state.isBuilding = true
        }
        yield* on(give(stage, story.meanwhile[gifts++] ?? "nothing"))
        yield* passed
        const { body, status } = yield* call<Body<NextBody>>("POST", "/v1/testnet/close/transactions", {
          ...request,
          decisions: [...answers.values()],
          planHash
        })
        const [offer] = status === 200 ? body.transactions : []
        if (offer === undefined) {
          if (
            yield* refused(
              `${body.error?.code ?? body.status} ${JSON.stringify(body.error?.details ?? {}).replaceAll(/[0-9A-Z]{50}/g, "")}`
            )
          ) return ended("stopped")
          continue
        }
        refusals = 0
        yield* sent(offer, body)
        yield* passed
      }
      return ended("endless")
    })
  )
}
