import { BigInt as Big, Option, Record } from "effect"
import type { ContractAddress } from "../domain/Address.ts"
import { showAmount } from "../domain/Amount.ts"
import { native } from "../domain/Asset.ts"
import type { DefiPositionsResult } from "../domain/Position.ts"
import type { PoolMarket, ProtocolReading } from "../protocols/ProtocolRegistry.ts"
import { assetContract } from "../stellar/AssetTokens.ts"

/**
 * Stroops that one unit of a token sells for, in the pool that pays least for it. Anyone can open a pool and give a share of it away. The least
 * price keeps one that a stranger set from looking like wealth. Null: no pool that was read buys it for lumens.
 */
const priceOf = (markets: ReadonlyArray<PoolMarket>, token: ContractAddress, unit: bigint, lumens: ContractAddress): bigint | null => {
  const offers = markets.flatMap(({ market, tokens }) => {
    if (token === lumens || !tokens.includes(token) || !tokens.includes(lumens)) return []
    // A pool may hold anything: one that cannot be computed with gives no price, and costs nothing else.
    const paid = Option.getOrNull(Option.liftThrowable(() => market.pays(token, lumens, unit))())
    return paid === null || paid <= 0n ? [] : [paid]
  })
  return offers.length === 0 ? null : offers.reduce((least, paid) => Big.min(least, paid))
}

/** The enrichment with a price for each token that a pool of the account's positions trades for lumens. */
export const withPrices = (
  enrichment: DefiPositionsResult["enrichment"],
  readings: ReadonlyArray<Extract<ProtocolReading, { readonly _tag: "Read" }>>,
  passphrase: string
): DefiPositionsResult["enrichment"] => {
  const markets = readings.flatMap((reading) => reading.markets?.() ?? [])
  if (markets.length === 0) return enrichment
  const lumens = assetContract(native, passphrase)
  return Record.map(enrichment, (facts, token) => {
    const price = facts.decimals === null ? null : priceOf(markets, token as ContractAddress, 10n ** BigInt(facts.decimals), lumens)
    return price === null ? facts : { ...facts, priceLumens: showAmount(price), priceSource: "pool" as const }
  })
}
