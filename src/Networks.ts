import type { FileSystem } from "@effect/platform"
import { Array as Arr, type ConfigError, Context, Effect, Layer } from "effect"
import { AccountReader } from "./account/AccountReader.ts"
import type { ChainFailure } from "./chain/ChainFailure.ts"
import { ContractRpc } from "./chain/ContractRpc.ts"
import { Explorer } from "./chain/Explorer.ts"
import { LedgerApi } from "./chain/LedgerApi.ts"
import { LedgerEntries } from "./chain/LedgerEntries.ts"
import { type NetworkAddress, NetworkSettings } from "./chain/NetworkSettings.ts"
import * as RpcOnly from "./chain/rpc-only/RpcOnly.ts"
import { NewestEntries } from "./chain/witness/NewestEntries.ts"
import { SecondWitness } from "./chain/witness/SecondWitness.ts"
import { BatchPlan } from "./close/answer/BatchPlan.ts"
import { Builder } from "./close/answer/Builder.ts"
import { Planner } from "./close/answer/Planner.ts"
import { Preflight } from "./close/answer/Preflight.ts"
import { RevokeBuilder } from "./close/answer/RevokeBuilder.ts"
import { ExitReader } from "./close/leaving/read/ExitReader.ts"
import { Admission, Computing } from "./close/load/Admission.ts"
import { MarketSource } from "./close/market/MarketSource.ts"
import { PathFinder } from "./close/market/PathFinder.ts"
import { SaleSettings } from "./close/market/SaleSettings.ts"
import { Mediator } from "./close/mediator/Mediator.ts"
import { MediatorResidue } from "./close/mediator/MediatorResidue.ts"
import { Completion } from "./close/read/Completion.ts"
import { Destinations } from "./close/read/Destinations.ts"
import { FormerMediators } from "./close/read/FormerMediators.ts"
import { InclusionFees } from "./close/read/InclusionFees.ts"
import { RecentTransactions } from "./close/read/RecentTransactions.ts"
import { SituationReader } from "./close/read/SituationReader.ts"
import { SourceAgreement } from "./close/read/SourceAgreement.ts"
import { FeeSettings } from "./close/situation/FeeSettings.ts"
import { FloatSettings } from "./close/situation/FloatSettings.ts"
import { HeaderRule } from "./close/situation/HeaderRule.ts"
import { MediatorAccount } from "./close/situation/MediatorAccount.ts"
import type { MediatorSigner } from "./close/situation/MediatorSigner.ts"
import { Submission } from "./close/submit/Submission.ts"
import { SubmitGate } from "./close/submit/SubmitGate.ts"
import { MediatorSweep } from "./close/sweep/MediatorSweep.ts"
import * as SweepLoop from "./close/sweep/SweepLoop.ts"
import * as Watcher from "./close/watch/Watcher.ts"
import { NetworkUnavailable } from "./domain/failure/Upstream.ts"
import type { ComponentHealth } from "./domain/Health.ts"
import type { Network } from "./domain/Network.ts"
import { sharedFor } from "./fibers/SharedWork.ts"
import { AccountSigners } from "./keys/AccountSigners.ts"
import { Coverage } from "./protocols/Coverage.ts"
import { ProtocolRegistry } from "./protocols/ProtocolRegistry.ts"
import type { ContractAddresses } from "./registry/ContractAddresses.ts"
import type { RegistryFileInvalid } from "./registry/RegistryFile.ts"
import { TokenLists } from "./registry/TokenLists.ts"
import { scanFiles } from "./ScanFiles.ts"
import { networkHealth } from "./serving/NetworkHealth.ts"
import { type UpgradeSign, upgradeSigns } from "./serving/UpgradeSigns.ts"
import { stackSlot } from "./StackSlot.ts"
import { AllowanceLookup } from "./tokens/AllowanceLookup.ts"
import { AllowanceReader } from "./tokens/AllowanceReader.ts"
import { OwnerEvents } from "./tokens/OwnerEvents.ts"
import { TokenReader } from "./tokens/TokenReader.ts"
import { TokenRoutes } from "./tokens/TokenRoutes.ts"

/** What a handler can ask of one network. */
export type NetworkServices =
  | AccountReader
  | AccountSigners
  | Admission
  | AllowanceReader
  | BatchPlan
  | Builder
  | Destinations
  | PathFinder
  | Planner
  | Preflight
  | RevokeBuilder
  | Submission
  | Mediator

/** A network to be served: where it is, and what is deployed on it. */
export interface ServedNetwork {
  readonly address: NetworkAddress
  /** The mediator that pays exchanges, or none. */
  readonly mediator: Layer.Layer<MediatorSigner, ConfigError.ConfigError>
  readonly contracts: Layer.Layer<ContractAddresses, RegistryFileInvalid | ConfigError.ConfigError, FileSystem.FileSystem>
  /** Its decoders, where they are not those of this version. */
  readonly protocols?: Layer.Layer<ProtocolRegistry, never, ContractAddresses | ContractRpc | LedgerEntries | NetworkSettings>
  /** The watch over its mediator, where it is not the usual one. */
  readonly watch?: typeof Watcher.layer
  /** Where scanned announcements outlive the process, where not in files of `DATA_DIR`. */
  readonly scans?: typeof scanFiles
}

/** The contract RPC and the ledger API, or what stands for that where a network has none. */
const chainSources = ({ ledgerApiUrls }: NetworkAddress) =>
  ledgerApiUrls.length > 0
    ? Layer.merge(ContractRpc.layer, LedgerApi.layer)
    : RpcOnly.layer.pipe(Layer.provide(LedgerEntries.layer), Layer.provideMerge(ContractRpc.layer))

/**
 * The stack of one network. Everything below the handlers is written for one network; layers are shared by reference, so each
 * stack is built fresh, or one network would answer for the other.
 */
const oneNetwork = ({
  address,
  contracts,
  mediator,
  protocols = ProtocolRegistry.layer,
  scans = scanFiles,
  watch = Watcher.layer
}: ServedNetwork) =>
  Layer.fresh(
    Layer.mergeAll(BatchPlan.layer, Builder.layer, Preflight.layer, RevokeBuilder.layer).pipe(
      Layer.provideMerge(Planner.layer),
      Layer.provideMerge(Admission.layer),
      Layer.provide(Layer.merge(SituationReader.layer, Completion.layer)),
      Layer.provideMerge(Layer.mergeAll(AccountReader.layer, AccountSigners.layer, AllowanceReader.layer)),
      Layer.provideMerge(Layer.mergeAll(Destinations.layer, PathFinder.layer, Mediator.layer)),
      Layer.provide(SweepLoop.layer),
      Layer.provide(MediatorSweep.layer),
      Layer.provideMerge(Submission.layer),
      Layer.provide([ExitReader.layer, MarketSource.layer, MediatorAccount.layer, MediatorResidue.layer, SubmitGate.layer]),
      Layer.provide([
        RecentTransactions.layer,
        InclusionFees.layer,
        SaleSettings.layer,
        SourceAgreement.layer,
        watch
      ]),
      Layer.provide([FeeSettings.layer, FloatSettings.layer, FormerMediators.layerConfig(address.network), mediator]),
      Layer.provide([TokenReader.layer, TokenRoutes.layer]),
      Layer.provideMerge(Layer.merge(Coverage.layer, HeaderRule.layer)),
      Layer.provide(Layer.provide(protocols, scans)),
      Layer.provide([Explorer.layerConfig(address.network), TokenLists.layerFile(address.network)]),
      Layer.provide(AllowanceLookup.layer),
      Layer.provide([LedgerEntries.layer, NewestEntries.layer, OwnerEvents.layer, SecondWitness.layer]),
      Layer.provideMerge(chainSources(address)),
      Layer.provide(contracts),
      Layer.provide(Layer.succeed(NetworkSettings, address))
    )
  )

/** A network and what is not read of it, by the stack of the moment. */
const served = ({ passphrase, sandbox }: NetworkAddress, stack: () => Context.Context<ContractRpc | Coverage>) => ({
  passphrase,
  sandbox,
  newestLedger: Effect.suspend(() => Effect.map(Context.get(stack(), ContractRpc).recentLedger, ({ sequence }) => sequence)),
  get unread() {
    return Context.get(stack(), Coverage).unread
  },
  get registered() {
    return Context.get(stack(), Coverage).registered
  },
  get outside() {
    return Context.get(stack(), Coverage).outside
  },
  lists: Effect.suspend(() => Context.get(stack(), Coverage).lists)
})

/** The networks that are served, each with a stack of its own. */
export class Networks extends Context.Tag("closeout/Networks")<Networks, {
  /** The networks that are configured, with what the service cannot read of them. */
  readonly enabled: ReadonlyMap<
    Network,
    & Pick<NetworkAddress, "sandbox" | "passphrase">
    & Pick<Context.Tag.Service<Coverage>, "unread" | "registered" | "outside" | "lists">
    & {
      /** Sequence number of the newest ledger, or of one that was read within the last second. */
      readonly newestLedger: Effect.Effect<number, ChainFailure>
    }
  >
  /** Runs an effect on one network; fails when that network is not configured. */
  readonly on: (
    network: Network
  ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | NetworkUnavailable, Exclude<R, NetworkServices>>
  /** Whether the sources answer, by component: `rpc_mainnet`, `ledger_api_mainnet`, `coverage_mainnet`, `mediator_mainnet` where there is one, and so on. Answers are shared for two seconds. */
  readonly health: Effect.Effect<Readonly<Record<string, ComponentHealth>>>
  /** What shows that networks have moved on from what this version knows. A network whose contract RPC does not answer is left out. */
  readonly upgradeSigns: Effect.Effect<ReadonlyMap<Network, ReadonlyArray<UpgradeSign>>>
}>() {
  /** Builds every stack at start, so that a wrong setting fails the start and not the first request. */
  static readonly layer = (networks: ReadonlyArray<ServedNetwork>) =>
    Layer.scoped(
      Networks,
      Effect.gen(function*() {
        const built = yield* Effect.forEach(networks, (network) =>
          Effect.map(
            stackSlot(network.address.network, oneNetwork(network), network.contracts),
            (stack) => [network.address, stack] as const
          ))
        const stacks = new Map<Network, () => Context.Context<NetworkServices>>(built.map(([{ network }, stack]) => [network, stack]))
        const health = yield* sharedFor(
          "2 seconds",
          "Networks.health",
          Effect.map(
            Effect.forEach(built, ([address, stack]) => Effect.suspend(() => networkHealth(address, stack())), {
              concurrency: "unbounded"
            }),
            (all) => Object.fromEntries(all.flat())
          )
        )
        return Networks.of({
          enabled: new Map(built.map(([address, stack]) => [address.network, served(address, stack)])),
          health,
          upgradeSigns: Effect.map(
            Effect.forEach(built, ([{ network }, stack]) =>
              Effect.option(Effect.map(
                Effect.suspend(() => upgradeSigns(stack())),
                (signs) => [network, signs] as const
              )), {
              concurrency: "unbounded"
            }),
            (all) => new Map(Arr.getSomes(all))
          ),
          on:
            (network) =>
            <A, E1, R1>(effect: Effect.Effect<A, E1, R1>): Effect.Effect<A, E1 | NetworkUnavailable, Exclude<R1, NetworkServices>> => {
              const stack = stacks.get(network)
              if (stack === undefined) return Effect.fail(new NetworkUnavailable({ network }))
              return Effect.suspend(() => Effect.provide(effect, stack()))
            }
        })
      })
    ).pipe(Layer.provide(Computing.layer))
}
