import { Effect, Schema } from "effect"
import { lumen, stroops } from "../domain/Amount.ts"
import { Choice, type ChoiceEffect, effectOf, isSale } from "../domain/ChoiceEffect.ts"
import { Decision as DecisionSchema } from "../domain/Decision.ts"
import { amountIn } from "../domain/DecisionAmount.ts"
import type { Plan } from "../domain/Plan.ts"
import { CallbackFailed } from "./ClientFailure.ts"
import type { Decision } from "./Question.ts"

/** A decision with its amounts in base units. */
export type Answer = typeof DecisionSchema.Type

const encodeDecision = Schema.encodeSync(DecisionSchema)

/** What caller and service have agreed on so far. It lives as long as one close, and is changed only here. */
export interface Agreement {
  /** The caller's own, given beforehand. */
  readonly fixed: Map<string, Answer>
  /** What `decide` answered. */
  readonly decided: Map<string, Answer>
  /** Recommended options of the plans that were shown. */
  readonly suggested: Map<string, Answer>
  /** Sales whose floor is the caller's own word, with that floor. */
  readonly confirmed: Map<string, Answer>
  /**
   * Sales as they were agreed, also where newer plans leave them out. A floor that is lowered unasked, because the whole brings what the caller
   * accepts, does not change them.
   */
  readonly sales: Map<string, Answer>
  /** How often each open question was put to the owner since the last transaction. */
  readonly asked: Map<string, number>
}

/** Sales with floors that the caller wrote. */
const ownSales = (known: ReadonlyArray<Answer>, echoed: ReadonlyArray<string>): ReadonlyArray<Answer> =>
  known.filter(({ choice, id, params }) => isSale(choice) && params?.minReceive !== undefined && !echoed.includes(id))

/** An agreement of nothing but what the caller gives. `echoed`: ids of decisions whose params a plan filled in. */
export const agreementOf = (
  decisions: ReadonlyArray<Decision>,
  echoed: ReadonlyArray<string> = []
): Effect.Effect<Agreement, CallbackFailed> =>
  Effect.map(
    Effect.mapError(
      Schema.decodeUnknown(Schema.Array(DecisionSchema))(decisions),
      (cause) => new CallbackFailed({ callback: "decisions", cause })
    ),
    (known) => ({
      fixed: new Map(known.map((one) => [one.id, one])),
      decided: new Map(),
      suggested: new Map(),
      confirmed: new Map(ownSales(known, echoed).map((one) => [one.id, one])),
      sales: new Map(),
      asked: new Map()
    })
  )

/** Everything that requests carry now. */
export const decisionsOf = ({ decided, fixed, suggested }: Agreement): ReadonlyArray<Answer> => [
  ...new Map([...suggested, ...decided, ...fixed]).values()
]

/** The same as it is sent. */
export const sentDecisions = (agreement: Agreement): ReadonlyArray<Decision> => decisionsOf(agreement).map((one) => encodeDecision(one))

/** Whether a choice, as a decision names it, is one of those that points offer. */
export const isChoice = Schema.is(Choice)

/** What came later may be left behind up to a lumen each, even where a plan suggests more. */
export const bounded = (later: Answer): Answer => {
  const most = later.params?.maxLumensEach ?? lumen
  return { ...later, params: { ...later.params, maxLumensEach: stroops(most > lumen ? lumen : most) } }
}

/** What a plan may suggest about something: nothing that loses value, goes to someone, buys, or confirms a fact in the owner's place. */
const suggestable: ReadonlyMap<string, ReadonlyArray<ChoiceEffect>> = new Map([
  ["asset", ["sells"]],
  ["token", ["sells"]],
  ["claim", ["claims"]],
  ["claims", ["claims"]],
  ["position", ["exits"]],
  ["positions", ["exits"]],
  ["pool", ["exits"]],
  ["allowance", ["keeps", "revokes"]],
  ["sponsorship", ["revokes"]]
])

/** What a decision is about: the part of its id before the first colon. */
const kindOf = (id: string): string => id.split(":", 1)[0] ?? ""

/** Slippage in basis points where the caller names none. */
const usualSlippage = 50

/** Whether an option may be taken over from a plan: a sale has a floor, and slippage is no more than the caller allows. */
const isSound = ({ choice, id, params: { maxSlippageBps = 0, minReceive } = {} }: Answer, mostSlippage: number): boolean => {
  if (!isChoice(choice) || maxSlippageBps > mostSlippage) return false
  const isSuggestable = suggestable.get(kindOf(id))?.includes(effectOf(choice)) ?? false
  return isSuggestable && (!isSale(choice) || minReceive !== undefined)
}

/** What a plan suggests, as far as the client takes it over unasked; of what loses, only `later`, which holds for what strangers add. */
export const harmless = (
  { suggestedDecisions }: Pick<Plan, "suggestedDecisions">,
  mostSlippage: number = usualSlippage
): ReadonlyArray<Answer> =>
  suggestedDecisions.flatMap((one) => {
    if (one.id === "later") return one.choice === "leave_what_came_later" ? [bounded(one)] : []
    return isSound(one, mostSlippage) ? [one] : []
  })

/** Whether a sale brings less for what it is made for than another one; less at all, where one does not say what it is made for. */
export const isLower = (now: Answer, before: Answer): boolean => {
  const [floor, agreed] = [now.params?.minReceive, before.params?.minReceive]
  if (floor === undefined || agreed === undefined) return agreed !== undefined
  const [amount, soldBefore] = [amountIn(now.id, now.params?.amount) ?? 0n, amountIn(before.id, before.params?.amount) ?? 0n]
  return amount === 0n || soldBefore === 0n ? floor < agreed : floor * soldBefore < agreed * amount
}

/** Keeps the sales that a plan suggests as agreed, but for those that were lowered unasked. */
export const rememberSales = ({ sales, suggested }: Agreement): void => {
  for (const [id, one] of suggested) {
    const before = sales.get(id)
    if (isSale(one.choice) && (before === undefined || !isLower(one, before))) sales.set(id, one)
  }
}

/** The same agreement without what was lowered unasked. */
export const withoutLowered = (agreement: Agreement): Agreement => {
  const asAgreed = [...agreement.suggested].map(([id, one]): [string, Answer] => {
    const before = agreement.sales.get(id)
    return [id, before !== undefined && isLower(one, before) ? before : one]
  })
  return { ...agreement, suggested: new Map(asAgreed) }
}
