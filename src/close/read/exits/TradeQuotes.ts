import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LedgerApi } from "../../../chain/LedgerApi.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { stroops } from "../../../domain/Amount.ts"
import { native } from "../../../domain/Asset.ts"
import { readHops } from "../MarketReader.ts"
import { hopsOf, isDetour } from "../../model/Routes.ts"
import { type Exits, isForfeited } from "../../model/Exits.ts"
import { tradedBy } from "../../model/HandedOver.ts"

/** Reads the ways to sell what trades hand over (`/paths/strict-send`), and every book and pool on them. */
export const readTrades = (
  api: LedgerApi["Type"],
  entries: LedgerEntries["Type"],
  own: AccountAddress,
  exits: Pick<Exits, "assets" | "planned">
): Effect.Effect<Pick<Exits, "marketEntries" | "trades">, ChainFailure> =>
  Effect.gen(function*() {
    const wanted = exits.planned.filter((one) => !isForfeited(one)).flatMap((one) => {
      const sold = tradedBy(exits, one)
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
