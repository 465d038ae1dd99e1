import type { Answer, PlanBody } from "../../../close/support/Client.ts"
import type { PositionsScene } from "./PositionsScene.ts"

type Point = PlanBody["decisionPoints"][number]

/** Most uses of one choice for one question: once as offered, once more with the parameters that the plan then requires. */
const MOST_TRIES = 2

const about = (types: ReadonlyArray<string>) => ({ type }: Pick<Point, "type">): boolean => types.includes(type)

/** Whether a question is about contract tokens or allowances. */
export const isAboutTokens = about(["token", "tokens", "allowance"])

/**
 * Chooses among the options for tokens and allowances by the draw of each. A choice that fails gets one more try with the parameters of the
 * new plan. Then another option follows; in the end the token is left behind by name.
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

  /** Null: no answer yet. */
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
