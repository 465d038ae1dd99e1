import { assert, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { sandboxAddress } from "../../src/chain/NetworkSettings.ts"
import { MediatorSigner } from "../../src/close/situation/MediatorSigner.ts"
import { strkeyOf } from "../../src/ledger/soroban/Values.ts"
import { ContractAddresses, ContractsDocument, noContracts } from "../../src/registry/ContractAddresses.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import { lendingContracts } from "../../src/sandbox/scenarios/LendingContracts.ts"
import { sandboxDeployment } from "../../src/sandbox/scenarios/SandboxDeployment.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { plan } from "../close/support/Client.ts"
import { Service } from "../close/support/Service.ts"
import { LendingRewards } from "../support/scenarios/LendingRewards.ts"
import { startTestService } from "../support/TestService.ts"

/** The current contracts file. */
const currentFile = (sequence: number) =>
  Layer.effect(
    ContractAddresses,
    Effect.orDie(
      Schema.decodeUnknown(ContractsDocument)({
        network: "testnet",
        protocols: { ...noContracts, lend_1: sandboxDeployment.contracts.lend_1 },
        code: sandboxDeployment.code,
        listedTo: { [strkeyOf(lendingContracts.poolFactory)]: sequence },
        tokens: "none"
      })
    )
  )

/** Ledgers that the sources keep, and ledgers since the account's last transaction. */
const [kept, passed] = [6, 40]

/** A service with an updated contracts file, over sources that no longer have any of the account's history. */
const lateService = Effect.gen(function*() {
  const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox({ retention: kept })
  const held = yield* Effect.provideService(LendingRewards, Network, network)
  yield* Effect.forEach(Array.from({ length: passed }), () => network.closeLedger({ advanceSeconds: 5 }), { discard: true })
  const { state } = yield* network.snapshot
  const mediator = Keypair.random()
  const sandbox = {
    network,
    contracts: currentFile(state.header.ledgerSeq),
    mediator,
    prepared: [],
    registry: { version: "none", lastVerified: "2026-01-01", validUntil: "2999-01-01", source: "a test", entries: [] },
    address: sandboxAddress({ passphrase, rpcUrl, ledgerApiUrl })
  }
  const signer = MediatorSigner.layerSecret(Redacted.make(mediator.secret()))
  const serving = Layer.succeed(Serving, {
    sandbox,
    sandboxOnly: true,
    networks: [{ address: sandbox.address, mediator: signer, contracts: sandbox.contracts }]
  })
  yield* network.closeLedger({ advanceSeconds: 5 })
  return { ...held, service: yield* startTestService({}, serving) }
})

it.scopedLive("an account that did nothing for longer than anybody remembers is asked for its destination, its asset and its reward token, and no more", () =>
  Effect.gen(function*() {
    const { blnd, destination, eurc, service, source } = yield* lateService
    const asked = yield* Effect.provide(
      plan({ source: source.publicKey(), destination: destination.publicKey() }),
      Context.make(Service, service)
    )
    const required = asked.decisionPoints.filter((point) => point.required).map(({ id }) => id)
    const named = [eurc, blnd].map((asset) => `asset:${asset.getCode()}-${asset.getIssuer()}`)
    assert.sameMembers(required, [`destination:${destination.publicKey()}`, ...named])
    assert.deepStrictEqual(asked.blockers, [])
  }))
