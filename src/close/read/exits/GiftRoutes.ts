import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LedgerApi } from "../../../chain/LedgerApi.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { largestAmount, stroops } from "../../../domain/Amount.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import type { CloseInput } from "../../model/CloseInput.ts"
import { readHops } from "../MarketReader.ts"
import { hopsOf, isDetour } from "../../model/Routes.ts"
import { callsOf, type Exits } from "../../model/Exits.ts"

/** Assets that gifts pay and that are asked about: strangers choose how many there are. What is beyond has no quote. */
const mostAssets = 20

/** What gifts that no answer names would pay of each asset, stroops. */
const paidByGifts = ({ decisions }: CloseInput, { assets, planned }: Pick<Exits, "assets" | "planned">): ReadonlyMap<AssetId, bigint> => {
  const sums = new Map<AssetId, bigint>()
  for (const { expected, token } of planned.filter(({ gift, id }) => gift !== undefined && !decisions.has(id)).flatMap(callsOf).flatMap(({ payouts }) => payouts)) {
    const asset = assets.get(token)
    if (asset === undefined || asset === native || expected <= 0n || (sums.size === mostAssets && !sums.has(asset))) continue
    const sum = (sums.get(asset) ?? 0n) + expected
    sums.set(asset, sum < largestAmount ? sum : largestAmount)
  }
  return sums
}

/**
 * Ways to sell what gifts pay (`/paths/strict-send`), with every book and pool on them. Whether a gift is left unasked rests on them, so a
 * builder reads what a plan reads, whatever its own transaction carries.
 */
export const readGiftRoutes = (
  api: LedgerApi["Type"],
  entries: LedgerEntries["Type"],
  input: CloseInput,
  exits: Pick<Exits, "assets" | "planned">
): Effect.Effect<Pick<Exits, "giftRoutes" | "marketEntries">, ChainFailure> =>
  Effect.gen(function*() {
    const found = yield* Effect.forEach(paidByGifts(input, exits), ([asset, amount]) =>
      Effect.map(api.strictSendPaths(asset, stroops(amount), native), (paths) =>
        [asset, [[], ...paths.map(({ path }) => path).filter((path) => isDetour(asset, path, native))]] as const), { concurrency: 4 })
    const met = yield* readHops(api, entries, input.source, found.flatMap(([asset, routes]) => routes.flatMap((route) => hopsOf(asset, route, native))))
    return { giftRoutes: new Map(found), marketEntries: met.entries }
  })
