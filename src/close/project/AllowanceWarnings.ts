import type { AccountAddress } from "../../domain/Address.ts"
import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import { type Allowance, allowanceIn, isNothing } from "../model/AllowanceLeft.ts"
import type { Exits } from "../model/Exits.ts"

/** Allowances that the calls of a close meet and do not use up. */
const metBy = ({ planned }: Pick<Exits, "planned">, user: AccountAddress): ReadonlyArray<Allowance> =>
  planned.flatMap(({ simulation }) => (simulation?._tag === "Ready" ? simulation.changes : []).flatMap(({ after }) => {
    const allowance = allowanceIn(after, user)
    return allowance === null || isNothing(allowance) ? [] : [allowance]
  }))

/** Allowances that outlive the merge: whoever holds one may take from the account if it is ever created again. */
export const allowanceWarnings = (exits: Exits, user: AccountAddress): ReadonlyArray<PlanBlocker> => {
  const all = new Map([...exits.allowances, ...metBy(exits, user)].map((one) => [`allowance:${one.token}:${one.spender}`, one]))
  return [...all].map(([subject, { amount, spender, token }]) =>
    warning("allowance_live", `${spender} may take ${amount === null ? "an amount that cannot be made out" : `${amount} base units`} of ${token} from the account; that outlives the merge and revives if the account is ever created again.`, subject))
}
