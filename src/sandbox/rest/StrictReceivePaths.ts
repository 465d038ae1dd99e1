import { HttpRouter } from "@effect/platform"
import { Effect } from "effect"
import { assetId } from "../../ledger/Asset.ts"
import { strictReceiveRoutes } from "../PathSearch.ts"
import { heldAssets } from "./HeldAssets.ts"
import { maxAssets, pathPage } from "./PathResource.ts"
import { Problem } from "./Problem.ts"
import { accountParameter, amountParameter, assetTriple, checkCanonicalAsset, query } from "./Query.ts"
import { View } from "./View.ts"

/** `GET /paths/strict-receive`: the least that buys an exact amount; of an account only what its balances reach. */
export const strictReceivePaths = HttpRouter.makeRoute(
  "GET",
  "/paths/strict-receive",
  Effect.gen(function*() {
    const from = yield* query
    const account = yield* accountParameter(from, "source_account")
    const names = from.get("source_assets")
    if ((account === undefined) === (names === undefined)) {
      return yield* Problem.badRequest(
        "The request requires either a list of source assets or a source account. Both fields cannot be present."
      )
    }
    const destination = yield* assetTriple(from, "destination")
    if (destination === undefined) return yield* Problem.invalidField("destination_asset_type", "non zero value required")
    const amount = yield* amountParameter(from, "destination_amount")
    const { state } = yield* View
    const held = account === undefined ? [] : heldAssets(state, account)
    const sources = account === undefined
      ? yield* Effect.forEach((names ?? "").split(","), (name) => checkCanonicalAsset("source_assets", name))
      : held.map(({ asset }) => asset)
    if (sources.length > maxAssets) {
      return yield* Problem.invalidField(
        account === undefined ? "source_assets" : "source_account",
        `list of assets exceeds maximum length of ${maxAssets}`
      )
    }
    const balances = new Map(held.map(({ asset, balance }) => [assetId(asset), balance]))
    return pathPage(
      strictReceiveRoutes(state, sources, destination, amount).filter(
        ({ source, sourceAmount }) => account === undefined || sourceAmount <= (balances.get(assetId(source)) ?? 0n)
      ),
      ({ source }) => source,
      (left, right) => left.sourceAmount < right.sourceAmount
    )
  })
)
