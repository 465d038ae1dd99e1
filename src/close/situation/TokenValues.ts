import type { ContractAddress } from "../../domain/Address.ts"
import { largestAmount, showAmount, stroops } from "../../domain/Amount.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import type { ValueItem } from "../../domain/Value.ts"
import { objectMemo } from "../../fibers/ObjectMemo.ts"
import type { Situation } from "./Situation.ts"
import { codeOf } from "./SpokenAmount.ts"

/** An amount of an asset, in stroops or its units of 10^-7. Of others than lumens nothing is quoted yet. */
export const assetValue = (asset: AssetId, units: bigint): ValueItem => ({
  asset,
  symbol: codeOf(asset),
  amount: showAmount(units),
  lumens: asset === native && units >= 0n && units <= largestAmount ? stroops(units) : null
})

/** The symbols of the tokens that a reading found held: looked up for each of them, which may be many. */
const heldSymbols = objectMemo(({ held }: Situation["snapshot"]["tokens"]) =>
  new Map<string, string | null>(held.map(({ contract, symbol }) => [contract, symbol]))
)

/** The symbol of a token, as its contract reports it; null: not known. */
export const tokenSymbol = ({ snapshot: { state, tokens } }: Pick<Situation, "snapshot">, token: string): string | null =>
  heldSymbols(tokens).get(token) ?? state.defiPositions.enrichment[token]?.symbol ?? null

/** An amount of a token in base units; of one that stands for an asset of the ledger, of that asset. */
const tokenValue = (situation: Pick<Situation, "exits" | "snapshot">, token: ContractAddress, units: bigint): ValueItem => {
  const asset = situation.exits.assets.get(token)
  return asset === undefined
    ? { token, symbol: tokenSymbol(situation, token), amount: units.toString(), lumens: null }
    : assetValue(asset, units)
}

/** Amounts by token as values, without those of nothing. */
export const tokenValues = (
  situation: Pick<Situation, "exits" | "snapshot">,
  amounts: Iterable<readonly [token: ContractAddress, units: bigint]>
): ReadonlyArray<ValueItem> => {
  const sums = new Map<ContractAddress, bigint>()
  for (const [token, units] of amounts) sums.set(token, (sums.get(token) ?? 0n) + units)
  return [...sums].flatMap(([token, units]) => (units > 0n ? [tokenValue(situation, token, units)] : []))
}
