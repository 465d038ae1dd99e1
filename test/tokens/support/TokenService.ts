import { Keypair, StrKey } from "@stellar/stellar-sdk"
import { Effect, Layer, Redacted } from "effect"
import { createHash } from "node:crypto"
import { sandboxAddress } from "../../../src/chain/NetworkSettings.ts"
import { MediatorSigner } from "../../../src/close/situation/MediatorSigner.ts"
import { ContractAddress } from "../../../src/domain/Address.ts"
import { type Protocol, ProtocolRegistry } from "../../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses, noContracts } from "../../../src/registry/ContractAddresses.ts"
import { startSandbox } from "../../../src/sandbox/Sandbox.ts"
import type { EmbeddedSandbox } from "../../../src/serving/EmbeddedSandbox.ts"
import { Serving } from "../../../src/serving/Serving.ts"
import { Service } from "../../close/support/Service.ts"
import { startTestService } from "../../support/TestService.ts"

/** An empty address until a test deploys to it. */
export const addressNamed = (name: string): ContractAddress =>
  ContractAddress.make(StrKey.encodeContract(createHash("sha256").update(name).digest()))

/** A token that the contracts file lists. */
export const listedToken = addressNamed("a listed token")

/** A router that holders of a protocol approve. */
export const router = addressNamed("a router")

/** A protocol without reads: it has only a contract that holders approve. */
export const routedProtocol: Protocol = {
  name: "amm_2",
  code: [],
  contracts: [router],
  places: [],
  spenders: [{ contract: router, role: "router" }]
}

const serving = Layer.scoped(
  Serving,
  Effect.gen(function*() {
    const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox()
    const mediator = Keypair.random()
    const sandbox: EmbeddedSandbox = {
      network,
      contracts: ContractAddresses.layerValue({
        protocols: { ...noContracts, amm_2: { router: [router] } },
        tokens: [listedToken]
      }),
      mediator,
      prepared: [],
      registry: { version: "none", lastVerified: "2026-01-01", validUntil: "2999-01-01", source: "a test", entries: [] },
      address: sandboxAddress({ passphrase, rpcUrl, ledgerApiUrl })
    }
    return Serving.of({
      sandbox,
      sandboxOnly: true,
      networks: [{
        address: sandbox.address,
        mediator: MediatorSigner.layerSecret(Redacted.make(mediator.secret())),
        contracts: sandbox.contracts,
        protocols: ProtocolRegistry.layerOf([routedProtocol])
      }]
    })
  })
)

/** The production service over a sandbox with one listed token and one known spender. */
export const tokenService = (settings: Readonly<Record<string, string>> = {}) => Layer.scoped(Service, startTestService(settings, serving))
