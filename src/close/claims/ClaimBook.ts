import { Order } from "effect"
import { type AssetId, issued, native } from "../../domain/Asset.ts"
import { pairOf } from "../../ledger/exchange/BookOrder.ts"
import { pairPoolId, sdkAsset } from "../../stellar/Assets.ts"
import { poolKey } from "../../xdr/LedgerKeys.ts"
import { lumenQuote } from "../leaving/payouts/LumenQuote.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import { DecisionId } from "../situation/DecisionId.ts"
import { holdingsIn, stateViews } from "../situation/Holdings.ts"
import { cameLater, claimCandidates, mostSingleClaims, type OpenClaim } from "../situation/OpenClaims.ts"
import type { ClaimSituation } from "./ClaimSituation.ts"
import { countsQuoted } from "./UnquotedClaims.ts"

/** Claimable balances that are decided together. */
export interface ClaimSet {
  /** The id of the decision. */
  readonly id: string
  /** Null: balances of many assets, which can only be left behind. */
  readonly asset: AssetId | null
  readonly claims: ReadonlyArray<OpenClaim>
}

/** Every claimable balance of a close by its decision, once for all transactions. */
export interface ClaimBook {
  /** By decision id. */
  readonly sets: ReadonlyArray<ClaimSet>
  /** Left behind because they came later. */
  readonly late: ReadonlyArray<OpenClaim>
}

const grouped = <Key>(claims: ReadonlyArray<OpenClaim>, keyOf: (claim: OpenClaim) => Key): ReadonlyMap<Key, ReadonlyArray<OpenClaim>> => {
  const groups = new Map<Key, Array<OpenClaim>>()
  for (const claim of claims) {
    const group = groups.get(keyOf(claim))
    if (group === undefined) groups.set(keyOf(claim), [claim])
    else group.push(claim)
  }
  return groups
}

/**
 * The least of some amounts of an asset that is quoted above `most` stroops of lumens; null when none is. More never brings less, so a
 * binary search finds it.
 */
const leastWorth = (situation: ClaimSituation, asset: AssetId, amounts: ReadonlyArray<bigint>, most: bigint): bigint | null => {
  const { input: { source }, ledgerState, market } = situation
  const routes = market.routes.get(asset) ?? []
  const sorted = [...new Set(amounts)].toSorted((a, b) => (a < b ? -1 : 1))
  const exceeds = (at: number) => (lumenQuote({ ledgerState, source }, { asset, amount: sorted[at] ?? 0n }, routes) ?? 0n) > most
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (exceeds(middle)) high = middle
    else low = middle + 1
  }
  return sorted[low] ?? null
}

/** Claimable balances that came later and are not worth a decision. Quotes count for listed assets, and where no one else can claim. */
const lateClaims = (situation: ClaimSituation): ReadonlySet<OpenClaim> => {
  const { input, openClaims } = situation
  const newer = openClaims.filter(({ balance, modified }) => cameLater(input, balance, modified))
  const most = input.later?.maxLumensEach ?? null
  const late = new Set<OpenClaim>()
  for (const [asset, claims] of grouped(newer, ({ balance }) => balance.asset)) {
    const quoted = new Set(claims.filter((claim) => countsQuoted(situation, claim.balance)))
    const worth = most === null ? null : leastWorth(situation, asset, [...quoted].map(({ balance }) => balance.amount), most)
    for (const claim of claims) {
      if (worth === null || !quoted.has(claim) || claim.balance.amount < worth) late.add(claim)
    }
  }
  return late
}

/** Whether an asset may have a buyer for lumens; null: no market was queried. */
const hasMarket = ({ market, ledgerState }: ClaimSituation, asset: AssetId): boolean | null => {
  const routes = market.routes.get(asset)
  if (routes === undefined) return null
  const pool = ledgerState.get(poolKey(pairPoolId(asset, native)))
  return pool !== undefined || routes.some((stops) => stops.length > 0) ||
    ledgerState.book(pairOf(sdkAsset(native).toXdrObject(), sdkAsset(asset).toXdrObject())).size > 0
}

/** The assets whose balances have a question of their own, where there are too many for one each. */
const ownQuestions = (situation: ClaimSituation, claims: ReadonlyArray<OpenClaim>): ReadonlySet<AssetId> => {
  const { input, ledgerState } = situation
  const trustlines = holdingsIn(ledgerState, input.source)?.trustlines ?? []
  const held = new Set<AssetId>([native, ...trustlines.map(({ asset }) => asset)])
  const sold = (asset: AssetId) =>
    issued(asset)?.issuer !== input.source && (hasMarket(situation, asset) ?? input.answers.otherClaims === undefined)
  return new Set(
    [...claimCandidates(input, claims, trustlines)].filter((asset) =>
      held.has(asset) || input.answers.claims(asset) !== undefined || sold(asset)
    )
  )
}

const bookOf = (situation: ClaimSituation): ClaimBook => {
  const { input, openClaims } = situation
  const late = lateClaims(situation)
  const open = openClaims.filter((claim) => !late.has(claim))
  const many = open.length > mostSingleClaims || input.answers.otherClaims !== undefined
  const own = many ? ownQuestions(situation, open) : new Set<AssetId>()
  const idOf = ({ balance: { asset, id } }: OpenClaim): string => {
    const answer = input.answers.claim(id) ?? input.answers.claims(asset)
    if (answer !== undefined) return answer.id
    if (many && !own.has(asset)) return DecisionId.otherClaims
    return open.length > mostSingleClaims ? DecisionId.claims(asset) : DecisionId.claim(id)
  }
  const sets = [...grouped(open, idOf)].toSorted(Order.mapInput(Order.string, ([id]) => id))
  return {
    sets: sets.map(([id, claims]) => ({ id, asset: id === DecisionId.otherClaims ? null : claims[0]?.balance.asset ?? null, claims })),
    late: [...late]
  }
}

const books = stateViews<CloseInput, ClaimBook>()

/** The book of a close, made once for what was read. */
export const claimBook = (situation: ClaimSituation): ClaimBook => books(situation.ledgerState, situation.input, () => bookOf(situation))
