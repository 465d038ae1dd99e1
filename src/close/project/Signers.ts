import type { AccountAddress } from "../../domain/Address.ts"
import type { Signing, ThresholdLevel } from "../../domain/Plan.ts"
import { accountKey } from "../../ledger/LedgerKey.ts"
import { levelOf } from "../../operations/Operations.ts"
import type { Round } from "./Round.ts"
import { operationsOf } from "../model/Unit.ts"
import { requiredWeight, usableSigners, usableWeight } from "../model/Weight.ts"

const rank: Record<ThresholdLevel, number> = { low: 0, med: 1, high: 2 }

const heavier = (a: ThresholdLevel, b: ThresholdLevel): ThresholdLevel => (rank[b] > rank[a] ? b : a)

/** The heaviest level of each account that acts in a transaction; its source needs low whatever it does. */
const levels = ({ holdings, units }: Round): ReadonlyMap<AccountAddress, ThresholdLevel> => {
  const found = new Map<AccountAddress, ThresholdLevel>([[holdings.address, "low"]])
  for (const operation of units.flatMap(operationsOf)) {
    found.set(operation.source, heavier(found.get(operation.source) ?? "low", levelOf(operation)))
  }
  for (const { call } of units.flatMap(({ tasks }) => tasks)) {
    if (call?.operation.type === "invoke_contract") found.set(holdings.address, heavier(found.get(holdings.address) ?? "low", "med"))
  }
  return found
}

const signingAt = ({ world }: Round, address: AccountAddress, level: ThresholdLevel): ReadonlyArray<Signing> => {
  const found = world.get(accountKey(address))?.data
  if (found?.type !== "account") return []
  return [{
    account: address,
    level,
    requiredWeight: requiredWeight(found.account, level),
    availableWeight: usableWeight(found.account),
    signers: usableSigners(found.account).map(({ key, type, weight }) => ({ key, weight, type }))
  }]
}

/** Who signs a transaction, and with how much weight: the closing account first, then whoever else acts in it. */
export const signingOf = (round: Round): ReadonlyArray<Signing> => [...levels(round)].flatMap(([address, level]) => signingAt(round, address, level))

/** For each account that signs anything in a close, what its heaviest transaction needs. */
export const heaviestSigning = (rounds: ReadonlyArray<Round>): ReadonlyArray<Signing> => {
  const top = new Map<string, Signing>()
  for (const one of rounds.flatMap(signingOf)) {
    const known = top.get(one.account)
    if (known === undefined || rank[one.level] > rank[known.level]) top.set(one.account, one)
  }
  return [...top.values()]
}
