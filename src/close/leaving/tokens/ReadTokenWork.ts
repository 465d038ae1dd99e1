import { BigInt as Big, Effect, Option, Order } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { ContractAddress } from "../../../domain/Address.ts"
import { native } from "../../../domain/Asset.ts"
import type { ReadAt } from "../../../protocols/ProtocolRegistry.ts"
import { assetContract } from "../../../stellar/AssetTokens.ts"
import type { HeldToken } from "../../../tokens/HeldToken.ts"
import { revokeCall } from "../../../tokens/Revoke.ts"
import type { PoolTrade, TokenRoute, TokenRoutes } from "../../../tokens/TokenRoutes.ts"
import { isThroughUnlisted } from "../../market/UnlistedTokens.ts"
import { DecisionId, subjectOf } from "../../situation/DecisionId.ts"
import { toBeLeft } from "../../situation/Exits.ts"
import { netOf } from "../../situation/Moved.ts"
import { noHistory } from "../../situation/OwnTransactions.ts"
import { callsOf } from "../../situation/PlannedExit.ts"
import { repeatedSaleFailure, routeMemory } from "../../situation/RepeatedFailure.ts"
import type { Sale } from "../../situation/Routes.ts"
import type { Situation } from "../../situation/Situation.ts"
import { isQuoted, type PlannedAllowance, type PlannedToken, type TokenWork } from "../../situation/TokenWork.ts"
import { paidTokens } from "../../situation/UnclaimedRewards.ts"
import { usableUntil } from "../read/ExitFacts.ts"
import { ownLedger } from "../read/OwnTransactionReader.ts"
import { soundOffers } from "./OfferedSales.ts"
import { readSales } from "./ReadSales.ts"
import { quotedInTurn, withoutFailedRoutes } from "./RouteSearch.ts"
import { tokenDisposalOf } from "./TokenDisposals.ts"
import { fatesOf, lateTokens } from "./TokenFates.ts"
import { simulateTokenCalls } from "./TokenSimulations.ts"
import type { TokenPurpose, TokenSources } from "./TokenSources.ts"

type UndecidedToken = Omit<PlannedToken, "route" | "fate" | "disposal" | "simulation">

/** A token that is held, with what positions that are still to be left do to it; null: there is none of it, and none will come. */
const undecided = ({ exits, input }: Situation, token: HeldToken): UndecidedToken | null => {
  const { balance, contract } = token
  const open = toBeLeft(exits)
  const coming = open.reduce((sum, one) => sum + netOf(callsOf(one), contract), 0n)
  const waits = open.some((one) =>
    paidTokens(one).includes(contract) || one.position.owes.some((owed) => owed.token === contract) ||
    callsOf(one).some(({ holds, payouts }) => [...holds, ...payouts].some((moved) => moved.token === contract))
  )
  if (balance <= 0n && !waits) return null
  const amount = balance + coming
  return { id: DecisionId.token(contract), token, answer: input.answers.token(contract), waits, amount: Big.max(amount, 0n) }
}

/** Routes to lumens, by decision, of tokens in the order of the plan; and what is traded by those that are made. */
const readRoutes = (
  sources: { readonly routes: TokenRoutes["Type"]; readonly at: ReadAt | undefined },
  to: ContractAddress,
  tokens: ReadonlyArray<UndecidedToken>
): Effect.Effect<{ readonly found: ReadonlyMap<string, TokenRoute>; readonly made: ReadonlyArray<PoolTrade> }, ChainFailure> => {
  const quoted = tokens.filter(isQuoted)
  const sales = quoted.map(({ amount, answer, token: { contract }, waits }) => ({
    sale: { from: contract, to, amount },
    waits,
    isMade: (route: TokenRoute) => answer !== undefined || !isThroughUnlisted(route)
  }))
  return Effect.map(quotedInTurn(sources, sales, []), ({ made, routes }) => ({
    found: new Map(quoted.flatMap(({ id }, index): ReadonlyArray<readonly [string, TokenRoute]> => {
      const route = routes[index] ?? null
      return route === null ? [] : [[id, route]]
    })),
    made
  }))
}

/** What is made first: sales, whose lumens pay what comes after them; then transfers, by contract. */
const rank = ({ answer }: Pick<PlannedToken, "answer">): number => (answer?.choice === "convert_to_native" ? 0 : 1)

const byRank = Order.combine(
  Order.mapInput(Order.number, rank),
  Order.mapInput(Order.string, ({ id }: Pick<PlannedToken, "answer" | "id">) => id)
)

const inOrder = <A extends Pick<PlannedToken, "answer" | "id">>(tokens: ReadonlyArray<A>): ReadonlyArray<A> => tokens.toSorted(byRank)

const plannedAllowances = ({ exits: { allowances }, input }: Situation): ReadonlyArray<PlannedAllowance> =>
  allowances.flatMap((allowance): ReadonlyArray<PlannedAllowance> => {
    const id = DecisionId.allowance(allowance)
    const subject = Option.getOrNull(subjectOf(id))
    if (subject?._tag !== "allowance") return []
    const answer = input.answers.allowance(allowance)
    const token = ContractAddress.make(subject.token)
    const call = answer?.choice === "revoke" ? revokeCall(input.source, { token, spender: subject.spender }) : null
    return [{ id, allowance, answer, call, simulation: null }]
  })

/**
 * The account's own transactions: the last ones and all of a day (`last`); the same as far as a route may have failed in them, which is nothing
 * where none was sent in that time (`sinceADay`).
 */
const ownPast = ({ ownTransactions }: Pick<TokenSources, "ownTransactions">, { snapshot }: Situation) => {
  const aDayAgo = Math.max(0, snapshot.header.ledgerSeq - routeMemory)
  const last = ownTransactions({ failuresAnd: aDayAgo })
  return { last, sinceADay: ownLedger(snapshot) > aDayAgo ? last : Effect.succeed(noHistory) }
}

/** What it is read for, and of each asset all that will be sold: what claims and pools bring too. */
interface TokenQuestion extends TokenPurpose {
  readonly arriving: ReadonlyArray<Sale>
}

/**
 * What becomes of the tokens and allowances of an account, as far as its owner decided, with every call that would be made next simulated.
 * Routes are searched on the newest ledger. What leaves with or after a position is not simulated yet.
 */
export const readTokenWork = (
  sources: TokenSources,
  situation: Situation,
  { arriving, ...purpose }: TokenQuestion
): Effect.Effect<TokenWork, ChainFailure> =>
  Effect.gen(function*() {
    const { input, passphrase, snapshot } = situation
    const held = snapshot.tokens.held.flatMap((token) => undecided(situation, token) ?? [])
    const unread = snapshot.tokens.unreadable.map((contract) => ({
      id: DecisionId.token(contract),
      contract,
      answer: input.answers.token(contract)
    }))
    const lumens = assetContract(native, passphrase)
    const past = ownPast(sources, situation)
    const routes = withoutFailedRoutes(
      sources.routes,
      Effect.map(past.sinceADay, (history) => (route) => repeatedSaleFailure({ input, snapshot, tokenWork: { history } }, route) !== null)
    )
    const ofSales = { ...sources, routes }
    // What a build hands over rests on pools as they are now; a plan goes by the ledger that all of it is of.
    const { closeTime, ledgerSeq } = snapshot.header
    const newest = { sequence: ledgerSeq, closeTime }
    const at = purpose.purpose === "plan" ? newest : undefined
    const ordered = inOrder(held)
    const { found, made } = yield* readRoutes({ routes, at }, lumens, ordered)
    const tokens = ordered.map((one) => ({ ...one, route: found.get(one.id) ?? null }))
    const fates = fatesOf(input, tokens, unread, {
      late: yield* lateTokens(sources.events, situation),
      listed: situation.tokenList,
      called: snapshot.called
    })
    const deadline = usableUntil(situation)
    const decided = tokens.map((one): PlannedToken => ({
      ...one,
      fate: fates.of(one),
      disposal: tokenDisposalOf({ situation, contract: one.token.contract, amount: one.amount, route: one.route, deadline }, one.answer),
      simulation: null
    }))
    const allowances = plannedAllowances(situation)
    const { assetRoutes, sales, searchedAmounts } = yield* readSales(routes, situation, {
      arriving,
      deadline,
      lumens,
      made,
      purpose: purpose.purpose,
      ...(at === undefined ? {} : { at })
    })
    // Where nothing trades, nothing is left unsearched.
    const isAnySearched = searchedAmounts.size > 0
    const trades = !isAnySearched || (yield* sources.protocols.tradingPools(newest)).length > 0
    const work = {
      tokens: decided,
      sales,
      assetRoutes,
      searchedAmounts: trades ? searchedAmounts : null,
      allowances,
      unreadable: [],
      history: noHistory
    }
    const simulated = yield* soundOffers(ofSales, situation, purpose, yield* simulateTokenCalls(ofSales, situation, purpose, work))
    const calls = [...[...decided, ...sales].map(({ disposal }) => disposal.call), ...allowances.map(({ call }) => call)].some((call) =>
      call !== null
    )
    const sells = found.size + assetRoutes.size > 0
    const needed = sells ? past.sinceADay : Effect.succeed(noHistory)
    const history = yield* calls ? past.last : needed
    return { ...simulated, unreadable: unread.map((one) => ({ ...one, fate: fates.ofUnreadable(one) })), history }
  })
