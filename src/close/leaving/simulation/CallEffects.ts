import { StrKey } from "@stellar/stellar-sdk"
import type { StateChange } from "../../../chain/contract-rpc/SimulationAnswer.ts"
import type { AccountAddress, ContractAddress } from "../../../domain/Address.ts"
import { showAmount } from "../../../domain/Amount.ts"
import { type AssetId, issued } from "../../../domain/Asset.ts"
import type { ContractCall } from "../../../operations/ContractCall.ts"
import { allowanceLeft } from "../../situation/AllowanceLeft.ts"
import type { TokenAssets } from "../../situation/TokenAssets.ts"
import { alteredEntry } from "./AlteredAccount.ts"
import { assetMoves, type BalanceChange, tokenMoves, unreadBalance } from "./SimulatedMoves.ts"

/** An asset of the ledger, or the contract of any other token. */
type Thing = AssetId | ContractAddress

/** What is judged: what a call declared, and what its simulation says it does. */
interface CallFacts {
  readonly call: ContractCall
  readonly user: AccountAddress
  readonly changes: ReadonlyArray<StateChange>
  readonly assets: TokenAssets
}

const allMoves = (
  changes: ReadonlyArray<StateChange>
): ReadonlyArray<BalanceChange<Thing>> => [...assetMoves(changes), ...tokenMoves(changes)]

/** What the account has of each thing after the call that it had not before; negative: less. */
const gained = ({ changes, user }: CallFacts): ReadonlyMap<Thing, bigint> => {
  const sums = new Map<Thing, bigint>()
  for (const { amount, owner, thing } of allMoves(changes)) {
    if (owner === user) sums.set(thing, (sums.get(thing) ?? 0n) + amount)
  }
  return sums
}

/** What a call declared to take. */
const declared = ({ assets, call }: CallFacts): ReadonlyMap<Thing, bigint> => {
  const sums = new Map<Thing, bigint>()
  for (const { amount, token } of call.holds) {
    const thing = assets.get(token) ?? token
    sums.set(thing, (sums.get(thing) ?? 0n) + amount)
  }
  return sums
}

/** Contracts are left out: pools pay one another as their code demands, and what reaches the account is looked at for itself. */
const strangerPaid = ({ call, changes, user }: CallFacts): string | null => {
  const named = new Set<string>([user, ...call.recipients])
  const paid = allMoves(changes).find(({ amount, owner }) => amount > 0n && !named.has(owner) && !StrKey.isValidContract(owner))
  return paid === undefined ? null : `it would pay ${paid.thing} to ${paid.owner}, which the decision does not name`
}

const overdrawn = (judged: CallFacts): string | null => {
  const most = declared(judged)
  const taken = [...gained(judged)].find(([thing, amount]) => -amount > (most.get(thing) ?? 0n))
  return taken === undefined ? null : `it would take more ${taken[0]} than it declares`
}

/** A balance of the account in an unknown form counts as moved by more than was declared. */
const unreadable = ({ changes, user }: CallFacts): string | null => {
  const contract = unreadBalance(changes, user)
  return contract === null ? null : `it would change the account's balance of ${contract}, whose form is not known`
}

const altered = ({ changes, user }: CallFacts): string | null => {
  const kind = alteredEntry(changes, user)
  return kind === null ? null : `it would change more than the account's balances (${kind})`
}

const lasting = ({ changes, user }: CallFacts): string | null => {
  const left = allowanceLeft(changes, user)
  return left === null ? null : `it would leave ${left.spender} an allowance of ${left.token}`
}

/**
 * What may be missing of a payout, base units: a hundredth and a unit. Between reading and simulating, debts grow by their interest,
 * others trade with the pool, and contracts round down; deposits and rewards only grow. On the ledger more may be missing: what the call's own
 * minimums leave, which is the agreed slippage.
 * A fee that a contract takes is part of what its exit expects. Where more is missing the exit would give the rest away.
 */
const tolerance = (expected: bigint): bigint => expected / 100n + 1n

/** Less than was declared to come reaches the account, beside what it hands over. What it issues itself never lies on a line of its own. */
const shortfall = (judged: CallFacts): string | null => {
  const { assets, call: { payouts }, user } = judged
  const [got, taken] = [gained(judged), declared(judged)]
  for (const token of new Set(payouts.map((one) => one.token))) {
    const asset = assets.get(token)
    const expected = payouts.reduce((sum, one) => (one.token === token ? sum + one.expected : sum), 0n)
    const arrives = (got.get(asset ?? token) ?? 0n) + (taken.get(asset ?? token) ?? 0n)
    const isOwn = asset !== undefined && issued(asset)?.issuer === user
    const show = (amount: bigint): string => `${asset === undefined ? amount.toString() : showAmount(amount)} ${asset ?? token}`
    if (!isOwn && arrives < expected - tolerance(expected)) return `it would pay ${show(arrives)} instead of ${show(expected)}`
  }
  return null
}

/**
 * Why the changes that a simulation shows are not what the call declared; null when they are. A simulation without changes is not accepted:
 * an exit changes entries, and these checks depend on seeing them.
 */
export const effectProblem = (judged: CallFacts): string | null =>
  judged.changes.length === 0
    ? "its simulation does not show what it would change"
    : strangerPaid(judged) ?? unreadable(judged) ?? overdrawn(judged) ?? altered(judged) ?? lasting(judged) ?? shortfall(judged)
