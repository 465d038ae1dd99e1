import type { Answer, PlanBody } from "../../../close/support/Client.ts"
import type { Stage } from "./Stage.ts"

type Point = PlanBody["decisionPoints"][number]
type Option = Point["options"][number]

/** The fields of a point that an answer depends on. */
export type Choosable = Pick<Point, "id" | "type" | "options">

/** Choices that keep the value of a holding, the best first. */
const keeping = [
  "i_control_this_address",
  "convert_to_native",
  "convert_through_contracts",
  "exit",
  "claim",
  "add_trustline_then_claim",
  "transfer_to_account",
  "keep"
]

/** Choices that leave a holding behind. */
const leaving = ["acknowledge_forfeit", "acknowledge_residue", "forfeit", "leave_what_came_later"]

/** A caller's knowledge beside the plans: the owner's things, and the owner's wishes. */
export interface Caller extends Pick<Stage, "destination" | "things"> {
  readonly later: boolean
}

const isOwn = ({ things }: Caller, id: string): boolean => things.some((one) => one.isOwn && one.id === id)

const isLeft = (caller: Caller, { id, type }: Choosable): boolean =>
  ["positions", "tokens", "claims", "later"].includes(type) || ((type === "position" || type === "token") && !isOwn(caller, id))

const chosen = (caller: Caller, point: Choosable): Option | undefined => {
  const options = point.options.filter(({ needs }) => needs.every((param) => param === "destination"))
  const byName = (names: ReadonlyArray<string>) => names.flatMap((name) => options.filter(({ id }) => id === name))[0]
  if (isLeft(caller, point)) return byName(leaving) ?? byName(keeping)
  return options.find(({ recommended }) => recommended === true) ?? byName(keeping)
}

/** The answer of a careful owner, as offered; null: no option is acceptable. */
export const answerTo = (caller: Caller, point: Choosable): Answer | null => {
  const option = chosen(caller, point)
  if (option === undefined) return null
  const to = option.id === "transfer_to_account" ? { destination: caller.destination.publicKey() } : {}
  const params = { ...option.params, ...to }
  return { id: point.id, choice: option.id, ...(Object.keys(params).length === 0 ? {} : { params }) }
}

/** The points that a careful owner answers: open required ones, and `later` where the owner wants that. */
export const openIn = ({ later }: Caller, { decisionPoints }: PlanBody): ReadonlyArray<Point> =>
  decisionPoints.filter(({ answered, required, type }) => !answered && (required || (later && type === "later")))
