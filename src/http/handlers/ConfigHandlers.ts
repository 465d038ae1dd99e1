import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { ExchangeRegistry as Document } from "../../domain/RegistryDocument.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import type { Handlers } from "./Handlers.ts"

/** A document is encoded once, however often it is asked for. */
const encodedOnce = () => {
  let last: { readonly document: Document; readonly answer: HttpServerResponse.HttpServerResponse } | null = null
  return (document: Document): HttpServerResponse.HttpServerResponse => {
    if (last?.document !== document) last = { document, answer: HttpServerResponse.unsafeJson(Schema.encodeSync(Document)(document)) }
    return last.answer
  }
}

/** Handlers of the group `config`. */
export const config = Effect.map(ExchangeRegistry, (registry): Handlers["config"] => {
  const encoded = encodedOnce()
  return { exchangeRegistry: () => Effect.sync(() => encoded(registry.document)) }
})
