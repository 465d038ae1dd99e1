import { lumen, parseAmount } from "../../domain/Amount.ts"
import { Choice, type ChoiceEffect, effectOf, losesValue } from "../../domain/ChoiceEffect.ts"
import type { OfferedOption, OfferedPoint } from "../../domain/Decision.ts"
import type { ConfirmationRequired } from "../../domain/failure/Planning.ts"
import type { CloseRequest, Plan } from "../../domain/Plan.ts"
import { shownText } from "../../domain/ShownText.ts"

/** An amount that a choice gives up or sends away, and what to ask the account's owner about it. */
export type Loss = ConfirmationRequired["confirm"][number]

/** The owner's agreement to a loss, as a caller repeats it. */
export type Confirmed = Pick<Loss, "id" | "amount">

/** The amount of a loss that cannot be known: what is not there yet, or cannot be read. */
const unknown = "unknown"

const isChoice = (choice: unknown): choice is Choice => Choice.literals.some((one) => one === choice)

/** Whether an effect needs the agreement of the account's owner to the amount. */
const needsAgreement = (effect: ChoiceEffect): boolean => losesValue(effect) || effect === "moves"

interface Chosen {
  readonly id: string
  readonly choice: string
  readonly effect: ChoiceEffect
  readonly to: string | null
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.entries(value).find(([field]) => field === name)?.[1] : undefined

/** Ledgers of about a day, the time in which a suggested `later` needs no agreement. */
const suggestedLedgers = 17_280

type Request = Pick<CloseRequest, "accept" | "decisions">

const laterChoice: Choice = "leave_what_came_later"

/** The bounds of what a request leaves behind of later gifts. */
interface LaterBounds {
  readonly ledger: unknown
  /** Stroops each; null: no bound. */
  readonly most: bigint | null
}

const boundsIn = (params: unknown): LaterBounds => {
  const most = fieldOf(params, "maxLumensEach")
  return { ledger: fieldOf(params, "ledger"), most: typeof most === "string" ? parseAmount(most) : null }
}

const laterId = "later"

const isLater = (decision: unknown): boolean => fieldOf(decision, "id") === laterId

/** Whether a request leaves later gifts behind. What that gives up depends on the newest ledger. */
export const leavesLater = ({ accept, decisions = [] }: Request): boolean => accept !== undefined || decisions.some(isLater)

/** Whether a plan of the last day suggests such bounds: what strangers added since then, up to one lumen each. */
const isSuggested = ({ ledger, most }: LaterBounds, newest: number): boolean =>
  most !== null && most <= lumen && typeof ledger === "number" && Math.abs(newest - ledger) <= suggestedLedgers

/**
 * What a request chooses that gives something up or sends it away, as of the newest ledger. What it accepts counts as the decision `later`,
 * where it has none. Malformed decisions are left to the planner, which rejects them.
 */
export const losingDecisions = ({ accept, decisions = [] }: Request, newest: number): ReadonlyArray<Chosen> => {
  const chosen = decisions.flatMap((decision): ReadonlyArray<Chosen> => {
    const [id, choice, params] = ["id", "choice", "params"].map((name) => fieldOf(decision, name))
    if (typeof id !== "string" || !isChoice(choice)) return []
    if (choice === laterChoice && isSuggested(boundsIn(params), newest)) return []
    const [effect, to] = [effectOf(choice), fieldOf(params, "destination")]
    return needsAgreement(effect) ? [{ id, choice, effect, to: typeof to === "string" ? to : null }] : []
  })
  return accept === undefined || decisions.some(isLater) ||
      isSuggested({ ledger: accept.ledger, most: accept.maxLumensEach ?? lumen }, newest)
    ? chosen
    : [...chosen, { id: laterId, choice: laterChoice, effect: effectOf(laterChoice), to: null }]
}

/** What an option gives up or sends away: amounts by asset or token. Empty: not known. */
const amountsOf = ({ about }: OfferedPoint, option: OfferedOption | undefined): ReadonlyArray<readonly [what: string, amount: string]> => {
  if (option?.loses !== undefined) return option.loses.map(({ amount, asset, token }) => [asset ?? token ?? unknown, amount])
  if (option?.effect !== "moves") return []
  if (about.kind === "asset") return [[about.asset, about.amount]]
  return about.kind === "token" && about.amount !== null ? [[about.contract, about.amount]] : []
}

const textOf = (amounts: ReturnType<typeof amountsOf>): string =>
  amounts.length === 0 ? unknown : amounts.map(([what, amount]) => `${amount} ${what}`).join(", ")

/** An amount as the owner agrees to it: an amount that is sent away goes to this address alone. */
const agreedText = ({ effect, to }: Pick<Chosen, "effect" | "to">, amount: string): string =>
  effect === "moves" ? `${amount} to ${to ?? unknown}` : amount

const questions: Partial<Record<ChoiceEffect, (amount: string, to: string) => string>> = {
  destroys: (amount) => `Destroy ${amount}? The owner gets nothing for it.`,
  leaves_behind: (amount) => `Leave ${amount} behind for good? It cannot be recovered.`,
  gives_up_rewards: (amount) => `Give up the rewards ${amount} for good?`,
  pays_others: (amount) => `Pay ${amount} to others? It does not come back.`,
  moves: (amount, to) => `Send ${amount} to the address ${to}? Did the owner name that address?`
}

/** The question about a loss. Names that others chose stand in quotes, without control and direction characters. */
const askOf = ({ effect, to }: Pick<Chosen, "effect" | "to">, amount: string): string =>
  questions[effect]?.(amount === unknown ? "an amount that is not known" : JSON.stringify(shownText(amount)), to ?? "of the decision") ?? ""

const lossOf = (point: OfferedPoint | undefined, chosen: Chosen): Loss => {
  const amount = textOf(point === undefined ? [] : amountsOf(point, point.options.find(({ id }) => id === chosen.choice)))
  return { id: chosen.id, choice: chosen.choice, amount: agreedText(chosen, amount), ask: askOf(chosen, amount) }
}

/**
 * Every loss that the options of a plan's decision points offer. What is sent away is not among them: its owner agrees to the address too,
 * which no option names.
 */
export const offeredLosses = ({ decisionPoints }: Pick<Plan, "decisionPoints">): ReadonlyArray<Loss> =>
  decisionPoints.flatMap((point) =>
    point.options.filter(({ effect, id }) => losesValue(effect) && id !== laterChoice).map(({ effect, id: choice }) =>
      lossOf(point, { id: point.id, choice, effect, to: null })
    )
  )

const units = (text: string): bigint | null => {
  const [, whole, fraction = ""] = /^(\d{1,60})(?:\.(\d{1,7}))?$/.exec(text) ?? []
  return whole === undefined ? null : BigInt(whole) * lumen + BigInt(fraction.padEnd(7, "0"))
}

/** The amounts of a text by asset or token, and by the address that they are sent to; null where it is none. */
const parsed = (text: string): ReadonlyMap<string, bigint> | null => {
  const sums = new Map<string, bigint>()
  for (const item of text.split(", ")) {
    const [, amount = "", what = ""] = /^(\S+) (\S+(?: to \S+)?)$/.exec(item) ?? []
    const value = units(amount)
    if (value === null) return null
    sums.set(what, (sums.get(what) ?? 0n) + value)
  }
  return sums
}

/**
 * Whether an agreement covers a loss of now: the same amounts, where each may have changed by one per cent (interest and rewards grow by
 * themselves), and some may be gone, since a close takes several transactions.
 */
const covers = (agreed: string, now: string): boolean => {
  if (agreed === now) return true
  const [before, after] = [parsed(agreed), parsed(now)]
  if (before === null || after === null) return false
  return [...after].every(([what, amount]) => {
    const known = before.get(what)
    if (known === undefined) return false
    const change = amount > known ? amount - known : known - amount
    return change * 100n <= known
  })
}

/**
 * The losses of a request to which the owner has not agreed. A decision that the plan calls unused gives up nothing, and so does any request
 * about an account that is closed.
 */
export const unconfirmed = (
  { decisionPoints, snapshot, status, unusedDecisions }: Pick<Plan, "decisionPoints" | "snapshot" | "status" | "unusedDecisions">,
  request: Request,
  confirm: ReadonlyArray<Confirmed>
): ReadonlyArray<Loss> => {
  if (status === "complete") return []
  return losingDecisions(request, snapshot.ledger)
    .filter(({ id }) => !unusedDecisions.includes(id))
    .map((one) => lossOf(decisionPoints.find(({ id }) => id === one.id), one))
    .filter((loss) => !confirm.some(({ amount, id }) => id === loss.id && covers(amount, loss.amount)))
}
