import { Asset, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Layer, Redacted } from "effect"
import { sandboxAddress } from "../../../src/chain/NetworkSettings.ts"
import { MediatorSigner } from "../../../src/close/situation/MediatorSigner.ts"
import { AccountAddress } from "../../../src/domain/Address.ts"
import type { HealthReport } from "../../../src/domain/Health.ts"
import { ContractAddresses } from "../../../src/registry/ContractAddresses.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { type SandboxOptions, startSandbox } from "../../../src/sandbox/Sandbox.ts"
import { MediatorFunded } from "../../../src/sandbox/scenarios/MediatorFunded.ts"
import { fund, perform, type Step } from "../../../src/sandbox/scenarios/Scenario.ts"
import { Serving } from "../../../src/serving/Serving.ts"
import { serviceLog } from "../../support/ServiceLog.ts"
import { startTestService, type TestService } from "../../support/TestService.ts"
import { coSign } from "./Client.ts"
import { forge } from "./Mediated.ts"
import { Service } from "./Service.ts"
import { signed } from "./Signing.ts"

export const memo = "customer 42"

/** A network with a mediator whose key all services share, an exchange that needs it, and services that start and stop over it. */
export const sceneWith = Effect.fnUntraced(function*(options: SandboxOptions) {
  const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox(options)
  const on = Effect.provideService(Network, network)
  const { mediator } = yield* on(MediatorFunded)
  const [exchange, operator, stranger] = [Keypair.random(), Keypair.random(), Keypair.random()]
  yield* on(fund("100000", exchange, operator, stranger))
  const address = sandboxAddress({ passphrase, rpcUrl, ledgerApiUrl })
  const contracts = ContractAddresses.layerNone
  const registry = {
    version: "1",
    lastVerified: "2026-01-01",
    validUntil: "2999-01-01",
    source: "made for a test",
    entries: [{
      address: AccountAddress.make(exchange.publicKey()),
      name: "An exchange",
      domain: "exchange.example",
      requiresMediator: true,
      requiresMemo: true,
      memoType: "text" as const
    }]
  }
  const serving = (key: Keypair) =>
    Layer.succeed(Serving, {
      sandbox: { network, contracts, mediator: key, prepared: [], registry, address },
      sandboxOnly: true,
      networks: [{ address, mediator: MediatorSigner.layerSecret(Redacted.make(key.secret())), contracts }]
    })

  /** A service over that network for the scope's life, with its log, and another mediator key where one is given. */
  const start = Effect.fnUntraced(function*(settings: Readonly<Record<string, string>> = {}, key = mediator) {
    const log = serviceLog()
    const service = yield* startTestService({ MEDIATOR_MAX_FLOAT_LUMENS: "1000", ...settings }, serving(key), log.layer)
    return { service, log, as: <A, E>(effect: Effect.Effect<A, E, Service>) => Effect.provideService(effect, Service, service) }
  })

  /** A new account with this many lumens that has no close yet. */
  const closing = Effect.fnUntraced(function*(lumens = "20") {
    const source = Keypair.random()
    yield* on(fund(lumens, source))
    return source
  })

  const transaction = (name: string, step: Step) => on(perform(name, step))

  /** An honest close of an account, without any signature. */
  const closeOf = (source: Keypair, by = mediator) =>
    Effect.map(forge({ source, mediator: by.publicKey(), destination: exchange.publicKey() }), (forged) => forged.toXdr())

  /** The same signed by the mediator and its account. */
  const ready = (source: Keypair, by = mediator) =>
    Effect.flatMap(Effect.flatMap(closeOf(source, by), coSign), (one) => signed({ xdr: one }, source))

  const honest = Effect.flatMap(closing(), (source) => closeOf(source))

  /** Strangers give the mediator lumens. */
  const gift = (lumens: string) =>
    transaction("a gift", {
      as: stranger,
      operations: [
        Operation.payment({ destination: mediator.publicKey(), asset: Asset.native(), amount: lumens }),
        Operation.createClaimableBalance({
          asset: Asset.native(),
          amount: "0.0000001",
          claimants: [new Claimant(mediator.publicKey()), new Claimant(stranger.publicKey())]
        })
      ]
    })

  return { network, on, mediator, exchange, operator, stranger, start, closing, transaction, closeOf, ready, honest, gift }
})

export const scene = sceneWith({})

export type Scene = Effect.Effect.Success<typeof scene>

/** The mediator's part of the health report. */
export const mediatorHealth = ({ call }: TestService) =>
  Effect.map(call<HealthReport>("GET", "/health/deep"), ({ body, status }) => ({ status, told: body.details["mediator_testnet"] }))
