import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { DestinationReport } from "../domain/Destination.ts"
import { Checked } from "./Checked.ts"
import { failures } from "./ErrorTable.ts"
import { DestinationPath } from "./Parameters.ts"
import { networkFailures } from "./RouteFailures.ts"
import { ApiKeyAuth } from "./Security.ts"

const describe = HttpApiEndpoint.get("describe", "/:network/destinations/:address")
  .setPath(DestinationPath)
  .addSuccess(DestinationReport)
  .addError(failures("InvalidAddress"))
  .addError(networkFailures)
  .annotate(OpenApi.Identifier, "getDestination")
  .annotate(OpenApi.Summary, "Describe a destination")
  .annotate(
    OpenApi.Description,
    "Whether it is an exchange's deposit address, an account or unfunded, and which memo it needs. " +
      "Of a muxed address (M...) this is about its account, and `muxedProblem` says whether a close takes it."
  )

/** What destinations need. */
export class Destinations extends HttpApiGroup.make("destinations")
  .add(describe)
  .middleware(Checked)
  .middleware(ApiKeyAuth)
  .annotate(OpenApi.Title, "Destinations")
  .annotate(OpenApi.Description, "What a destination is, before anything is planned.")
{}
