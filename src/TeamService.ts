import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer } from "effect"
import type { NetworkSettings } from "./chain/NetworkSettings.ts"
import { ledgerSeconds } from "./domain/Ledger.ts"
import * as All from "./protocols/All.ts"
import type { Registrations } from "./protocols/Protocol.ts"
import { ProtocolRegistry } from "./protocols/ProtocolRegistry.ts"
import type { ContractAddresses } from "./registry/ContractAddresses.ts"
import { mainOver } from "./Server.ts"
import type { SandboxExtension } from "./serving/EmbeddedSandbox.ts"
import { Serving } from "./serving/Serving.ts"
import { start } from "./serving/Start.ts"

export type { PreparedAccount, SandboxExtension } from "./serving/EmbeddedSandbox.ts"

/** What a team adds to the service. */
export interface TeamService {
  /** Its decoders, each a `Protocol.layer`; several are merged. They serve beside ours on every network. */
  readonly protocols: Layer.Layer<never, never, Registrations | ContractAddresses | NetworkSettings>
  /**
   * What the embedded sandbox has, for a process that serves one: the team's contracts and accounts in place of our prepared ones. Left out:
   * ours.
   */
  readonly sandbox?: SandboxExtension
}

const servingOf = (extension: SandboxExtension | undefined) =>
  extension === undefined
    ? Serving.layer
    : Serving.layerWith({ closeEvery: `${ledgerSeconds} seconds`, protocols: false, accounts: false, extension })

/** What the settings serve, read by these decoders too. */
export const servingWith = ({ protocols, sandbox }: TeamService) => {
  const registry = ProtocolRegistry.layerFrom(Layer.merge(All.layer, protocols))
  return Layer.effect(
    Serving,
    Effect.map(
      Serving,
      (serving) => Serving.of({ ...serving, networks: serving.networks.map((network) => ({ ...network, protocols: registry })) })
    )
  ).pipe(Layer.provide(servingOf(sandbox)))
}

/** Starts the service with a team's decoders in this process, by the settings of its environment, and ends the process with it. */
export const serve = (team: TeamService): void =>
  NodeRuntime.runMain(start(mainOver(servingWith(team))), { disablePrettyLogger: true, disableErrorReporting: true })
