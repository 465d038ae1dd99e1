import { assert } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { showAmount } from "../../src/domain/Amount.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Pair } from "../close/support/Accounts.ts"
import { closeThrough } from "../close/support/CloseLoop.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"

const inHundreds = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / 100) }, (_, index) => all.slice(index * 100, index * 100 + 100))

layer(Service.layer(), { excludeTestServices: true })("an account with 998 trustlines", (it) => {
  it.effect("is closed in envelopes of at most 5,000 bytes, in exactly the transactions its plan counts", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair("1000"))
      const issuer = Keypair.random()
      yield* on(fund("1000", issuer))
      const assets = Array.from({ length: 998 }, (_, index) => new Asset(`A${index}`, issuer.publicKey()))
      for (const some of inHundreds(assets)) {
        yield* on(perform("lines", { as: source, operations: some.map((asset) => Operation.changeTrust({ asset })) }))
        yield* on(perform("balances", {
          as: issuer,
          operations: some.map((asset) => Operation.payment({ asset, amount: "1", destination: source.publicKey() }))
        }))
      }
      const { envelopes, plan, received, rounds } = yield* closeThrough({
        source,
        destination,
        wished: ["i_control_this_address", "return_to_issuer"],
        asked: { smallEnvelopes: true }
      })
      const sizes = envelopes.map((envelope) => Buffer.from(envelope, "base64").length)
      console.log(`${rounds.length} transactions, ${Math.min(...sizes)} to ${Math.max(...sizes)} bytes`)
      assert.isAtMost(Math.max(...sizes), 5_000)
      assert.strictEqual(plan.estimate.transactionCount, rounds.length)
      assert.strictEqual(showAmount(received), plan.estimate.receivedLumens)
    }), 600_000)
})
