import { NodeFileSystem } from "@effect/platform-node"
import type { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { KeyManagement } from "../../../src/keys/KeyManagement.ts"
import { KeyStore } from "../../../src/keys/KeyStore.ts"
import { SelfService } from "../../../src/keys/SelfService.ts"
import { ServerIdentity } from "../../../src/keys/ServerIdentity.ts"
import { StaticKeys } from "../../../src/keys/StaticKeys.ts"
import { settings } from "../../support/TestHttp.ts"

/** One instance of the service's keys over a database that others may use as well. */
export const instance = (opened: Layer.Layer<SqlClient.SqlClient, unknown>, values: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    Layer.build(
      Layer.merge(Layer.fresh(KeyStore.layer), Layer.provide(Layer.fresh(SelfService.layer), Layer.fresh(ServerIdentity.layer))).pipe(
        Layer.provideMerge(Layer.merge(opened, Layer.provide(StaticKeys.layer, NodeFileSystem.layer))),
        Layer.provide(settings(values))
      )
    ),
    (context) => {
      const store = Context.get(context, KeyStore)
      const verify = (key: string) => Effect.map(store.verify(Redacted.make(key)), Option.getOrNull)
      return { context, store, verify, keys: Context.get(context, KeyManagement), selfService: Context.get(context, SelfService) }
    }
  )
