import type { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../domain/Address.ts"
import { counted } from "../../domain/CountedNoun.ts"
import { ledgerSeconds } from "../../domain/Ledger.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import type { TokenRoute } from "../../tokens/TokenRoutes.ts"
import type { OwnTransaction, OwnTransactions } from "./OwnTransactions.ts"
import type { PlannedExit } from "./PlannedExit.ts"
import { resultCodes } from "./ResultCodes.ts"
import { isSameCall } from "./SameCall.ts"
import type { Situation } from "./Situation.ts"
import type { TokenWork } from "./TokenWork.ts"

/** The same call failed on the ledger as often as it was sent lately, each time for the same cause. */
export interface RepeatedFailure {
  readonly times: number
  /** As the ledger API spells it: `op_trapped`. */
  readonly cause: string
  /** The sequence number of the last of them. */
  readonly sequence: bigint
}

const causeOf = ({ result }: OwnTransaction): string => {
  if (result === null) return "tx_failed"
  const { operationResultCodes, resultCode } = resultCodes(result)
  return operationResultCodes[0] ?? resultCode
}

/** Of transactions, newest first, those before the first one for which this does not hold. */
const untilNot = (all: ReadonlyArray<OwnTransaction>, holds: (one: OwnTransaction) => boolean): ReadonlyArray<OwnTransaction> => {
  const end = all.findIndex((one) => !holds(one))
  return end < 0 ? all : all.slice(0, end)
}

const failedAtLeastTwice = (failed: ReadonlyArray<OwnTransaction>): RepeatedFailure | null => {
  const [last] = failed
  return last === undefined || failed.length < 2 ? null : { times: failed.length, cause: causeOf(last), sequence: last.sequence }
}

/** Whether a call was the account's last one twice or more, and failed each time alike; null: it was not. */
const failedAlike = (
  { transactions: [last, ...others] }: OwnTransactions,
  isCall: (operation: xdr.Operation | undefined) => boolean
): RepeatedFailure | null => {
  if (last === undefined) return null
  const cause = causeOf(last)
  return failedAtLeastTwice(
    untilNot([last, ...others], (one) => !one.succeeded && isCall(one.operations[0]) && causeOf(one) === cause)
  )
}

/** The same of one call, which contract, function and every address in the arguments tell from others. */
export const repeatedCallFailure = (history: OwnTransactions, call: ContractCall): RepeatedFailure | null =>
  failedAlike(history, (operation) => isSameCall(operation, call))

/** Ledgers, a day, for which a route that failed is tried last. */
export const routeMemory = 86_400 / ledgerSeconds

/**
 * The failure of a route's last attempts since a ledger, other transactions between them ignored; null: fewer than two. An attempt makes
 * the same call and declares to write all pools of the route, since a call may name its pools by other things than their addresses.
 */
export const repeatedRouteFailure = (
  { transactions }: OwnTransactions,
  { call, pools }: Pick<TokenRoute, "call" | "pools">,
  { since, user }: { readonly since: number; readonly user: AccountAddress }
): RepeatedFailure | null => {
  const made = call({ user, least: 1n, deadline: 0n })
  const attempts = transactions.filter(({ ledger, operations: [operation], wrote }) =>
    ledger > since && pools.every((pool) => wrote.has(pool)) && isSameCall(operation, made)
  )
  return failedAtLeastTwice(untilNot(attempts, ({ succeeded }) => !succeeded))
}

/** The same of a route by which the close would sell. */
export const repeatedSaleFailure = (
  { input, snapshot, tokenWork: { history } }: Pick<Situation, "input" | "snapshot"> & { readonly tokenWork: Pick<TokenWork, "history"> },
  route: TokenRoute
): RepeatedFailure | null => repeatedRouteFailure(history, route, { since: snapshot.header.ledgerSeq - routeMemory, user: input.source })

/** What is said of a route that failed and is offered again. */
export const repeatedFailureNote = ({ cause, times }: RepeatedFailure): string =>
  `The last ${
    counted(times, "sale")
  } by this path failed on the ledger (${cause}), and each cost its fee. No other path is known that pays enough.`

/** The same of the call that is next for a position. */
export const repeatedFailure = ({ exits: { history } }: Pick<Situation, "exits">, { exit }: PlannedExit): RepeatedFailure | null =>
  exit._tag === "Calls" ? repeatedCallFailure(history, exit.calls[0]) : null
