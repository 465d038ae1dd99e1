import type { FileSystem } from "@effect/platform"
import { Config, Context, Effect, ExecutionStrategy, Exit, Layer, Option, Scope } from "effect"
import type { Network } from "./domain/Network.ts"
import { Reloads } from "./domain/Reloads.ts"
import { ContractAddresses } from "./registry/ContractAddresses.ts"
import { TokenLists } from "./registry/TokenLists.ts"

/** How long a stack that was replaced lives on: longer than any request that began on it (a batch has 120 seconds). */
const afterlife = "150 seconds"

const settingsOf = (network: Network) => ["CONTRACTS_FILE", "TOKENS_FILE"].map((name) => `${network.toUpperCase()}_${name}`)

/** What the files of a network say now, as one text to compare by. */
const saying = <E, R>(network: Network, contracts: Layer.Layer<ContractAddresses, E, R>) =>
  Effect.scoped(Effect.map(
    Layer.build(Layer.provideMerge(TokenLists.layerFile(network), contracts)),
    (context) => JSON.stringify([Context.get(context, ContractAddresses), Context.get(context, TokenLists)])
  ))

/**
 * The stack of a network, built now, and anew when the process gets SIGHUP and its contracts or tokens file has changed.
 * Requests under way end on the stack on which they began. A stack that cannot be built leaves the one before in its place.
 */
export const stackSlot = <A, E, R, E2, R2>(
  network: Network,
  stack: Layer.Layer<A, E, R>,
  contracts: Layer.Layer<ContractAddresses, E2, R2>
) =>
  Effect.gen(function*() {
    const context = yield* Effect.context<R | R2 | FileSystem.FileSystem | Scope.Scope>()
    const whole = Context.get(context, Scope.Scope)
    const built = Effect.gen(function*() {
      const scope = yield* Scope.fork(whole, ExecutionStrategy.sequential)
      const made = yield* Effect.onError(Layer.buildWithScope(stack, scope), (cause) => Scope.close(scope, Exit.failCause(cause)))
      return { scope, made }
    })
    let current = yield* built
    const named = yield* Effect.forEach(settingsOf(network), (name) => Config.option(Config.nonEmptyString(name)))
    if (named.some(Option.isSome)) {
      let said = yield* saying(network, contracts)
      const run = Effect.gen(function*() {
        const says = yield* saying(network, contracts)
        if (says === said) return
        const { scope: before } = current
        current = yield* built
        said = says
        yield* Effect.forkIn(Effect.delay(Scope.close(before, Exit.void), afterlife), whole)
      })
      const { add } = yield* Reloads
      yield* add({ what: settingsOf(network).join(", "), run: Effect.mapInputContext(run, () => context) })
    }
    return (): Context.Context<A> => current.made
  })
