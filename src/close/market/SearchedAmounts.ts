import type { AssetId } from "../../domain/Asset.ts"
import type { Situation } from "../situation/Situation.ts"
import { isRouteFor } from "./SaleOffer.ts"

/** Whether ways through contracts were searched for so much of an asset, so that one without a way has no buyer. */
export const isSearched = (
  { tokenWork: { searchedAmounts } }: Pick<Situation, "tokenWork">,
  asset: AssetId,
  amount: bigint
): boolean => searchedAmounts === null || (searchedAmounts.get(asset) ?? []).some((amountIn) => isRouteFor({ amountIn }, amount))
