import { Array as Arr } from "effect"
import type { AccountState } from "../domain/Account.ts"
import type { Plan } from "../domain/Plan.ts"
import { mostDust } from "../domain/Position.ts"
import { isOutside } from "../domain/ProtocolName.ts"
import { type Agreement, decisionsOf } from "./Agreement.ts"

type Row = AccountState["defiPositions"]["positions"][number]

/** What a row holds beside rewards, in base units; null where it may be a debt, or units of which a few are worth something. */
const unitsIn = (row: Row): ReadonlyArray<string> | null => {
  if (row.positionType === "cdp" || row.positionType === "borrow" || isOutside(row.protocol)) return null
  if (row.positionType === "supply") return [row.bTokenAmount]
  if (row.positionType === "lp") return [row.shareAmount]
  if (row.positionType === "stake") return [row.stakedAmount]
  return "holds" in row ? row.holds.map(({ amount }) => amount) : null
}

const isDust = (row: Row): boolean => unitsIn(row)?.every((units) => BigInt(units) <= mostDust) ?? false

/** Positions of so few shares that a pool may pay nothing for them, or with nothing but rewards, by id. */
export const dustIn = (rows: ReadonlyArray<Row>): ReadonlySet<string> =>
  new Set(Object.entries(Arr.groupBy(rows, ({ positionId }) => positionId)).flatMap(([id, same]) => (same.every(isDust) ? [id] : [])))

const codes: ReadonlySet<string> = new Set(["position_too_small", "rewards_too_small"])

/** Whether a warning says that a position is worth too little: it names the position, or its protocol where that has many. */
export const warnedOf = (warnings: Plan["warnings"]): (id: string) => boolean => {
  const subjects = new Set(
    warnings.flatMap(({ code, subject }) => (code !== undefined && subject !== undefined && codes.has(code) ? [subject] : []))
  )
  return (id) => subjects.has(id) || subjects.has(id.split(":", 2)[1] ?? "")
}

/**
 * Ids of dust that a merge may leave behind without a decision: a warning of the plan says that it is worth too little, or its owner declined
 * its rewards. A stranger can send such shares, and an exited position keeps what little it earned since.
 */
export const tooSmall = (warnings: Plan["warnings"], agreement: Agreement, dust: ReadonlySet<string>): ReadonlySet<string> => {
  const isWarnedOf = warnedOf(warnings)
  const declined = new Set(decisionsOf(agreement).flatMap(({ choice, id }) => (choice === "exit_without_rewards" ? [id] : [])))
  return new Set([...dust].filter((id) => isWarnedOf(id) || declined.has(id)))
}
