import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"

/** Handlers of the group `config`. */
export const layer = HttpApiBuilder.group(Api, "config", (handlers) =>
  Effect.map(ExchangeRegistry, ({ document }) => handlers.handle("exchangeRegistry", () => Effect.succeed(document))))
