import { assert } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { showAmount } from "../../src/domain/Amount.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { isThorough } from "../support/Thorough.ts"
import { Pair } from "./support/Accounts.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { Service } from "./support/Service.ts"

const inHundreds = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / 100) }, (_, index) => all.slice(index * 100, index * 100 + 100))

/** As many as the ledger allows, or enough for several transactions. */
const lines = isThorough ? 998 : 248

const transactions = Math.ceil(lines / 50)

layer(Service.layer(), { excludeTestServices: true })(`an account with ${lines} trustlines`, (it) => {
  it.effect("is closed in exactly the transactions its plan counts", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair("1000"))
      const issuer = Keypair.random()
      yield* on(fund("1000", issuer))
      const assets = Array.from({ length: lines }, (_, index) => new Asset(`A${index}`, issuer.publicKey()))
      for (const some of inHundreds(assets)) {
        yield* on(perform("lines", { as: source, operations: some.map((asset) => Operation.changeTrust({ asset })) }))
        yield* on(perform("balances", {
          as: issuer,
          operations: some.map((asset) => Operation.payment({ asset, amount: "1", destination: source.publicKey() }))
        }))
      }
      const { plan, received, rounds } = yield* closeThrough({
        source,
        destination,
        wished: ["i_control_this_address", "return_to_issuer"]
      })
      assert.strictEqual(plan.decisionPoints.length, lines + 2)
      assert.lengthOf(rounds, transactions)
      assert.strictEqual(plan.estimate.transactionCount, transactions)
      assert.deepStrictEqual(plan.transactions.map(({ reason }) => reason ?? null), [
        ...Array.from({ length: transactions - 1 }, () => "op_batch"),
        null
      ])
      assert.strictEqual(showAmount(received), plan.estimate.receivedLumens)
    }), 120_000)
})
