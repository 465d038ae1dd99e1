import type { Plan } from "../domain/Plan.ts"
import type { AccountView } from "./AccountView.ts"
import { type Agreement, decisionsOf } from "./Agreement.ts"

const codes: ReadonlySet<string> = new Set(["position_too_small", "rewards_too_small"])

/**
 * Ids of dust that a merge may leave behind without a decision: a warning of the plan says that it is worth too little, or its owner declined
 * its rewards. A stranger can send such shares, and a position that was left keeps what little it earned since.
 */
export const tooSmall = (warnings: Plan["warnings"], agreement: Agreement, { dust }: Pick<AccountView, "dust">): ReadonlySet<string> => {
  // Of many positions of a protocol one warning tells, which names the protocol.
  const subjects = new Set(warnings.flatMap(({ code, subject }) => (code !== undefined && codes.has(code) ? [subject ?? ""] : [])))
  const declined = new Set(decisionsOf(agreement).flatMap(({ choice, id }) => (choice === "exit_without_rewards" ? [id] : [])))
  const isLeft = (id: string): boolean => subjects.has(id) || subjects.has(id.split(":", 2)[1] ?? "") || declined.has(id)
  return new Set([...dust].filter(isLeft))
}
