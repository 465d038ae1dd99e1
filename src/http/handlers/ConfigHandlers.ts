import { Effect } from "effect"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import type { Handlers } from "./Handlers.ts"

/** Handlers of the group `config`. */
export const config = Effect.map(ExchangeRegistry, ({ document }): Handlers["config"] => ({
  exchangeRegistry: () => Effect.succeed(document)
}))
