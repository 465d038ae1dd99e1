import { BigInt as Big, Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { ContractAddress } from "../../../domain/Address.ts"
import { largestAmount } from "../../../domain/Amount.ts"
import { native } from "../../../domain/Asset.ts"
import { assetContract } from "../../../stellar/AssetTokens.ts"
import type { TokenRoute } from "../../../tokens/TokenRoutes.ts"
import { largestUnits } from "../../situation/BaseUnits.ts"
import type { Exits } from "../../situation/Exits.ts"
import { trustlineIn } from "../../situation/Holdings.ts"
import { isNamedByOwnCalls } from "../payouts/OwnPosition.ts"
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

/**
 * The rank of a token for quoting: paid by a position that the account's own calls named, then listed, then trusted, then the rest.
 * Strangers cannot change the first three.
 */
const rankOf = (
  { input: { source }, ledgerState, tokenList }: GiftQuestion,
  { assets }: Pick<Exits, "assets">,
  { isOwn, token }: { readonly token: ContractAddress; readonly isOwn: boolean }
): number => {
  if (isOwn) return 0
  if (tokenList.has(token)) return 1
  const asset = assets.get(token)
  return asset !== undefined && trustlineIn(ledgerState, source, asset) !== null ? 2 : 3
}

/**
 * The amounts that open gifts pay of each token but lumens, in the order in which they are quoted. Open are gifts without an answer, and
 * those that an answer named before the account left them.
 */
const paidByGifts = (question: GiftQuestion, exits: Pick<Exits, "assets" | "planned">): ReadonlyArray<GiftPayout> => {
  const { assets, planned } = exits
  const { input: { answers }, snapshot } = question
  const open = planned.filter((one) => one.gift !== undefined && (one.gift.leftSince || !answers.has(one)))
  const sums = new Map<ContractAddress, bigint>()
  const own = new Set<ContractAddress>()
  for (const one of open) {
    for (const [token, amount] of tokensPaid(one)) {
      if (assets.get(token) === native || amount <= 0n) continue
      sums.set(token, (sums.get(token) ?? 0n) + amount)
      if (isNamedByOwnCalls(snapshot, one)) own.add(token)
    }
  }
  return [...sums]
    .map(([token, amount]) => ({ token, amount, rank: rankOf(question, exits, { token, isOwn: own.has(token) }) }))
    .toSorted((left, right) => left.rank - right.rank)
}

/** The same tokens with the whole amount that the close sells. At most what can be moved. */
const giftSales = (question: GiftQuestion, exits: Exits, paid: ReadonlyArray<GiftPayout>): ReadonlyArray<GiftPayout> => {
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
): Effect.Effect<Pick<Exits, "giftContractRoutes" | "giftRoutes" | "marketEntries" | "unquotedGifts">, ChainFailure> => {
  const paid = paidByGifts(question, exits)
  const all = giftSales(question, exits, paid.slice(0, mostTokens))
  const onBooks = all.flatMap(({ amount, token }) => {
    const asset = exits.assets.get(token)
    return asset === undefined ? [] : [{ name: asset, asset, amount }]
  })
  const to = assetContract(native, question.passphrase)
  const { closeTime, ledgerSeq: sequence } = question.snapshot.header
  const throughContracts = question.routes.best(all.map(({ amount, token }) => ({ from: token, to, amount })), { closeTime, sequence })
  return Effect.map(
    Effect.all([readSaleRoutes(sources, onBooks), throughContracts], { concurrency: "unbounded" }),
    ([{ marketEntries, routes }, found]) => ({
      giftRoutes: routes,
      giftContractRoutes: new Map(all.flatMap(({ token }, index): ReadonlyArray<readonly [ContractAddress, TokenRoute]> => {
        const route = found[index] ?? null
        return route === null ? [] : [[token, route]]
      })),
      unquotedGifts: new Set(paid.slice(mostTokens).map(({ token }) => token)),
      marketEntries
    })
  )
}
