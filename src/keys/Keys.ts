import { Effect, Layer } from "effect"
import * as KeyDatabase from "./database/KeyDatabase.ts"
import { KeyStore } from "./KeyStore.ts"
import { SelfService } from "./SelfService.ts"
import { ServerIdentity } from "./ServerIdentity.ts"
import { StaticKeys } from "./StaticKeys.ts"

/** The database; where static keys can be served without it, the start does not depend on it. */
const database = (passing: boolean) =>
  Layer.unwrapEffect(Effect.map(StaticKeys, ({ isEmpty }) => KeyDatabase.layer({ passing, mayBeLate: !passing && !isEmpty })))

/**
 * Everything about keys over one database: looking them up, managing them, and sessions of persons. `passing` is for a service whose
 * networks begin anew with every start: it keeps nothing, unless a setting says where.
 */
export const layer = <Made, E, R>(
  { passing, statics }: { readonly passing: boolean; readonly statics: Layer.Layer<StaticKeys | Made, E, R> }
) =>
  Layer.merge(KeyStore.layer, Layer.provide(SelfService.layer, ServerIdentity.layer)).pipe(
    Layer.provideMerge(statics),
    Layer.provide(Layer.provide(database(passing), statics))
  )
