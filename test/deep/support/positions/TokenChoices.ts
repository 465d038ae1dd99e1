import type { Answer, PlanBody } from "../../../close/support/Client.ts"
import type { PositionsScene } from "./PositionsScene.ts"

type Point = PlanBody["decisionPoints"][number]

/** How often one choice is given to one question before another is tried: once as offered, once more with what it then asks for. */
const MOST_TRIES = 2

const about = (types: ReadonlyArray<string>) => ({ type }: Pick<Point, "type">): boolean => types.includes(type)

/** Whether a question is about contract tokens or allowances. */
export const isAboutTokens = about(["token", "tokens", "allowance"])

/**
 * Chooses among what is offered about tokens and allowances by what was drawn of each. What was chosen and cannot be done is tried once
 * more with what the plan then says it takes, and given up for something else after that; in the end the token is left behind by name.
 */
export const tokenChooser = ({ destination, lender, tokens: { allowances, held } }: PositionsScene, together: boolean) => {
  const given: Array<string> = []
  const seen = new Map<string, number>()

  const wishFor = (id: string): number => {
    const turn = seen.get(id) ?? 0
    seen.set(id, turn + 1)
    const { wishes } = held.find(({ contract }) => id === `token:${contract}`)?.shape ?? {}
    return wishes?.[turn % wishes.length] ?? allowances.find((one) => one.id === id)?.shape.wish ?? 0
  }

  const optionFor = (point: Point, wish: number): Point["options"][number] | undefined => {
    const tried = (choice: string): number => given.filter((one) => one === `${point.id} ${choice}`).length
    const open = point.options.filter(({ id, params }) => tried(id) < MOST_TRIES && (id !== "convert_to_native" || params !== undefined))
    const wanted = ((): string => {
      if (point.type === "allowance") return wish < 70 ? "revoke" : "keep"
      if (wish < 50) return "convert_to_native"
      return wish < 80 ? "transfer_to_account" : "acknowledge_residue"
    })()
    return open.find(({ id }) => id === wanted) ?? open[0] ?? point.options.at(-1)
  }

  /** Null: nothing is said yet. */
  return (point: Point): Answer | null => {
    if (point.type === "tokens" && !point.required && !together) return null
    const wish = wishFor(point.id)
    const option = optionFor(point, wish)
    if (option === undefined) return null
    given.push(`${point.id} ${option.id}`)
    const to = option.id === "transfer_to_account" ? { destination: (wish % 2 === 0 ? destination : lender).publicKey() } : {}
    const params = { ...option.params, ...to }
    return { id: point.id, choice: option.id, ...(Object.keys(params).length === 0 ? {} : { params }) }
  }
}
