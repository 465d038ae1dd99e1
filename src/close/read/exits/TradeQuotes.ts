import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LedgerApi } from "../../../chain/LedgerApi.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { stroops } from "../../../domain/Amount.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import { readHops } from "../../model/Market.ts"
import { hopsOf, isDetour } from "../MarketSurvey.ts"
import { type Exits, isForfeited, type PlannedExit } from "../../model/Exits.ts"

/** What the next call of an exit hands over where it is a trade, in stroops; null where it is none, or of no asset of the ledger. */
export const handedOver = ({ assets }: Pick<Exits, "assets">, { exit }: PlannedExit): { readonly asset: AssetId; readonly amount: bigint } | null => {
  const [held] = exit._tag === "Calls" && exit.isTrade === true ? exit.calls[0].holds : []
  const asset = held === undefined ? undefined : assets.get(held.token)
  return held === undefined || asset === undefined || asset === native ? null : { asset, amount: held.amount }
}

/** Reads the ways to sell what trades hand over (`/paths/strict-send`), and every book and pool on them. */
export const readTrades = (
  api: LedgerApi["Type"],
  entries: LedgerEntries["Type"],
  own: AccountAddress,
  exits: Pick<Exits, "assets" | "planned">
): Effect.Effect<Pick<Exits, "marketEntries" | "trades">, ChainFailure> =>
  Effect.gen(function*() {
    const wanted = exits.planned.filter((one) => !isForfeited(one)).flatMap((one) => {
      const sold = handedOver(exits, one)
      return sold === null ? [] : [{ id: one.id, ...sold }]
    })
    const found = yield* Effect.forEach(wanted, ({ amount, asset, id }) =>
      Effect.map(api.strictSendPaths(asset, stroops(amount), native), (paths) => ({
        id,
        asset,
        routes: [[], ...paths.map(({ path }) => path).filter((path) => isDetour(asset, path, native))]
      })), { concurrency: 4 })
    const met = yield* readHops(api, entries, own, found.flatMap(({ asset, routes }) => routes.flatMap((route) => hopsOf(asset, route, native))))
    return { trades: new Map(found.map(({ id, routes }) => [id, routes])), marketEntries: met.entries }
  })
