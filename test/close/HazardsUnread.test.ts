import { assert } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { sandboxAddress } from "../../src/chain/NetworkSettings.ts"
import { MediatorSigner } from "../../src/close/situation/MediatorSigner.ts"
import type { Protocol } from "../../src/protocols/Protocol.ts"
import { ProtocolRegistry } from "../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses, noContracts } from "../../src/registry/ContractAddresses.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { instanceKey } from "../../src/stellar/ContractKeys.ts"
import { barePlace } from "../protocols/support/Bare.ts"
import { anyContract } from "../support/Addresses.ts"
import { layer } from "../support/Layered.ts"
import { startTestService } from "../support/TestService.ts"
import { Pair } from "./support/Accounts.ts"
import { acknowledges } from "./support/Answering.ts"
import { plan, refusal } from "./support/Client.ts"
import { Service } from "./support/Service.ts"

const somewhere = anyContract()

type Declared = Parameters<typeof ContractAddresses.layerValue>[0]

const none: Declared = { protocols: noContracts, tokens: "none" }

/** The production service on a network with these contracts and only these decoders. */
const serviceWhere = (declared: Declared, ...protocols: ReadonlyArray<Protocol>) =>
  Layer.scoped(
    Service,
    startTestService(
      {},
      Layer.scoped(
        Serving,
        Effect.gen(function*() {
          const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox()
          const address = sandboxAddress({ passphrase, rpcUrl, ledgerApiUrl })
          const registry = { version: "none", lastVerified: "2026-01-01", validUntil: "2999-01-01", source: "a test", entries: [] }
          const contracts = ContractAddresses.layerValue(declared)
          return Serving.of({
            sandbox: { network, contracts, mediator: Keypair.random(), prepared: [], registry, address },
            sandboxOnly: true,
            networks: [{ address, mediator: MediatorSigner.layerNone, contracts, protocols: ProtocolRegistry.layerOf(protocols) }]
          })
        })
      )
    )
  )

const judged = Effect.gen(function*() {
  const { on } = yield* Service
  const { destination, source } = yield* on(Pair())
  const request = { source: source.publicKey(), destination: destination.publicKey(), decisions: [acknowledges(destination.publicKey())] }
  const { blockers, status, steps } = yield* plan(request)
  return {
    blockers: blockers.map(({ reason }) => reason ?? null),
    status,
    merges: steps.some(({ type }) => type === "MERGE"),
    refused: status === "blocked" ? (yield* refusal("next", request)).code : null
  }
})

layer(serviceWhere(none), { excludeTestServices: true })("where no contract is deployed", (it) => {
  it.effect("nothing is unread, and the account closes", () =>
    Effect.map(judged, (seen) => assert.deepStrictEqual(seen, { blockers: [], status: "ready", merges: true, refused: null })))
})

layer(serviceWhere({ ...none, protocols: { ...none.protocols, amm_1: { router: [somewhere] } }, tokens: [somewhere] }), {
  excludeTestServices: true
})("what is not read", (it) => {
  it.effect("is told by the index and by deep health, which it does not fail", () =>
    Effect.gen(function*() {
      const { call } = yield* Service
      const index = yield* call<{ readonly networks: Readonly<Record<string, unknown>> }>("GET", "/")
      assert.deepInclude(index.body.networks["testnet"], {
        enabled: true,
        closable: false,
        unread: ["amm_1"],
        note: "Positions in amm_1 cannot be read by this service, so no merge is built."
      })
      assert.deepInclude(index.body.networks["mainnet"], { enabled: false, closable: false, unread: [] })
      const health = yield* call<{ readonly details: Readonly<Record<string, unknown>> }>("GET", "/health/deep")
      assert.strictEqual(health.status, 200)
      assert.deepStrictEqual(health.body.details["coverage_testnet"], {
        status: "up",
        message: "no account can be closed: amm_1 cannot be read"
      })
    }))
})

layer(serviceWhere({ ...none, protocols: { ...none.protocols, amm_1: { router: [somewhere] } } }), { excludeTestServices: true })(
  "where a protocol is deployed that nobody decodes",
  (it) => {
    it.effect("no merge is built, whether anything is held there or not", () =>
      Effect.map(
        judged,
        (seen) =>
          assert.deepStrictEqual(seen, { blockers: ["positions_unread"], status: "blocked", merges: false, refused: "positions_unread" })
      ))
  }
)

layer(serviceWhere({ ...none, tokens: [somewhere] }), { excludeTestServices: true })(
  "where tokens are declared of which nothing is held",
  (it) => {
    it.effect("the account closes", () =>
      Effect.map(judged, (seen) => assert.deepStrictEqual(seen, { blockers: [], status: "ready", merges: true, refused: null })))
  }
)

/** A protocol whose requests no node answers. */
const unanswerable: Protocol = {
  name: "amm_1",
  code: [],
  contracts: [somewhere],
  places: [barePlace({ keys: () => [instanceKey(somewhere)] })],
  discovery: {
    namedBy: [],
    questions: [xdr.LedgerKey.ttl(new xdr.LedgerKeyTtl({ keyHash: new Uint8Array(32) }))],
    find: () => ({ further: [], places: [], doubts: [], dropped: 0 })
  }
}

layer(serviceWhere({ ...none, protocols: { ...none.protocols, amm_1: { router: [somewhere] } } }, unanswerable), {
  excludeTestServices: true
})("where a protocol has a decoder that its source gives nothing", (it) => {
  it.effect("nothing is planned or built, as long as it is not read", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const request = {
        source: source.publicKey(),
        destination: destination.publicKey(),
        decisions: [acknowledges(destination.publicKey())]
      }
      for (const route of ["plan", "next"] as const) {
        const refused = yield* refusal(route, request)
        assert.deepStrictEqual([refused.status, refused.code], [502, "upstream_unusable"], route)
      }
    }))
})
