import { assert, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Context, Effect, Layer, Option, Redacted, Ref } from "effect"
import { MediatorSigner } from "../../../src/close/situation/MediatorSigner.ts"
import { Friendbot } from "../../../src/sandbox/Friendbot.ts"
import { Listener } from "../../../src/sandbox/Listener.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import type { Chain } from "../../../src/sandbox/network/Chain.ts"
import { startSandbox } from "../../../src/sandbox/Sandbox.ts"
import { deployed, type EmbeddedSandbox } from "../../../src/serving/EmbeddedSandbox.ts"
import { Serving } from "../../../src/serving/Serving.ts"
import { pursued } from "../../sandbox/contracts/ProtocolsServed.ts"
import { LendingSupply } from "../../support/scenarios/LendingSupply.ts"
import { startTestService } from "../../support/TestService.ts"
import { answersTo } from "../support/Answering.ts"
import { offered, plan } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { decoded } from "../support/Signing.ts"

/** A service with two contract RPC endpoints; the first one can be held at a ledger. */
const twoEndpoints = Effect.gen(function*() {
  const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox()
  const stays = yield* Ref.make(Option.none<Chain>())
  const snapshot = Effect.flatMap(Ref.get(stays), Option.match({ onNone: () => network.snapshot, onSome: Effect.succeed }))
  const lagging = Context.get(
    yield* Layer.build(
      Listener.layer().pipe(Layer.provide(Layer.fresh(Friendbot.layer)), Layer.provide(Layer.succeed(Network, { ...network, snapshot })))
    ),
    Listener
  )
  const mediator = Keypair.random()
  const sandbox: EmbeddedSandbox = {
    network,
    contracts: deployed("lend_1"),
    mediator,
    prepared: [],
    registry: { version: "none", lastVerified: "2026-01-01", validUntil: "2999-01-01", source: "a test", entries: [] },
    address: {
      network: "testnet",
      passphrase,
      rpcUrls: [new URL(lagging.rpcUrl), new URL(rpcUrl)],
      ledgerApiUrls: [new URL(ledgerApiUrl)],
      sandbox: true
    }
  }
  const signer = MediatorSigner.layerSecret(Redacted.make(mediator.secret()))
  const serving = Serving.of({
    sandbox,
    sandboxOnly: true,
    networks: [{ address: sandbox.address, mediator: signer, contracts: sandbox.contracts }]
  })
  const stay = Effect.flatMap(network.snapshot, (chain) => Ref.set(stays, Option.some(chain)))
  return { service: yield* startTestService({}, Layer.succeed(Serving, serving)), stay, goOn: Ref.set(stays, Option.none<Chain>()) }
})

it.scopedLive("a call is simulated by the endpoint that is past the account's last change, not by the one that stays behind", () =>
  Effect.gen(function*() {
    const { goOn, service, stay } = yield* twoEndpoints
    yield* Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const held = yield* on(LendingSupply)
      // The first endpoint stays at the ledger in which the account lent.
      yield* stay
      const lent = (yield* sandbox.snapshot).history.latest.sequence
      yield* sandbox.closeLedger({ advanceSeconds: 5 })
      const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
      const offer = yield* offered({ ...request, decisions: answersTo(yield* plan(request)) })
      assert.deepStrictEqual(offer.covers, ["EXIT_POSITIONS"])
      assert.strictEqual((yield* decoded(offer)).sequence, `${((yield* accountOf(held.source))?.seqNum ?? 0n) + 1n}`)
      assert.isAbove(offer.validUntilLedger, lent)
      // The merge is built only where both endpoints show the account's holdings in protocols.
      yield* goOn
      assert.deepStrictEqual(yield* pursued({ ...held, request }), {
        covered: ["EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"],
        unlocksAt: null
      })
    }).pipe(Effect.provideService(Service, service))
  }))
