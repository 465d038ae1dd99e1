import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { ExchangeRegistry as Document } from "../../domain/RegistryDocument.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import type { Handlers } from "./Handlers.ts"

/** Handlers of the group `config`. */
export const config = Effect.map(ExchangeRegistry, ({ document }): Handlers["config"] => {
  // It does not change while the process runs, and is encoded once.
  const told = HttpServerResponse.unsafeJson(Schema.encodeSync(Document)(document))
  return { exchangeRegistry: () => Effect.succeed(told) }
})
