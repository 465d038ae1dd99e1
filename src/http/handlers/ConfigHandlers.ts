import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { Api } from "../../api/Api.ts"
import { ExchangeRegistry as Document } from "../../domain/RegistryDocument.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"

/** A document is encoded once, however often it is requested. */
const encodedOnce = () => {
  let last: { readonly document: Document; readonly answer: HttpServerResponse.HttpServerResponse } | null = null
  return (document: Document): HttpServerResponse.HttpServerResponse => {
    if (last?.document !== document) last = { document, answer: HttpServerResponse.unsafeJson(Schema.encodeSync(Document)(document)) }
    return last.answer
  }
}

/** Handlers of the group `config`. */
export const layer = HttpApiBuilder.group(Api, "config", (handlers) =>
  Effect.map(ExchangeRegistry, (registry) => {
    const encoded = encodedOnce()
    return handlers.handle("exchangeRegistry", () => Effect.sync(() => encoded(registry.document)))
  }))
