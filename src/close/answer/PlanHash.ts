import { Order, Schema } from "effect"
import { createHash } from "node:crypto"
import { Acceptance } from "../../domain/Acceptance.ts"
import { showAmount } from "../../domain/Amount.ts"
import { Decision } from "../../domain/Decision.ts"
import type { BalanceId } from "../../domain/Ledger.ts"
import type { Network } from "../../domain/Network.ts"
import { objectMemo } from "../../fibers/ObjectMemo.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import type { Answers } from "../situation/Answers.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import { holdingsIn } from "../situation/Holdings.ts"
import { isForfeited, type PlannedExit } from "../situation/PlannedExit.ts"
import type { Situation } from "../situation/Situation.ts"
import { keyOfSponsored, sponsoredIn } from "../situation/SponsoredEntries.ts"
import { unclaimed } from "../situation/UnclaimedRewards.ts"

/** A value with the keys of every object in it sorted. */
const sorted = (value: unknown): unknown => {
  if (value === null || typeof value !== "object") return value
  return Array.isArray(value)
    ? value.map(sorted)
    : Object.fromEntries(
      Object.entries(value).toSorted(Order.mapInput(Order.string, ([name]) => name)).map(([name, part]) => [name, sorted(part)])
    )
}

/** JSON with sorted keys and no white space: equal values give equal text. */
const canonical = (value: unknown): string => JSON.stringify(sorted(value))

const isThere = (state: LedgerState, id: BalanceId): boolean =>
  state.get(keyOfSponsored({ kind: "claimable_balance", balanceId: id })) !== undefined

/** Whether the plan's hash covers a position: of those that others can give, what the plan saw that `later` answers, and what an answer names. */
const isFact = (one: PlannedExit, answers: Answers): boolean =>
  one.gift === undefined ||
  (one.giftState?._tag !== "Later" && (one.gift.wasSeen || answers.has(one) || one.giftState?._tag === "Grouped"))

/** Whether something of a position is there, or is owed to the account: whether a claim is worth its fee changes with prices alone. */
const isHeld = (one: PlannedExit): boolean => one.exit._tag !== "Gone" || unclaimed(one).length > 0

/**
 * What exists in a state of the ledger. Amounts are none of it, but for shares of pools: floors and maxima bound them. Nor is what
 * strangers can add in every ledger (claimable balances, tokens, shares that can be given), unless an answer names it. Shares that
 * the plan saw count, by whether they are given up: never by what they are quoted at.
 */
export const factsOf = (situation: Situation, state: LedgerState) => {
  const { exits, input, snapshot } = situation
  const { given: answers, source } = input
  const holdings = holdingsIn(state, source)
  return {
    offers: holdings?.offers.map(({ id }) => id) ?? [],
    data: holdings?.dataNames ?? [],
    lines: holdings?.trustlines.map(({ asset, authorized }) => ({ asset, authorized })) ?? [],
    poolShares: holdings?.poolShares.map(({ poolId, shares }) => ({ poolId, shares: showAmount(shares) })) ?? [],
    sponsored: sponsoredIn(state, source, snapshot.state.sponsoredEntries).map(({ target }) => target),
    positions: exits.planned.filter((one) => isHeld(one) && isFact(one, answers)).map((one) =>
      one.gift !== undefined && isForfeited(one) ? `${one.id} left behind` : one.id
    ).toSorted(),
    unread: exits.unreadable.flatMap((
      { gap, items, protocol }
    ) => [
      protocol,
      ...(gap === null ? [] : [`${protocol} since ${gap.fromLedger}`]),
      ...items.map(({ contract, rawType }) => `${contract}:${rawType}`)
    ]).toSorted(),
    claimableBalances: snapshot.state.claimableBalances.map(({ id }) => id).filter((id) =>
      answers.claim(id) !== undefined && isThere(state, id)
    )
      .toSorted(),
    tokens:
      snapshot.state.contractTokens?.tokens.map(({ contract }) => contract).filter((contract) => answers.token(contract) !== undefined)
        .toSorted() ??
        []
  }
}

/** Encoded once: a build hashes the answers as they stand now, and as they stand after its transaction. */
const encode = objectMemo(Schema.encodeSync(Decision))
const encodeAcceptance = Schema.encodeSync(Acceptance)

/** Hex digits of each half. */
const half = 32

const digest = (value: unknown): string => createHash("sha256").update(canonical(value)).digest("hex").slice(0, half)

/**
 * 64 hex digits over what a plan rests on: the first half over the facts, the second over the request and the answers in use, each the
 * beginning of a SHA-256 over canonical JSON. Lumens, sequence number, prices and the ledger number are in neither, so that the same
 * facts and answers always give the same hash. Of recommended options that are applied only the acceptance itself counts.
 */
export const planHash = (network: Network, input: CloseInput, used: ReadonlySet<string>, facts: unknown): string => {
  const { accept, destination, envelopeLimit, feePayer, given: answers, maxSlippageBps, memo, source } = input
  const answered = answers.all.filter(({ id }) => used.has(id)).toSorted(Order.mapInput(Order.string, ({ id }) => id)).map((
    answer
  ) => encode(answer))
  const asked = {
    network,
    source,
    feePayer,
    maxSlippageBps,
    decisions: answered,
    ...(accept === null ? {} : { accept: encodeAcceptance(accept) }),
    ...(destination === null ? {} : { destination }),
    ...(memo === null ? {} : { memo }),
    // It changes what stands in which transaction, and so what is signed.
    ...(envelopeLimit === null ? {} : { smallEnvelopes: true })
  }
  return digest(facts) + digest(asked)
}

/** Which halves of two hashes differ. */
export const differingHalves = (given: string, actual: string): ReadonlyArray<"facts" | "answers"> => [
  ...(given.slice(0, half) === actual.slice(0, half) ? [] : ["facts" as const]),
  ...(given.slice(half) === actual.slice(half) ? [] : ["answers" as const])
]
