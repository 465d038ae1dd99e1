import { BigInt as Big } from "effect"
import type { ContractAddress } from "../../../domain/Address.ts"
import { largestAmount, stroops } from "../../../domain/Amount.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import { assetContract } from "../../../stellar/AssetTokens.ts"
import { bestQuote } from "../../market/Conversion.ts"
import { callFee } from "../../market/SaleOffer.ts"
import { isThroughUnlisted } from "../../market/UnlistedTokens.ts"
import { trustlineIn } from "../../situation/Holdings.ts"
import { tokenMovesOf } from "../../situation/Moved.ts"
import { callsOf, type PlannedExit } from "../../situation/PlannedExit.ts"
import type { Situation } from "../../situation/Situation.ts"
import { Workbench } from "../../situation/Workbench.ts"
import { withCredits } from "./LedgerCredits.ts"
import { withRoom } from "./PayoutTrustlines.ts"

/** What the calls of a position pay of each token, less what they hand in of it again; base units. */
export const tokensPaid = (one: PlannedExit): ReadonlyMap<ContractAddress, bigint> => {
  const calls = callsOf(one)
  const sums = new Map<ContractAddress, bigint>(calls.flatMap(({ payouts }) => payouts.map(({ token }) => [token, 0n] as const)))
  for (const { token, units } of tokenMovesOf(calls)) {
    const sum = sums.get(token)
    if (sum !== undefined) sums.set(token, sum + units)
  }
  return sums
}

/** What sales bring in lumens, and what their calls cost; stroops. */
export interface Proceeds {
  readonly receive: bigint
  /**
   * Stroops for the contract call that sells it. Zero for sales in order books: they cost as much as any other way to empty a trustline.
   */
  readonly fee: bigint
}

const net = ({ fee, receive }: Proceeds): bigint => receive - fee

/** The account with so much more of an asset; null where it cannot arrive. */
const arrived = ({ input: { source }, ledgerState }: Situation, asset: AssetId, amount: bigint): Workbench | null => {
  const ready = withRoom(Workbench.open(ledgerState, source), source, asset, amount)
  const line = ready === null ? null : trustlineIn(ready.state, source, asset)
  if (ready === null || line === null || line.balance + amount > line.limit) return null
  return Workbench.open(withCredits(ready.state, source, new Map([[asset, amount]])), source)
}

const onBooks = (situation: Situation, bench: Workbench, asset: AssetId, amount: bigint): Proceeds | null => {
  const { exits: { giftRoutes }, input: { source }, market } = situation
  const quote = bestQuote(bench, { source, asset, amount: stroops(amount) }, giftRoutes.get(asset) ?? market.routes.get(asset) ?? [])
  return quote === null ? null : { receive: quote.receive, fee: 0n }
}

/** The sale through contracts by a way without unlisted tokens; null where there is none, or its call costs as much as it brings. */
const throughContracts = (situation: Situation, token: ContractAddress, amount: bigint): Proceeds | null => {
  const { exits: { assets, giftContractRoutes }, tokenWork: { assetRoutes } } = situation
  const asset = assets.get(token)
  const route = giftContractRoutes.get(token) ?? (asset === undefined ? undefined : assetRoutes.get(asset))
  if (route === undefined || isThroughUnlisted(route)) return null
  const [receive, fee] = [route.pays(amount), callFee(situation, route)]
  return receive > fee && receive <= largestAmount ? { receive, fee } : null
}

/** What so much of a token would bring when it has arrived; null: nothing buys it, it cannot arrive, or there was no time for a quote. */
const proceedsOf = (situation: Situation, token: ContractAddress, amount: bigint): Proceeds | null => {
  const asset = situation.exits.assets.get(token)
  if (asset === native) return { receive: Big.max(amount, 0n), fee: 0n }
  if (amount <= 0n) return null
  if (asset === undefined) return throughContracts(situation, token, amount)
  const bench = arrived(situation, asset, amount)
  if (bench === null) return null
  const [books, contracts] = [onBooks(situation, bench, asset, amount), throughContracts(situation, token, amount)]
  if (books === null || contracts === null) return books ?? contracts
  return net(contracts) > net(books) ? contracts : books
}

/** Whether quotes of a token count for what strangers give: a stranger can make those of unlisted tokens. */
export const isListed = ({ passphrase, tokenList }: Pick<Situation, "passphrase" | "tokenList">, token: ContractAddress): boolean =>
  tokenList.has(token) || token === assetContract(native, passphrase)

/** What those of a position's payouts bring that have a quote, of tokens that count; null where none has. */
export const payoutProceeds = (
  situation: Situation,
  one: PlannedExit,
  counts: (token: ContractAddress) => boolean = () => true
): Proceeds | null => {
  const all = [...tokensPaid(one)].filter(([token]) => counts(token)).flatMap(([token, amount]) =>
    proceedsOf(situation, token, amount) ?? []
  )
  return all.length === 0
    ? null
    : all.reduce((sum, each) => ({ receive: sum.receive + each.receive, fee: sum.fee + each.fee }), { receive: 0n, fee: 0n })
}

/** Stroops of lumens that a position's payouts are quoted at, as far as they have a quote; null where none has. */
export const payoutValue = (situation: Situation, one: PlannedExit): bigint | null => payoutProceeds(situation, one)?.receive ?? null
