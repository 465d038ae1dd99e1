import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ExchangeRegistry } from "../domain/RegistryDocument.ts"
import { Checked } from "./Checked.ts"

const exchangeRegistry = HttpApiEndpoint.get("exchangeRegistry", "/config/exchange-registry")
  .addSuccess(ExchangeRegistry)
  .annotate(OpenApi.Identifier, "getExchangeRegistry")
  .annotate(OpenApi.Summary, "Read the exchange registry")
  .annotate(
    OpenApi.Description,
    "Public. Deposit addresses of exchanges and their memo rules. Do not rely on it past `validUntil`; the route still serves it."
  )

/** Public configuration. */
export class Config extends HttpApiGroup.make("config")
  .add(exchangeRegistry)
  .middleware(Checked)
  .annotate(OpenApi.Title, "Configuration")
  .annotate(OpenApi.Description, "What the service relies on.")
{}
