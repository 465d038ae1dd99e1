import { assert } from "@effect/vitest"
import { TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect, type Schema } from "effect"
import type { PlanBlocker } from "../../../../src/domain/Blocker.ts"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import type { Answer, NextBody, Offered, PlanBody } from "../../../close/support/Client.ts"
import { accountOf } from "../../../close/support/LedgerView.ts"
import { Service } from "../../../close/support/Service.ts"
import { decoded } from "../../../close/support/Signing.ts"
import type { ErrorBody } from "../../../support/TestService.ts"
import { assertHonest } from "./PositionsEnvelope.ts"
import type { PositionsScene } from "./PositionsScene.ts"
import type { PositionsShape } from "./PositionsShape.ts"
import { isAboutTokens, tokenChooser } from "./TokenChoices.ts"

/** Most calls for the next transaction in the longest close. */
const MOST_CALLS = 60
/** Most answers to one question. */
const MOST_TURNS = 12

type Blocker = Schema.Schema.Encoded<typeof PlanBlocker>

/** A successful transaction, with the plan before it and the ledger of its build. */
export interface Taken {
  readonly plan: PlanBody
  readonly offer: Offered
  readonly remaining: NextBody["remaining"]
  readonly before: LedgerState
  readonly after: LedgerState
  /** The answers of the build. */
  readonly answers: ReadonlyMap<string, Answer>
}

/** The progress of a client. */
export type Pursued =
  | { readonly kind: "closed"; readonly taken: ReadonlyArray<Taken>; readonly answers: ReadonlyMap<string, Answer> }
  | {
    readonly kind: "blocked"
    readonly taken: ReadonlyArray<Taken>
    readonly answers: ReadonlyMap<string, Answer>
    readonly plan: PlanBody
    readonly blockers: ReadonlyArray<Blocker>
    /** The error code for the next transaction, and its figures. */
    readonly refusal: ErrorBody["error"]
  }

/** Chooses among the options: mostly one that exits a position whole, sometimes any other. */
const chosen = (point: PlanBody["decisionPoints"][number], wish: number, { lender }: PositionsScene): Answer | null => {
  const whole = point.options.filter(({ id, params }) => id !== "buy_repay_asset_then_exit" || params !== undefined)
  const bought = whole.find(({ id }) => id === "buy_repay_asset_then_exit")
  const keeps = whole.filter(({ id }) => id !== "acknowledge_forfeit")
  const usual = point.type === "position" && wish < 70 ? bought ?? whole[0] : undefined
  const options = (wish < 94 ? keeps : whole).filter(({ id, params }) => id !== "convert_to_native" || params !== undefined)
  const option = usual ?? options[wish % Math.max(1, options.length)] ?? whole[0]
  if (option === undefined) return null
  const params = { ...option.params, ...(option.id === "transfer_to_account" ? { destination: lender.publicKey() } : {}) }
  return { id: point.id, choice: option.id, ...(Object.keys(params).length === 0 ? {} : { params }) }
}

/** An answer that does not fit, by its place: `decisions[2]`. */
interface Misfit {
  readonly path: string
  readonly message: string
}

/** A client that follows only the documented loop. */
export const positionsClient = (scene: PositionsScene, shape: PositionsShape) =>
  Effect.gen(function*() {
    const { call, passphrase, sandbox } = yield* Service
    const { destination, patron, signers, source } = scene
    const request = {
      source: source.publicKey(),
      destination: destination.publicKey(),
      feePayer: shape.bump ? "fee_bump" : "source"
    } as const
    const answers = new Map<string, Answer>()
    const chooseToken = tokenChooser(scene, shape.tokens.together)
    let questions = 0

    const wish = (): number => shape.wishes[questions++ % shape.wishes.length] ?? 0

    const say = (point: PlanBody["decisionPoints"][number], turn: number): boolean => {
      const answer = isAboutTokens(point) ? chooseToken(point) : chosen(point, turn > 6 ? 0 : wish(), scene)
      if (answer === null) return false
      answers.set(point.id, answer)
      return true
    }

    /** The plan with all answers that are still offered: a position that can be exited by now is not given up. */
    const planned: Effect.Effect<PlanBody, never, Service> = Effect.gen(function*() {
      const said = [...answers.values()]
      const { body, status } = yield* call<PlanBody & Partial<ErrorBody>>("POST", "/v1/testnet/close/plan", { ...request, decisions: said })
      const issues = (body.error?.details?.["issues"] ?? []) as ReadonlyArray<Misfit>
      const outdated = issues.flatMap(({ message, path }) => {
        const place = / is not an option of this point now: there is another way/.test(message)
          ? /^decisions\[(\d+)\]$/.exec(path)?.[1]
          : undefined
        return said[Number(place)]?.id ?? []
      })
      assert.isTrue(status === 200 || outdated.length > 0, JSON.stringify(body))
      for (const id of outdated) answers.delete(id)
      return status === 200 ? body : yield* planned
    })

    /** Plans and answers until no question is open. */
    const settled = Effect.gen(function*() {
      for (let turn = 0; turn < MOST_TURNS; turn++) {
        const asked = yield* planned
        const open = asked.decisionPoints.filter(({ answered, required }) => required && !answered)
        const own = asked.decisionPoints.filter(({ id, required }) => !required && !answers.has(id))
        // The purchase of a shortage is offered only then.
        const short = asked.decisionPoints.filter(({ id, options }) =>
          answers.get(id)?.choice === "exit" &&
          options.some(({ id: choice, params }) => choice === "buy_repay_asset_then_exit" && params !== undefined)
        )
        const said = [...open, ...own, ...short].filter((point) => say(point, turn))
        if (said.length === 0) return asked
      }
      return assert.fail(`the questions never end: ${JSON.stringify([...answers.values()])}`)
    })

    const wrapped = (offer: Offered) =>
      Effect.map(decoded(offer), (transaction) => {
        // An envelope inside a fee bump must not carry an extra signature.
        transaction.sign(...(shape.bump ? signers.slice(0, 2) : signers))
        if (!shape.bump) return transaction.toXdr()
        const bump = TransactionBuilder.buildFeeBumpTransaction(patron, "500", transaction, passphrase)
        bump.sign(patron)
        return bump.toXdr()
      })

    const taken: Array<Taken> = []

    /** Continues until the account is gone, or has a blocker. */
    const pursue: Effect.Effect<Pursued, never, Service> = Effect.gen(function*() {
      for (let calls = 0; calls < MOST_CALLS; calls++) {
        if ((yield* accountOf(source)) === null) return { kind: "closed", taken, answers }
        const asked = yield* settled
        const before = (yield* sandbox.snapshot).state
        const { body, status } = yield* call<NextBody & ErrorBody>("POST", "/v1/testnet/close/transactions", {
          ...request,
          decisions: [...answers.values()],
          planHash: asked.planHash
        })
        const told = `${JSON.stringify(body)} after ${JSON.stringify(asked)} with ${JSON.stringify([...answers.values()])}`
        if (asked.blockers.length > 0) {
          assert.isAtLeast(status, 400, `a blocked close was built: ${told}`)
          return { kind: "blocked", taken, answers, plan: asked, blockers: asked.blockers, refusal: body.error }
        }
        if (body.error?.code === "position_cooling_down") {
          const unlocksAt = Date.parse(String(body.error.details?.["unlocksAt"])) / 1_000
          const wait = unlocksAt - Number(before.header.closeTime)
          assert.isAbove(wait, 0, told)
          assert.isNotNull(asked.estimate.waitUntil, told)
          yield* sandbox.closeLedger({ advanceSeconds: wait })
          yield* sandbox.closeLedger({ advanceSeconds: 5 })
          continue
        }
        assert.strictEqual(status, 200, told)
        const [offer, ...more] = body.transactions
        if (offer === undefined || more.length > 0) return assert.fail(`not one transaction: ${told}`)
        yield* assertHonest(offer, scene)
        const { body: submitted, status: went } = yield* call<ErrorBody>("POST", "/v1/testnet/submit", { signedXdr: yield* wrapped(offer) })
        assert.strictEqual(went, 200, `${JSON.stringify(submitted)} for ${JSON.stringify(offer.intent)} ${told}`)
        const after = (yield* sandbox.snapshot).state
        taken.push({ plan: asked, offer, remaining: body.remaining, before, after, answers: new Map(answers) })
        yield* sandbox.closeLedger({ advanceSeconds: 5 })
      }
      return assert.fail(`the close never ends: ${JSON.stringify(taken.map(({ offer }) => offer.intent.summary))}`)
    })
    return { pursue }
  })
