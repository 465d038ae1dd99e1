import { createHash } from "node:crypto"
import { dashed } from "../domain/Asset.ts"
import { showAmount } from "../domain/Amount.ts"
import { Schema } from "effect"
import { Decision } from "../domain/Decision.ts"
import type { BalanceId } from "../domain/Ledger.ts"
import type { Network } from "../domain/Network.ts"
import { sponsorshipOf } from "../ledger/entries/Account.ts"
import type { State } from "../ledger/State.ts"
import { assetDecision, claimDecision } from "./DecisionId.ts"
import { forfeitedUnits } from "./exits/Exits.ts"
import { holdingsIn } from "./Holdings.ts"
import type { CloseInput } from "./CloseInput.ts"
import type { Situation } from "./Situation.ts"
import { keyOfSponsored, sponsoredIn } from "./SponsoredEntries.ts"

type Json = null | string | number | boolean | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** JSON with sorted keys and no white space: equal values give equal text. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: Json) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part)

const bounded = (situation: Situation, id: string): boolean => situation.input.answers.get(id)?.params?.maxAmount !== undefined

const isThere = (state: State, id: BalanceId): boolean => state.get(keyOfSponsored({ kind: "claimable_balance", balanceId: id })) !== undefined

/**
 * What exists in a state of the ledger, with amounts where no answer bounds them. Of the claimable balances only those that an answer
 * names: strangers can add one in every ledger.
 */
export const factsOf = (situation: Situation, state: State) => {
  const { input, snapshot } = situation
  const holdings = holdingsIn(state, input.source)
  return {
    offers: holdings?.offers.map(({ id }) => id) ?? [],
    data: holdings?.dataNames ?? [],
    lines: holdings?.lines.map(({ asset, authorized, balance }) => ({
      asset: dashed(asset),
      authorized,
      amount: bounded(situation, assetDecision(asset)) ? null : showAmount(balance)
    })) ?? [],
    poolShares: holdings?.poolShares.map(({ poolId, shares }) => ({ poolId, shares: shares.toString() })) ?? [],
    claimableBalances: snapshot.state.claimableBalances.map(({ id }) => id).filter((id) => input.answers.has(claimDecision(id)) && isThere(state, id)).sort(),
    sponsoring: holdings === null ? 0 : sponsorshipOf(holdings.account).numSponsoring,
    sponsored: sponsoredIn(state, input.source, snapshot.state.sponsoredEntries).map(({ target }) => target),
    positions: situation.exits.planned.filter(({ exit }) => exit._tag !== "Gone").map((one) => ({
      id: one.id,
      units: one.answer?.params?.maxAmount === undefined ? forfeitedUnits(one).toString() : null
    })).sort((a, b) => (a.id < b.id ? -1 : 1)),
    unreadPositions: situation.exits.unreadable.flatMap(({ gap, items, protocol }) => [protocol, ...(gap === null ? [] : [`${protocol} since ${gap.fromLedger}`]), ...items.map(({ contract, rawType }) => `${contract}:${rawType}`)]).sort(),
    tokens: snapshot.state.contractTokens?.tokens.map(({ balance, contract }) => ({ contract, balance })) ?? []
  }
}

const encode = Schema.encodeSync(Decision)

/**
 * SHA-256 over what the plan rests on: the request, the answers in use, and what exists. Lumens, sequence number, prices and the
 * ledger number are not in it, so that the same facts and answers always give the same hash.
 */
export const planHash = (network: Network, input: CloseInput, used: ReadonlySet<string>, facts: unknown): string => {
  const { answers, destination, memo, source } = input
  const decisions = [...answers.values()].filter(({ id }) => used.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1)).map((answer) => encode(answer))
  return createHash("sha256").update(canonical({ network, source, destination, memo, decisions, facts })).digest("hex")
}
