import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
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

  it.effect("whose assets nobody holds is not asked", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source: holder } = yield* on(Pair())
      const { issuer } = yield* on(Issued("USD", [holder, "0"]))
      const asked = yield* plan({ source: issuer.publicKey(), destination: destination.publicKey() })
      assert.deepStrictEqual(asked.decisionPoints.map(({ type }) => type), ["destination"])
    }))
})
