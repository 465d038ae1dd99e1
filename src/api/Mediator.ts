import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Checked } from "./Checked.ts"
import { failures } from "./ErrorTable.ts"
import { MediatorBody } from "./MediatorBody.ts"
import { NetworkPath } from "./Parameters.ts"
import { bodyFailures, networkFailures } from "./RouteFailures.ts"
import { ApiKeyAuth } from "./Security.ts"

/** What the mediator signed. */
export const MediatorResult = Schema.Struct({
  transaction: Schema.String.annotations({ description: "The same envelope with the mediator's signature, base64." })
}).annotations({ identifier: "MediatorResult", description: "The co-signed transaction." })

/** What the mediator may answer beside what every route may. */
export const mediatorFailures = failures(
  "InvalidTransaction",
  "AccountNotFound",
  "RegistryExpired",
  "MediatorRefused",
  "MediatorNotConfigured",
  "MediatorOverfunded",
  "LedgerApiLagging",
  "ContractRpcLagging",
  "SourcesDisagree",
  "NetworkFeeAboveLimit"
)

const sign = HttpApiEndpoint.post("sign", "/:network/mediator/sign")
  .setPath(NetworkPath)
  .setPayload(MediatorBody)
  .addSuccess(MediatorResult)
  .addError(mediatorFailures)
  .addError(networkFailures)
  .addError(bodyFailures)
  .annotate(OpenApi.Identifier, "signAsMediator")
  .annotate(OpenApi.Summary, "Co-sign the forwarding payment")
  .annotate(
    OpenApi.Description,
    "For an exchange destination: the mediator checks the last transaction and adds its signature. Refusals name the broken rule."
  )

/** The mediator of exchange destinations. */
export class Mediator extends HttpApiGroup.make("mediator")
  .add(sign)
  .middleware(Checked)
  .middleware(ApiKeyAuth)
  .annotate(OpenApi.Title, "Mediator")
  .annotate(OpenApi.Description, "Closing into an exchange, which credits payments but no merges.")
{}
