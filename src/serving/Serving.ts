import { Config, ConfigError, Context, Effect, Layer, Option, Redacted } from "effect"
import { type NetworkAddress, NetworkSettings, rpcOnlySetting } from "../chain/NetworkSettings.ts"
import { mediatorSecretSetting, MediatorSigner } from "../close/situation/MediatorSigner.ts"
import { sweepAccount, sweepAccountSetting } from "../close/sweep/MediatorSweep.ts"
import { ledgerSeconds } from "../domain/Ledger.ts"
import { type Network, networks } from "../domain/Network.ts"
import type { ServedNetwork } from "../Networks.ts"
import { ContractAddresses } from "../registry/ContractAddresses.ts"
import type { EmbeddedOptions, EmbeddedSandbox } from "./EmbeddedSandbox.ts"

const configured = Effect.map(Effect.forEach(networks, (network) => NetworkSettings.config(network)), (all) => all.flatMap(Option.toArray))

/** `NETWORK_SANDBOX`. */
export const sandboxSetting = Config.option(Config.literal("testnet")("NETWORK_SANDBOX"))

/** `NETWORK_SANDBOX=testnet` serves the embedded sandbox as `testnet`; so does a process without any network setting. */
const sandboxWanted = (anyReal: boolean) => Effect.map(sandboxSetting, Option.match({ onNone: () => !anyReal, onSome: () => true }))

/**
 * What is left with a mediator can be lost, so that one who holds its key says where the surplus goes. Its account is watched by its history,
 * which only a ledger API has.
 */
export const sweptSomewhere = (network: Network) =>
  Effect.gen(function*() {
    const name = sweepAccountSetting(network)
    const secret = yield* Config.option(Config.redacted(mediatorSecretSetting(network)))
    if (Option.isSome(secret) && (yield* rpcOnlySetting(network)) === "on") {
      return yield* Effect.fail(
        ConfigError.InvalidData(
          [mediatorSecretSetting(network)],
          "cannot be used without a ledger API, which lists what happens to the mediator's account"
        )
      )
    }
    if (Option.isNone(secret) || Option.isSome(yield* sweepAccount(network))) return
    return yield* Effect.fail(
      ConfigError.MissingData([name], `is required with ${mediatorSecretSetting(network)}: the mediator's surplus goes there`)
    )
  })

const real = (address: NetworkAddress): ServedNetwork => ({
  address,
  mediator: MediatorSigner.layerConfig(address.network),
  contracts: ContractAddresses.layerFile(address.network)
})

/** Loaded only where one is served: a sandbox is a quarter of everything this service is made of. */
const sandboxLike = (options: EmbeddedOptions) =>
  Effect.flatMap(Effect.promise(() => import("./EmbeddedSandbox.ts")), ({ embeddedSandbox }) => embeddedSandbox(options))

/** What this process serves, by its settings: real networks, the embedded sandbox, or both. */
export class Serving extends Context.Tag("closeout/Serving")<Serving, {
  readonly networks: ReadonlyArray<ServedNetwork>
  /** Null when no sandbox is served. */
  readonly sandbox: EmbeddedSandbox | null
  /** True when nothing but the sandbox is served, so that nothing real is at stake. */
  readonly sandboxOnly: boolean
}>() {
  /** Where a sandbox is served, it is one like this. */
  static readonly layerWith = ({ mediator: isMediated = true, ...options }: EmbeddedOptions) =>
    Layer.scoped(
      Serving,
      Effect.gen(function*() {
        const addresses = yield* configured
        yield* Effect.forEach(addresses, ({ network }) => sweptSomewhere(network), { discard: true })
        const wanted = yield* sandboxWanted(addresses.length > 0)
        if (wanted && addresses.some(({ network }) => network === "testnet")) {
          return yield* Effect.fail(
            ConfigError.InvalidData(["NETWORK_SANDBOX"], "testnet cannot be both the sandbox and a configured network")
          )
        }
        const sandbox = wanted ? yield* sandboxLike(options) : null
        return Serving.of({
          networks: [
            ...addresses.map(real),
            ...(sandbox === null ? [] : [{
              address: sandbox.address,
              mediator: isMediated ? MediatorSigner.layerSecret(Redacted.make(sandbox.mediator.secret())) : MediatorSigner.layerNone,
              contracts: sandbox.contracts
            }])
          ],
          sandbox,
          sandboxOnly: sandbox !== null && addresses.length === 0
        })
      })
    )

  /** A sandbox with protocols on it, whose ledgers close as often as those of a real network. */
  static readonly layer = Serving.layerWith({ closeEvery: `${ledgerSeconds} seconds`, protocols: true, accounts: true })
}
