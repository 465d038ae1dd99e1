import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer } from "effect"
import type { NetworkSettings } from "./chain/NetworkSettings.ts"
import * as All from "./protocols/All.ts"
import type { Registrations } from "./protocols/Protocol.ts"
import { ProtocolRegistry } from "./protocols/ProtocolRegistry.ts"
import type { ContractAddresses } from "./registry/ContractAddresses.ts"
import { mainOver } from "./Server.ts"
import { Serving } from "./serving/Serving.ts"
import { start } from "./serving/Start.ts"

/** What a team brings along. */
export interface TeamService {
  /** Its decoders, each a `Protocol.layer`; several are merged. They serve beside ours on every network. */
  readonly protocols: Layer.Layer<never, never, Registrations | ContractAddresses | NetworkSettings>
}

/** What the settings serve, read by these decoders too. */
export const servingWith = ({ protocols }: TeamService) => {
  const registry = ProtocolRegistry.layerFrom(Layer.merge(All.layer, protocols))
  return Layer.effect(
    Serving,
    Effect.map(
      Serving,
      (serving) => Serving.of({ ...serving, networks: serving.networks.map((network) => ({ ...network, protocols: registry })) })
    )
  ).pipe(Layer.provide(Serving.layer))
}

/** Starts the service with a team's decoders in this process, by the settings of its environment, and ends the process with it. */
export const serve = (team: TeamService): void =>
  NodeRuntime.runMain(start(mainOver(servingWith(team))), { disablePrettyLogger: true, disableErrorReporting: true })
