import { BigInt as Big, Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { ContractAddress } from "../../../domain/Address.ts"
import { largestAmount } from "../../../domain/Amount.ts"
import { native } from "../../../domain/Asset.ts"
import { concurrently } from "../../../fibers/Concurrently.ts"
import { assetContract } from "../../../stellar/AssetTokens.ts"
import type { TokenRoute } from "../../../tokens/TokenRoutes.ts"
import { type Exits, largestUnits } from "../../situation/Exits.ts"
import { trustlineIn } from "../../situation/Holdings.ts"
import { tokensPaid } from "../payouts/PayoutValue.ts"
import type { ExitQuestion } from "./ExitFacts.ts"
import type { RouteSources } from "./PairRoutes.ts"
import { readSaleRoutes } from "./SaleRoutes.ts"

/** Tokens whose sale is quoted. Further ones get no quote, because strangers choose how many their gifts pay. */
const mostTokens = 20

/** An amount of a token that gifts pay, base units. */
interface GiftPayout {
  readonly token: ContractAddress
  readonly amount: bigint
}

interface GiftQuestion extends Pick<ExitQuestion, "input" | "ledgerState" | "routes" | "salesWith" | "snapshot" | "tokenList"> {
  readonly passphrase: string
}

/** The rank of a token for quoting: listed, then trusted, then the rest. Strangers cannot change the first two. */
const rankOf = (
  { input: { source }, ledgerState, tokenList }: GiftQuestion,
  { assets }: Pick<Exits, "assets">,
  token: ContractAddress
): number => {
  if (tokenList.has(token)) return 0
  const asset = assets.get(token)
  return asset !== undefined && trustlineIn(ledgerState, source, asset) !== null ? 1 : 2
}

/**
 * The amounts that open gifts pay of each token but lumens. Open are gifts without an answer, and those that an answer named before the
 * account left them.
 */
const paidByGifts = (question: GiftQuestion, exits: Pick<Exits, "assets" | "planned">): ReadonlyArray<GiftPayout> => {
  const { assets, planned } = exits
  const { input: { answers } } = question
  const open = planned.filter((one) => one.gift !== undefined && (one.gift.leftSince || !answers.has(one)))
  const sums = new Map<ContractAddress, bigint>()
  for (const [token, amount] of open.flatMap((one) => [...tokensPaid(one)])) {
    if (assets.get(token) !== native && amount > 0n) sums.set(token, (sums.get(token) ?? 0n) + amount)
  }
  return [...sums]
    .map(([token, amount]) => ({ token, amount, rank: rankOf(question, exits, token) }))
    .toSorted((left, right) => left.rank - right.rank)
    .slice(0, mostTokens)
}

/** The same tokens with the whole amount that the close sells. At most what can be moved. */
const giftSales = (question: GiftQuestion, exits: Exits): ReadonlyArray<GiftPayout> => {
  const paid = paidByGifts(question, exits)
  // Most accounts have none, and what all is sold for is computed over every line.
  const inAll = new Map(paid.length === 0 ? [] : question.salesWith(exits).map((sale) => [sale.asset, sale.amount]))
  return paid.map(({ amount, token }) => {
    const asset = exits.assets.get(token)
    const [whole, most] = asset === undefined ? [amount, largestUnits] : [inAll.get(asset) ?? amount, largestAmount]
    return { token, amount: Big.min(whole, most) }
  })
}

/**
 * The routes to sell what gifts pay, on books and through contracts. With everything else that is sold of it. Whether a gift is left
 * without a question rests on them, so a build reads the same as a plan.
 */
export const readGiftRoutes = (
  sources: RouteSources,
  question: GiftQuestion,
  exits: Exits
): Effect.Effect<Pick<Exits, "giftContractRoutes" | "giftRoutes" | "marketEntries">, ChainFailure> => {
  const all = giftSales(question, exits)
  const onBooks = all.flatMap(({ amount, token }) => {
    const asset = exits.assets.get(token)
    return asset === undefined ? [] : [{ name: asset, asset, amount }]
  })
  const to = assetContract(native, question.passphrase)
  const { closeTime, ledgerSeq: sequence } = question.snapshot.header
  const throughContracts = question.routes.best(all.map(({ amount, token }) => ({ from: token, to, amount })), { closeTime, sequence })
  return Effect.map(concurrently([readSaleRoutes(sources, onBooks), throughContracts]), ([{ marketEntries, routes }, found]) => ({
    giftRoutes: routes,
    giftContractRoutes: new Map(all.flatMap(({ token }, index): ReadonlyArray<readonly [ContractAddress, TokenRoute]> => {
      const route = found[index] ?? null
      return route === null ? [] : [[token, route]]
    })),
    marketEntries
  }))
}
