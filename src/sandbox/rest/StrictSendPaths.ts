import { HttpRouter } from "@effect/platform"
import { Effect } from "effect"
import { strictSendRoutes } from "../PathSearch.ts"
import { heldAssets } from "./HeldAssets.ts"
import { maxAssets, pathPage } from "./PathResource.ts"
import { Problem } from "./Problem.ts"
import { accountParameter, amountParameter, assetTriple, checkCanonicalAsset, query } from "./Query.ts"
import { View } from "./View.ts"

/** `GET /paths/strict-send`: the most that an exact amount fetches. No route is an empty list. */
export const strictSendPaths = HttpRouter.makeRoute(
  "GET",
  "/paths/strict-send",
  Effect.gen(function*() {
    const from = yield* query
    const account = yield* accountParameter(from, "destination_account")
    const names = from.get("destination_assets")
    if ((account === undefined) === (names === undefined)) {
      return yield* Problem.badRequest(
        "The request requires either a list of destination assets or a destination account. Both fields cannot be present."
      )
    }
    const source = yield* assetTriple(from, "source")
    if (source === undefined) return yield* Problem.invalidField("source_asset_type", "non zero value required")
    const amount = yield* amountParameter(from, "source_amount")
    const { state } = yield* View
    const destinations = account === undefined
      ? yield* Effect.forEach((names ?? "").split(","), (name) => checkCanonicalAsset("destination_assets", name))
      : heldAssets(state, account).map(({ asset }) => asset)
    if (destinations.length > maxAssets) {
      return yield* Problem.invalidField(
        account === undefined ? "destination_assets" : "destination_account",
        `list of assets exceeds maximum length of ${maxAssets}`
      )
    }
    return pathPage(
      strictSendRoutes(state, source, amount, destinations),
      ({ destination }) => destination,
      (left, right) => left.destinationAmount > right.destinationAmount
    )
  })
)
