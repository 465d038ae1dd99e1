import type { Keypair } from "@stellar/stellar-sdk"
import { Clock, type Duration, Effect, Layer, Option, Schema, Struct } from "effect"
import { type ListedNetworkAddress, sandboxAddress } from "../chain/NetworkSettings.ts"
import { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { ExchangeRegistry } from "../domain/RegistryDocument.ts"
import type { SandboxPages } from "../http/close-page/SandboxPages.ts"
import { registerContracts, type Registration } from "../ledger/soroban/Contract.ts"
import { strkeyOf } from "../ledger/soroban/Values.ts"
import { ContractAddresses, ContractsDocument, noContracts, type TokenContracts } from "../registry/ContractAddresses.ts"
import { allContracts } from "../sandbox/contracts/All.ts"
import { Network as SandboxNetwork } from "../sandbox/Network.ts"
import { clockSeconds } from "../sandbox/network/RunningNetwork.ts"
import { startSandbox } from "../sandbox/Sandbox.ts"
import { AllProtocols } from "../sandbox/scenarios/AllProtocols.ts"
import { rewardedSeconds } from "../sandbox/scenarios/Amm1Positions.ts"
import { DemoAccount } from "../sandbox/scenarios/DemoAccount.ts"
import { ExchangeDeposit } from "../sandbox/scenarios/ExchangeDeposit.ts"
import { FundedPair } from "../sandbox/scenarios/FundedPair.ts"
import { MediatorFunded } from "../sandbox/scenarios/MediatorFunded.ts"
import { pairsContracts } from "../sandbox/scenarios/PairsContracts.ts"
import { type DeployedProtocol, sandboxContractsFile, sandboxDeployment } from "../sandbox/scenarios/SandboxDeployment.ts"
import { TestAccount } from "../sandbox/scenarios/TestAccount.ts"

/** An account made at start, ready to be closed into another. Its keys are worth nothing. */
export interface PreparedAccount {
  readonly name: string
  readonly source: Keypair
  readonly destination: Keypair
}

const day = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** A registry of the sandbox's two exchanges, verified today and valid for a month: no one but this process relies on it. */
const registryOf = (deposit: string, mediated: string, now: number): ExchangeRegistry => ({
  version: "sandbox",
  lastVerified: day(now),
  validUntil: day(now + 30 * 86_400_000),
  source: "made by the embedded sandbox at start",
  entries: [{
    address: AccountAddress.make(deposit),
    name: "Sandbox Exchange",
    domain: "exchange.sandbox.example",
    requiresMediator: false,
    requiresMemo: true,
    memoType: "id"
  }, {
    address: AccountAddress.make(mediated),
    name: "Sandbox Payments Exchange",
    domain: "payments.exchange.sandbox.example",
    requiresMediator: true,
    requiresMemo: true,
    memoType: "text"
  }]
})

/** What a team puts on a sandbox. */
export interface SandboxExtension {
  /** Models of its contracts. They run beside ours. */
  readonly contracts: ReadonlyArray<Registration>
  /** Puts its contracts on the new network and makes accounts. The start prints those accounts. */
  readonly prepare: Effect.Effect<ReadonlyArray<PreparedAccount>, unknown, SandboxNetwork>
}

/** What an embedded sandbox is beyond a network with classic accounts. */
export interface EmbeddedOptions {
  /** How often a ledger closes by itself, as on a real network; null: only when something is submitted. */
  readonly closeEvery: Duration.DurationInput | null
  /** The protocol version of its ledgers; the sandbox's own default where absent. */
  readonly protocolVersion?: number
  /** Whether every protocol is deployed, with an account that holds positions in all of them. */
  readonly protocols: boolean
  /** Whether classic accounts are made that stand ready to be closed. */
  readonly accounts: boolean
  /** Whether a mediator pays the sandbox's exchanges, and is watched, once a ledger; true where absent. */
  readonly mediator?: boolean
  /** What a team adds. */
  readonly extension?: SandboxExtension
}

/** Every protocol that scenarios deploy. */
export const everyProtocol: ReadonlyArray<DeployedProtocol> = Struct.keys(sandboxDeployment.contracts)

/** The contracts of these protocols, where scenarios deploy them, these tokens, and that nothing else is deployed. */
const deployedWith = (tokens: TokenContracts, names: ReadonlyArray<DeployedProtocol>): Layer.Layer<ContractAddresses> =>
  Layer.effect(
    ContractAddresses,
    Effect.orDie(
      Schema.decodeUnknown(ContractsDocument)({
        network: "testnet",
        protocols: {
          ...noContracts,
          ...Object.fromEntries(names.map((name) => [name, sandboxDeployment.contracts[name]]))
        },
        code: sandboxDeployment.code,
        listedTo: sandboxDeployment.listedTo,
        tokens
      })
    )
  )

/** The same of a network without contract tokens. */
export const deployed = (...names: ReadonlyArray<DeployedProtocol>): Layer.Layer<ContractAddresses> => deployedWith("none", names)

/** The token of a market of pairs that is no asset of the ledger. */
const plainToken = ContractAddress.make(strkeyOf(pairsContracts.plainToken))

const prepared = (
  name: string,
  { destination, source }: { readonly source: Keypair; readonly destination: Keypair }
): PreparedAccount => ({ name, source, destination })

/** An account with everything that a ledger without contracts knows, and one with nothing but lumens. */
const classicAccounts = Effect.gen(function*() {
  return [prepared("an account with a bit of everything", yield* DemoAccount), prepared("a plain account", yield* FundedPair)]
})

/** The network's clock is that of the process from here on: so that transactions with time bounds by a real clock are valid. */
const caughtUp = Effect.gen(function*() {
  const { closeLedger, snapshot } = yield* SandboxNetwork
  const behind = (yield* clockSeconds) - (yield* snapshot).state.header.closeTime
  if (behind > 0n) yield* closeLedger({ advanceSeconds: Number(behind) })
})

const noExtension: SandboxExtension = { contracts: [], prepare: Effect.succeed([]) }

/** A sandbox network on loopback, and accounts on it made by real transactions. */
export interface EmbeddedSandbox {
  readonly network: SandboxNetwork["Type"]
  readonly address: ListedNetworkAddress
  readonly contracts: Layer.Layer<ContractAddresses>
  readonly prepared: ReadonlyArray<PreparedAccount>
  readonly mediator: Keypair
  readonly registry: ExchangeRegistry
  /** What pages of this service may know and do on it. */
  readonly pages?: SandboxPages
}

/** Starts a sandbox network. */
export const embeddedSandbox = ({ accounts, extension = noExtension, protocols, ...options }: EmbeddedOptions) =>
  Effect.gen(function*() {
    const contracts = registerContracts([...allContracts, ...extension.contracts])
    const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox({
      ...options,
      contracts,
      secondsBehind: protocols ? rewardedSeconds : 0
    })
    const on = Effect.provideService(SandboxNetwork, network)
    const classic = accounts ? yield* on(classicAccounts) : []
    const holders = protocols ? [prepared("an account with positions in every protocol", yield* on(AllProtocols))] : []
    const added = yield* Effect.orDie(on(extension.prepare))
    const { deposit } = yield* on(ExchangeDeposit)
    const { deposit: mediated } = yield* on(ExchangeDeposit)
    const { mediator } = yield* on(MediatorFunded)
    yield* on(caughtUp)
    const sandbox: EmbeddedSandbox = {
      network,
      address: sandboxAddress({ passphrase, rpcUrl, ledgerApiUrl }),
      contracts: protocols ? deployedWith([plainToken], everyProtocol) : ContractAddresses.layerNone,
      prepared: [...classic, ...holders, ...added],
      mediator,
      pages: {
        contracts: { ...sandboxContractsFile, tokens: [plainToken] },
        testAccount: (address) =>
          Effect.map(Effect.option(on(TestAccount(address))), Option.map(({ destination }) => AccountAddress.make(destination.publicKey())))
      },
      registry: registryOf(deposit.publicKey(), mediated.publicKey(), yield* Clock.currentTimeMillis)
    }
    return sandbox
  })
