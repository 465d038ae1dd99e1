import type { HttpServerError } from "@effect/platform"
import { Context, Effect, Layer, type Scope } from "effect"
import { Friendbot } from "./Friendbot.ts"
import { Listener, type ListenerOptions } from "./Listener.ts"
import { Network, type NetworkOptions } from "./Network.ts"

export type SandboxOptions = Partial<NetworkOptions> & Partial<ListenerOptions>

/** A running sandbox: a network of its own, served on a socket until the scope closes. */
export class Sandbox extends Context.Tag("closeout/sandbox/Sandbox")<
  Sandbox,
  Context.Tag.Service<Listener> & {
    /** For scenarios and tests that work on the network itself. */
    readonly network: Context.Tag.Service<Network>
    readonly passphrase: string
  }
>() {
  static layer(options: SandboxOptions = {}): Layer.Layer<Sandbox, HttpServerError.ServeError> {
    return Layer.scoped(Sandbox, startSandbox(options))
  }
}

/** Starts a sandbox on a free loopback port. Every call makes a network that shares nothing with any other. */
export const startSandbox = (
  options: SandboxOptions = {}
): Effect.Effect<Context.Tag.Service<Sandbox>, HttpServerError.ServeError, Scope.Scope> =>
  Effect.gen(function*() {
    // Built in a memo map of its own, so that no layer in it can be shared with another sandbox.
    const services = yield* Layer.build(
      Listener.layer(options).pipe(
        Layer.provideMerge(Layer.fresh(Friendbot.layer)),
        Layer.provideMerge(Network.layer(options))
      )
    )
    const network = Context.get(services, Network)
    return { ...Context.get(services, Listener), network, passphrase: network.passphrase }
  })
