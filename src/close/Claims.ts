import type { ClaimableBalance } from "../domain/Account.ts"
import { parseAmount, showAmount } from "../domain/Amount.ts"
import { type AssetId, dashed, issued, native } from "../domain/Asset.ts"
import type { Decision, DecisionOption, DecisionPoint } from "../domain/Decision.ts"
import { PlanChanged } from "../domain/failure/Planning.ts"
import { accountKey, claimableBalanceKey } from "../ledger/LedgerKey.ts"
import type { State } from "../ledger/State.ts"
import { holdsFrom, holdsThroughout } from "./ClaimTiming.ts"
import { claimDecision } from "./DecisionId.ts"
import { holdingsIn, lineIn } from "./Holdings.ts"
import { showTime } from "./ShowTime.ts"
import type { Situation } from "./Situation.ts"
import { validityOf } from "./Validity.ts"

/** From this many claimable balances on they are asked about per asset: anybody can send an account thousands. */
const mostSingleClaims = 1000

const AUTH_REQUIRED = 1

/** Claimable balances that are decided together, with what the owner decided. */
export interface ClaimGroup {
  readonly asset: AssetId
  /** Those that can be claimed from now until the transaction expires. */
  readonly claimable: ReadonlyArray<ClaimableBalance>
  /** The moment from which the first of the others can be claimed; null when there are no others. */
  readonly laterFrom: bigint | null
  readonly way: "claim" | "forfeit"
  readonly point: DecisionPoint
  /** The answer no longer fits what is there. */
  readonly obstacle: PlanChanged | null
}

interface Sorted {
  readonly id: string
  readonly asset: AssetId
  readonly claimable: ReadonlyArray<ClaimableBalance>
  readonly later: ReadonlyArray<ClaimableBalance>
  readonly laterFrom: bigint | null
}

const sum = (balances: ReadonlyArray<ClaimableBalance>): bigint => balances.reduce((total, { amount }) => total + amount, 0n)

const predicateOf = ({ input }: Situation, { claimants }: ClaimableBalance) =>
  claimants.find(({ destination }) => destination === input.source)?.predicate

/** Sorts the balances of a group by time; those that can never be claimed any more are worth nothing to anybody here. */
const byTime = (situation: Situation, id: string, balances: ReadonlyArray<ClaimableBalance>, from: bigint, to: bigint): Sorted => {
  const timed = balances.flatMap((balance) => {
    const predicate = predicateOf(situation, balance)
    const start = predicate === undefined ? null : holdsFrom(predicate, from)
    return predicate === undefined || start === null ? [] : [{ balance, start, now: holdsThroughout(predicate, from, to) }]
  })
  const later = timed.filter(({ now }) => !now)
  return {
    id,
    asset: balances[0]?.asset ?? native,
    claimable: timed.filter(({ now }) => now).map(({ balance }) => balance),
    later: later.map(({ balance }) => balance),
    laterFrom: later.reduce<bigint | null>((first, { start }) => (first === null || start < first ? start : first), null)
  }
}

/** Why nothing can arrive in an asset; null when it can, on the line there is or on one that is added. */
const hindrance = ({ input }: Situation, state: State, asset: AssetId, amount: bigint): string | null => {
  const parts = issued(asset)
  if (parts === null || parts.issuer === input.source) return null
  const line = lineIn(state, input.source, asset)
  const issuer = state.get(accountKey(parts.issuer))?.data
  if (line !== null) {
    if (!line.authorized) return "The issuer does not authorise the trustline."
    const fits = line.limit - line.balance - line.buyingLiabilities >= amount
    return fits || issuer !== undefined ? null : "The trustline has no room for it, and the issuer is gone, so its limit cannot be raised."
  }
  if (issuer?.type !== "account") return "The issuer is gone, so no trustline can be added."
  return (issuer.account.flags & AUTH_REQUIRED) === 0 ? null : "The issuer must authorise a trustline first."
}

const needsLine = ({ input }: Situation, state: State, asset: AssetId): boolean => {
  const parts = issued(asset)
  return parts !== null && parts.issuer !== input.source && lineIn(state, input.source, asset) === null
}

const optionsOf = (situation: Situation, state: State, { asset, claimable, later, laterFrom }: Sorted): ReadonlyArray<DecisionOption> => {
  const hindered = hindrance(situation, state, asset, sum(claimable))
  const behind = later.length === 0 || laterFrom === null ? "" : ` ${later.length} more can be claimed from ${showTime(laterFrom)} on.`
  const claim: DecisionOption = {
    id: needsLine(situation, state, asset) ? "add_trustline_then_claim" : "claim",
    recommended: later.length === 0,
    note: later.length === 0 ? "The balance arrives and is disposed of with the rest of its asset." : `What cannot be claimed yet is forfeited.${behind}`,
    ...(later.length === 0 ? {} : { params: { maxAmount: showAmount(sum(later)) } })
  }
  return [
    ...(claimable.length === 0 || hindered !== null ? [] : [claim]),
    {
      id: "forfeit",
      note: `It is left behind for ever.${behind}${hindered === null ? "" : ` ${hindered}`}`,
      params: { maxAmount: showAmount(sum([...claimable, ...later])) }
    }
  ]
}

/** What may be left behind by an answer, against what would be. */
const obstacleOf = (answer: Decision, options: ReadonlyArray<DecisionOption>, leftBehind: bigint): PlanChanged | null => {
  const offered = answer.choice === "forfeit" || options.some(({ id }) => id === answer.choice || (id === "claim" && answer.choice === "add_trustline_then_claim"))
  const most = parseAmount(answer.params?.maxAmount ?? "0") ?? 0n
  return offered && leftBehind <= most ? null : new PlanChanged({ planHash: null, changes: [{ kind: "altered", subject: answer.id }] })
}

const groupOf = (situation: Situation, state: State, sorted: Sorted): ClaimGroup => {
  const { asset, claimable, id, later, laterFrom } = sorted
  const options = optionsOf(situation, state, sorted)
  const answer = situation.input.answers.get(id)
  const claims = options.some((option) => option.id !== "forfeit") && answer?.choice !== "forfeit"
  const leftBehind = sum(claims ? later : [...claimable, ...later])
  const obstacle = answer === undefined ? null : obstacleOf(answer, options, leftBehind)
  const count = claimable.length + later.length
  return {
    asset,
    claimable,
    laterFrom,
    way: claims ? "claim" : "forfeit",
    obstacle,
    point: {
      id,
      type: id.startsWith("claims:") ? "claims" : "claim",
      subject: `${count === 1 ? "A claimable balance" : `${count} claimable balances`} of ${showAmount(sum([...claimable, ...later]))} ${asset}`,
      options,
      default: null,
      required: true,
      answered: answer !== undefined && obstacle === null
    }
  }
}

const grouped = (balances: ReadonlyArray<ClaimableBalance>): ReadonlyArray<readonly [string, ReadonlyArray<ClaimableBalance>]> => {
  const groups = new Map<string, Array<ClaimableBalance>>()
  for (const balance of balances) {
    const id = balances.length > mostSingleClaims ? `claims:${dashed(balance.asset)}` : claimDecision(balance.id)
    groups.set(id, [...(groups.get(id) ?? []), balance])
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The hash in the id of a claimable balance. */
export const hashIn = (id: string): Uint8Array => Buffer.from(id.slice(8), "hex")

/** What the account can claim in a state of the ledger, now or later, with the owner's answers. */
export const claimsIn = (situation: Situation, state: State): ReadonlyArray<ClaimGroup> => {
  const holdings = holdingsIn(state, situation.input.source)
  if (holdings === null) return []
  const from = state.header.closeTime > situation.now ? state.header.closeTime : situation.now
  const { maxTime } = validityOf(situation, holdings, "high", state.header)
  const present = situation.snapshot.state.claimableBalances.filter(({ id }) => state.get(claimableBalanceKey(hashIn(id))) !== undefined)
  return grouped(present)
    .map(([id, balances]) => byTime(situation, id, balances, from, maxTime))
    .filter(({ claimable, later }) => claimable.length + later.length > 0)
    .map((sorted) => groupOf(situation, state, sorted))
}

/** The ids of the balances that will be claimed. */
export const claimedBalances = (groups: ReadonlyArray<ClaimGroup>): ReadonlySet<string> =>
  new Set(groups.filter(({ way }) => way === "claim").flatMap(({ claimable }) => claimable.map(({ id }) => id)))

/** The assets that claims will pay into. */
export const claimedAssets = (groups: ReadonlyArray<ClaimGroup>): ReadonlySet<AssetId> =>
  new Set(groups.filter(({ claimable, way }) => way === "claim" && claimable.length > 0).map(({ asset }) => asset))
