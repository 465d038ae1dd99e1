import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { EntryAnswer } from "../../chain/EntryAnswer.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { inTurns, type Stoppable } from "../../chain/pace/Turns.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { allowanceKeysOf, storedAllowance } from "../../stellar/AllowanceKeys.ts"
import type { Approval } from "../Approval.ts"

/** What the ledger has of an allowance. */
export type AllowanceEntry =
  /** Base units, more than nothing, until a ledger that is not past. */
  | { readonly _tag: "Live"; readonly amount: bigint; readonly until: number }
  /** It is used up, revoked or over. */
  | { readonly _tag: "Over" }
  /** What it says cannot be made out. */
  | { readonly _tag: "Odd"; readonly amount: bigint | null }
  /** None where most tokens keep it. */
  | { readonly _tag: "Absent" }

/** What one answer says: its own ledger decides, which may be past while the entry can still be read. */
export const allowanceEntry = ({ latestLedger, live }: EntryAnswer): AllowanceEntry =>
  Option.match(live, {
    onNone: (): AllowanceEntry => ({ _tag: "Absent" }),
    onSome: ({ entry, liveUntilLedger }): AllowanceEntry => {
      if (liveUntilLedger !== null && liveUntilLedger < latestLedger) return { _tag: "Over" }
      const { amount = null, until = null } = storedAllowance(entry) ?? {}
      if (amount !== null && amount <= 0n) return { _tag: "Over" }
      if (until !== null && until < latestLedger) return { _tag: "Over" }
      return amount === null || until === null ? { _tag: "Odd", amount } : { _tag: "Live", amount, until }
    }
  })

const order = ["Live", "Odd", "Over", "Absent"] as const

const rank = ({ _tag }: AllowanceEntry): number => order.indexOf(_tag)

/** Of the two forms of the key a token uses one. */
const either = (answers: ReadonlyArray<EntryAnswer>): AllowanceEntry =>
  answers.map(allowanceEntry).reduce<AllowanceEntry>((one, other) => (rank(other) < rank(one) ? other : one), { _tag: "Absent" })

/** A pair to be read, and whether its token is known to use the first form of the key, as contracts of assets do. */
export interface AllowancePair extends Approval {
  readonly isCommon: boolean
}

/** What the ledger has of some allowances, in their order, and as of which ledger; 0 where none were queried. */
export interface AllowanceEntries {
  readonly found: ReadonlyArray<AllowanceEntry>
  readonly ledger: number
}

function* keysOf(owner: AccountAddress, pairs: ReadonlyArray<AllowancePair>): Stoppable<ReadonlyArray<ReadonlyArray<xdr.LedgerKey>>> {
  const keys: Array<ReadonlyArray<xdr.LedgerKey>> = []
  for (const { isCommon, spender, token } of pairs) {
    const [common, other] = allowanceKeysOf(token, owner, spender)
    keys.push(isCommon ? [common] : [common, other])
    yield
  }
  return keys
}

/** Two keys a pair, or one where the form is known (`getLedgerEntries`). */
export const readAllowanceEntries = (
  entries: LedgerEntries["Type"],
  owner: AccountAddress,
  pairs: ReadonlyArray<AllowancePair>
): Effect.Effect<AllowanceEntries, ChainFailure> =>
  Effect.gen(function*() {
    const keys = yield* inTurns(() => keysOf(owner, pairs))
    const answers = yield* entries.answers(keys.flat())
    let at = 0
    return {
      found: keys.map(({ length }) => either(answers.slice(at, at += length))),
      ledger: answers.reduce((newest, { latestLedger }) => Math.max(newest, latestLedger), 0)
    }
  })
