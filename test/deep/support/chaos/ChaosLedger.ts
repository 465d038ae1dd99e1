import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import type { Chain } from "../../../../src/sandbox/network/Chain.ts"
import type { TransactionRecord } from "../../../../src/sandbox/network/LedgerRecord.ts"
import { plainAddress } from "../../../../src/sandbox/network/TransactionFacts.ts"
import { OnceOnly } from "../../../sim/OnceOnly.ts"
import { type AssetContracts, heldIn } from "../../../sim/Supply.ts"
import type { ChaosAccount } from "./ChaosCast.ts"

const noContracts: AssetContracts = new Map()

/** All lumens in the entries of a ledger without contracts that hold some. */
const lumensIn = (state: LedgerState): bigint =>
  [...state.entries()].flatMap((entry) => heldIn(entry, noContracts)).reduce(
    (sum, [asset, amount]) => (asset === "native" ? sum + amount : sum),
    0n
  )

/** Stroops that a successful transaction brought an account: by merges, or by payments with a memo. */
const broughtBy = ({ applied: { result }, facts: { transaction } }: TransactionRecord, { destination, memo }: ChaosAccount): bigint => {
  const inner = result.result.type === "txFeeBumpInnerSuccess" ? result.result.innerResultPair.result.result : result.result
  const results = "results" in inner ? inner.results : []
  const isItsMemo = memo === null || (transaction.memo.type === "memoText" && String(transaction.memo.text) === memo)
  return transaction.operations.reduce((sum, { body }, at) => {
    if (body.type === "payment" && isItsMemo && plainAddress(body.paymentOp.destination) === destination) return sum + body.paymentOp.amount
    if (body.type !== "accountMerge" || plainAddress(body.destination) !== destination) return sum
    const one = results[at]
    const merged = one?.type === "opInner" && one.tr.type === "accountMerge" ? one.tr.accountMergeResult : null
    return merged?.type === "accountMergeSuccess" ? sum + BigInt(merged.sourceAccountBalance) : sum
  }, 0n)
}

/** Faults on a ledger, from one of its ledgers on: lost lumens, duplicates, missing proceeds. */
export const ledgerFaults = (
  chain: Chain,
  first: Chain,
  mediator: string,
  closes: ReadonlyArray<{ readonly account: ChaosAccount; readonly received: bigint }>
): ReadonlyArray<string> => {
  const records = [...chain.history.from(first.history.latest.sequence + 1)].flatMap(({ transactions }) => transactions)
  const once = new OnceOnly()
  const repeated = records.flatMap((one) => once.repeatedBy(one, new Set([mediator])))
  const fees = records.reduce((sum, { applied }) => sum + applied.feeCharged, 0n)
  const lost = lumensIn(first.state) - lumensIn(chain.state) - fees
  const wrong = closes.flatMap(({ account, received }) => {
    const source = account.source.publicKey()
    const brought = records
      .filter(({ facts, successful }) => successful && facts.source === source)
      .reduce((sum, one) => sum + broughtBy(one, account), 0n)
    return brought === received ? [] : [`${source} brought ${brought} stroops, and its receipt says ${received}`]
  })
  return [...repeated.map((what) => `twice in ledgers: ${what}`), ...(lost === 0n ? [] : [`${lost} stroops are lost`]), ...wrong]
}
