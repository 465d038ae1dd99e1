import { NodeFileSystem } from "@effect/platform-node"
import { Keypair, Networks } from "@stellar/stellar-sdk"
import { Effect, Layer, Redacted } from "effect"
import { sandboxAddress } from "../../../src/chain/NetworkSettings.ts"
import { MediatorSigner } from "../../../src/close/situation/MediatorSigner.ts"
import { ContractAddresses, noContracts } from "../../../src/registry/ContractAddresses.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { type SandboxOptions, startSandbox } from "../../../src/sandbox/Sandbox.ts"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { Serving } from "../../../src/serving/Serving.ts"
import { type Addresses, MainnetShape } from "../../support/scenarios/MainnetShape.ts"
import { startTestService } from "../../support/TestService.ts"
import { Service } from "./Service.ts"

/** The shipped contracts file of mainnet. */
export const shipped = Effect.provide(
  ContractAddresses,
  Layer.provide(ContractAddresses.layerFile("mainnet"), NodeFileSystem.layer)
)

/** The addresses of the file in the form of the sandbox. */
export const addressesOf = ({ protocols, tokens }: Effect.Effect.Success<typeof shipped>): Addresses => ({
  protocols: Object.fromEntries(Object.entries(protocols).map(([name, roles]) => [name, roles === "none" ? {} : roles])),
  tokens: tokens === "none" ? [] : tokens
})

/**
 * The production service over a sandbox in the shape of mainnet, served as mainnet with the shipped contracts file. `passed` ledgers follow
 * the last deployment and the creation of a plain account.
 */
export const mainnetService = (options: SandboxOptions = {}, passed = 0) =>
  Layer.scoped(
    Service,
    Effect.gen(function*() {
      const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox({ passphrase: Networks.PUBLIC, ...options })
      yield* Effect.provideService(MainnetShape(addressesOf(yield* shipped)), Network, network)
      const pair = yield* Effect.provideService(FundedPair, Network, network)
      if (passed > 0) yield* network.closeLedger({ ledgers: passed })
      const mediator = Keypair.random()
      const address = sandboxAddress({ passphrase, rpcUrl, ledgerApiUrl }, "mainnet")
      const serving = Serving.of({
        sandbox: {
          network,
          contracts: ContractAddresses.layerValue({ protocols: noContracts, tokens: "none" }),
          mediator,
          prepared: [{ name: "a plain account", ...pair }],
          registry: { version: "none", lastVerified: "2026-01-01", validUntil: "2999-01-01", source: "a test", entries: [] },
          address
        },
        sandboxOnly: true,
        networks: [{
          address,
          mediator: MediatorSigner.layerSecret(Redacted.make(mediator.secret())),
          contracts: ContractAddresses.layerFile("mainnet")
        }]
      })
      return yield* startTestService({}, Layer.succeed(Serving, serving))
    })
  )
