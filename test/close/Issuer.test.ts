import { assert } from "@effect/vitest"
import { Address } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, addressVal, bool, i128, struct, variant } from "../../src/ledger/soroban/Values.ts"
import { assetContractEntries, dataEntries } from "../../src/sandbox/contracts/Deployment.ts"
import { layer } from "../support/Layered.ts"
import { Issued, Pair } from "./support/Accounts.ts"
import { acknowledges } from "./support/Answering.ts"
import { plan, refusal } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { Service } from "./support/Service.ts"

layer(Service.layer(), { excludeTestServices: true })("an issuer", (it) => {
  it.effect("whose assets others hold is closed only when its owner says so", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source: holder } = yield* on(Pair())
      const { asset, issuer } = yield* on(Issued("USD", [holder, "25.5"]))
      const request = { source: issuer.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      const point = asked.decisionPoints.find(({ type }) => type === "issuer")
      assert.isDefined(point)
      assert.strictEqual(point.id, `issuer:${issuer.publicKey()}`)
      assert.include(point.subject, `25.5000000 USD:${asset.getIssuer()}`)
      const silent = yield* refusal("next", { ...request, decisions: [acknowledges(request.destination)] })
      assert.deepInclude(silent, { status: 422, code: "needs_decisions" })
      assert.deepStrictEqual(silent.details["missing"], [point.id])
      yield* closeThrough({ source: issuer, destination })
    }))

  it.effect("whose assets a contract holds is closed only when its owner says so", () =>
    Effect.gen(function*() {
      const { on, passphrase, sandbox } = yield* Service
      const { destination, source: holder } = yield* on(Pair())
      const { asset, issuer } = yield* on(Issued("USD", [holder, "0"]))
      const pool = addressOf(Address.contract(Buffer.alloc(32, 9)).toString())
      const balance = struct({ amount: i128(12_5000000n), authorized: bool(true), clawback: bool(false) })
      yield* sandbox.amend((state) =>
        state.set([
          ...assetContractEntries(asset.toXdrObject(), passphrase, 2_000_000),
          ...dataEntries(addressOf(asset.contractId(passphrase)), [variant("Balance", addressVal(pool)), balance], "persistent", 2_000_000)
        ])
      )
      const asked = yield* plan({ source: issuer.publicKey(), destination: destination.publicKey() })
      assert.include(asked.decisionPoints.find(({ type }) => type === "issuer")?.subject, `12.5000000 USD:${asset.getIssuer()}`)
    }))

  it.effect("whose assets nobody holds is not asked", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source: holder } = yield* on(Pair())
      const { issuer } = yield* on(Issued("USD", [holder, "0"]))
      const asked = yield* plan({ source: issuer.publicKey(), destination: destination.publicKey() })
      assert.deepStrictEqual(asked.decisionPoints.map(({ type }) => type), ["destination", "later"])
    }))
})
