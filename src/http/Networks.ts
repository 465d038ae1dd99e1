import { Context, type Effect } from "effect"
import type { AccountReader } from "../account/AccountReader.ts"
import type { Builder } from "../close/Builder.ts"
import type { Planner } from "../close/Planner.ts"
import type { Submission } from "../close/Submission.ts"
import type { NetworkUnavailable } from "../domain/failure/Upstream.ts"
import type { ComponentHealth } from "../domain/Health.ts"
import type { Network } from "../domain/Network.ts"

/** The services that exist once for each network. */
export type NetworkServices = AccountReader | Planner | Builder | Submission

/** A network that is served. */
export interface EnabledNetwork {
  /** True for the embedded sandbox. */
  readonly sandbox: boolean
  readonly passphrase: string
}

/** The stacks of services, one for each network that is configured. */
export class Networks extends Context.Tag("closeout/Networks")<Networks, {
  /** Runs an effect with the services of that network; `NetworkUnavailable` when it is not configured. */
  readonly on: (network: Network) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | NetworkUnavailable, Exclude<R, NetworkServices>>
  /** The networks that are served. */
  readonly enabled: ReadonlyMap<Network, EnabledNetwork>
  /** Health of every source of every enabled network, by component: `rpc_mainnet`, `ledger_api_mainnet` and the same for testnet. */
  readonly health: Effect.Effect<Readonly<Record<string, ComponentHealth>>>
}>() {}
