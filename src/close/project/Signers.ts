import type { AccountAddress } from "../../domain/Address.ts"
import type { Signing, ThresholdLevel } from "../../domain/Plan.ts"
import { levelOf } from "../../operations/Operations.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { operationsOf } from "../situation/AtomicGroup.ts"
import { requiredWeight, usableSigners, usableWeight } from "../situation/Weight.ts"
import type { PlannedTransaction } from "./PlannedTransaction.ts"

/** What tells who signs a transaction. */
type SignableTransaction = Pick<PlannedTransaction, "groups" | "holdings" | "ledgerState">

const rank: Record<ThresholdLevel, number> = { low: 0, med: 1, high: 2 }

const heavier = (a: ThresholdLevel, b: ThresholdLevel): ThresholdLevel => (rank[b] > rank[a] ? b : a)

/** The highest threshold level of each account that acts in a transaction; its source needs at least low. */
const levels = ({ holdings, groups }: SignableTransaction): ReadonlyMap<AccountAddress, ThresholdLevel> => {
  const found = new Map<AccountAddress, ThresholdLevel>([[holdings.address, "low"]])
  for (const operation of operationsOf(groups)) {
    found.set(operation.source, heavier(found.get(operation.source) ?? "low", levelOf(operation)))
  }
  for (const { call } of groups.flatMap(({ steps }) => steps)) {
    if (call?.operation.type === "invoke_contract") found.set(holdings.address, heavier(found.get(holdings.address) ?? "low", "med"))
  }
  return found
}

const signingAt = ({ ledgerState }: SignableTransaction, address: AccountAddress, level: ThresholdLevel): ReadonlyArray<Signing> => {
  const found = ledgerState.get(accountKey(address))?.data
  if (found?.type !== "account") return []
  return [{
    account: address,
    level,
    requiredWeight: requiredWeight(found.account, level),
    availableWeight: usableWeight(found.account),
    signers: usableSigners(found.account).map(({ key, type, weight }) => ({ key, weight, type }))
  }]
}

/** The accounts that sign a transaction, and with how much weight: the closing account first, then others that act in it. */
export const signingOf = (planned: SignableTransaction): ReadonlyArray<Signing> =>
  [...levels(planned)].flatMap(([address, level]) => signingAt(planned, address, level))

/** For each account that signs anything in a close, what its heaviest transaction needs. */
export const heaviestSigning = (transactions: ReadonlyArray<SignableTransaction>): ReadonlyArray<Signing> => {
  const top = new Map<string, Signing>()
  for (const one of transactions.flatMap(signingOf)) {
    const known = top.get(one.account)
    if (known === undefined || rank[one.level] > rank[known.level]) top.set(one.account, one)
  }
  return [...top.values()]
}
