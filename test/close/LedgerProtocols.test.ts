import { assert, describe } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import type { HealthReport } from "../../src/domain/Health.ts"
import { DemoAccount } from "../../src/sandbox/scenarios/DemoAccount.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { layer } from "../support/Layered.ts"
import { startTestService } from "../support/TestService.ts"
import { plan } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { Service } from "./support/Service.ts"

/** Of each protocol, whether the SDK can read its headers. */
const protocols = [[28, true], [29, true], [30, false], [99, false]] as const

describe("a network of each protocol", () => {
  for (const [protocolVersion, isKnown] of protocols) {
    const serving = Serving.layerWith({ closeEvery: null, protocols: false, accounts: false, protocolVersion })
    layer(Layer.scoped(Service, startTestService({}, serving)), { excludeTestServices: true })(`protocol ${protocolVersion}`, (it) => {
      it.effect("has an account read, planned and closed whole", () =>
        Effect.gen(function*() {
          const { call, on, sandbox } = yield* Service
          const { headerXdr } = (yield* sandbox.snapshot).history.latest
          assert.strictEqual(headerXdr[3], protocolVersion)
          if (isKnown) xdr.LedgerHeader.fromXdr(headerXdr)
          else assert.throws(() => xdr.LedgerHeader.fromXdr(headerXdr))
          const { destination, source } = yield* on(DemoAccount)
          const read = yield* call<{ readonly account: { readonly accountId: string } }>("GET", `/testnet/account/${source.publicKey()}`)
          assert.strictEqual(read.status, 200)
          const { plan: ready, received } = yield* closeThrough({ source, destination })
          assert.strictEqual(ready.status, "ready")
          const newer = protocolVersion > 30 ? [`ledger protocol ${protocolVersion} is newer than the model (30)`] : []
          assert.strictEqual(ready.projection.status, newer.length > 0 ? "partial" : "verified")
          assert.deepStrictEqual(ready.projection.unverified, newer)
          assert.lengthOf(ready.warnings.filter(({ code }) => code === "protocol_newer_than_model"), newer.length)
          const { body: health } = yield* call<HealthReport>("GET", "/health/deep")
          assert.strictEqual(health.status, "ok")
          assert.strictEqual(health.details["rpc_testnet"]?.message, newer[0])
          assert.isAbove(Number(received), 0)
          assert.strictEqual((yield* plan({ source: source.publicKey(), destination: destination.publicKey() })).status, "complete")
        }))
    })
  }
})
