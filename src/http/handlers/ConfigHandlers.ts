import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { Api } from "../../api/Api.ts"
import { ExchangeRegistry as Document } from "../../domain/RegistryDocument.ts"
import { objectMemo } from "../../fibers/ObjectMemo.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"

/** A document is encoded once, however often it is requested. */
const encoded = objectMemo((document: Document) => HttpServerResponse.unsafeJson(Schema.encodeSync(Document)(document)))

/** Handlers of the group `config`. */
export const layer = HttpApiBuilder.group(
  Api,
  "config",
  (handlers) =>
    Effect.map(ExchangeRegistry, (registry) => handlers.handle("exchangeRegistry", () => Effect.sync(() => encoded(registry.document))))
)
