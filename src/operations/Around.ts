import type * as xdr from "@stellar/stellar-sdk/xdr"
import type { IntentOperation } from "../domain/Intent.ts"
import type { Decided } from "./Decided.ts"
import type { Expected } from "./Expected.ts"
import type { Violation } from "./Violation.ts"

/** A rule that an operation breaks, and how. */
export type Breach = Omit<Violation, "operation">

/** What an operation is compared with: what its caller expects, and the transaction around it. */
export interface Around {
  readonly expected: Expected
  readonly decided: Decided
  /** All operations of the transaction; null in the place of one that a close never has. */
  readonly operations: ReadonlyArray<IntentOperation | null>
  /** The place of the operation among them. */
  readonly index: number
  readonly body: xdr.OperationBody
  /** Stroops that the transaction may cost. */
  readonly fee: bigint
}

export const breach = (rule: Violation["rule"], message: string): ReadonlyArray<Breach> => [{ rule, message }]

/** The first of some checks that is broken, alone: what follows from it says nothing new. */
export const firstBreach = (
  ...checks: ReadonlyArray<readonly [isBroken: boolean, rule: Violation["rule"], message: string]>
): ReadonlyArray<Breach> => {
  const [found] = checks.filter(([isBroken]) => isBroken)
  return found === undefined ? [] : breach(found[1], found[2])
}
