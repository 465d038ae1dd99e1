import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ConversionPath } from "../domain/ConversionPath.ts"
import { Checked } from "./Checked.ts"
import { failures } from "./ErrorTable.ts"
import { ConversionQuery, NetworkPath } from "./Parameters.ts"
import { networkFailures } from "./RouteFailures.ts"
import { ApiKeyAuth } from "./Security.ts"

const find = HttpApiEndpoint.get("find", "/:network/paths")
  .setPath(NetworkPath)
  .setUrlParams(ConversionQuery)
  .addSuccess(
    Schema.Struct({
      path: Schema.NullOr(ConversionPath).annotations({ description: "Null: no path was found, or there is nothing to convert." })
    })
      .annotations({ identifier: "PathResult", description: "The best path, if there is one." })
  )
  .addError(failures("InvalidAsset", "InvalidAmount", "InvalidSlippage", "MissingParameters"))
  .addError(networkFailures)
  .annotate(OpenApi.Identifier, "findPath")
  .annotate(OpenApi.Summary, "Find a conversion path")
  .annotate(
    OpenApi.Description,
    "The best way from an asset or a token to lumens, with its estimate and floor. It is a strict-send path payment, or a call of pools of one protocol. An outage is an error, never null."
  )

/** Conversion paths. */
export class Paths extends HttpApiGroup.make("paths")
  .add(find)
  .middleware(Checked)
  .middleware(ApiKeyAuth)
  .annotate(OpenApi.Title, "Paths")
  .annotate(OpenApi.Description, "Ways from an asset or a token to lumens.")
{}
