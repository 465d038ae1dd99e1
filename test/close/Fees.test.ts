import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, FastCheck, Layer } from "effect"
import { feeBid, spreadOver } from "../../src/close/situation/Fees.ts"
import { FeeSettings } from "../../src/close/situation/FeeSettings.ts"
import { accountEntry, type AccountParts } from "./support/Entry.ts"

const header = { baseFee: 100, baseReserve: 5_000_000 }

const bid = (parts: AccountParts, feePerOperation = 1000n, feePayer: "source" | "fee_bump" = "source") =>
  feeBid({ feePerOperation, input: { feePayer } }, { account: accountEntry(parts) }, header)

describe("a fee bid", () => {
  it("is what statistics suggest where a hundred operations are affordable", () => {
    assert.deepStrictEqual(bid({ balance: 1_0000000n + 100_000n }), { perOperation: 1000n, spendable: 100_000n, affordableOperations: 100 })
  })

  it("is the network's least where lumens are scarce", () => {
    assert.deepStrictEqual(bid({ balance: 1_0000000n + 99_999n }), { perOperation: 100n, spendable: 99_999n, affordableOperations: 999 })
    assert.deepStrictEqual(bid({ balance: 1_0000000n + 100n }), { perOperation: 100n, spendable: 100n, affordableOperations: 1 })
    assert.deepStrictEqual(bid({ balance: 1_0000000n + 99n }), { perOperation: 100n, spendable: 99n, affordableOperations: 0 })
  })

  it("never spends reserves, nor lumens bound by offers", () => {
    const parts = { balance: 10_0000000n, numSubEntries: 4, selling: 5_0000000n, sponsoring: 2, sponsored: 1 }
    assert.strictEqual(bid(parts).spendable, 10_0000000n - 7n * 5_000_000n - 5_0000000n)
    assert.deepStrictEqual(bid({ ...parts, selling: 9_0000000n }), { perOperation: 100n, spendable: 0n, affordableOperations: 0 })
  })

  it("rises again towards the statistics where few operations are left to pay for", () => {
    const scarce = bid({ balance: 1_0000000n + 1500n })
    assert.strictEqual(scarce.perOperation, 100n)
    assert.strictEqual(spreadOver(scarce, 1, 1000n).perOperation, 1000n)
    assert.strictEqual(spreadOver(scarce, 2, 1000n).perOperation, 750n)
    assert.strictEqual(spreadOver(scarce, 15, 1000n).perOperation, 100n)
  })

  it("asks nothing of the source when somebody else pays", () => {
    const { affordableOperations, perOperation } = bid({ balance: 0n }, 1000n, "fee_bump")
    assert.strictEqual(perOperation, 1000n)
    assert.isAtLeast(affordableOperations, 100)
  })

  it.prop(
    "is never more than the account can pay, nor less than the network asks",
    [FastCheck.bigInt({ min: 0n, max: 100_0000000n }), FastCheck.bigInt({ min: 100n, max: 10_000n })],
    ([balance, feePerOperation]) => {
      const { affordableOperations, perOperation, spendable } = bid({ balance }, feePerOperation)
      assert.isTrue(perOperation >= 100n && perOperation <= feePerOperation)
      assert.isTrue(perOperation * BigInt(affordableOperations) <= spendable)
      assert.isTrue(spendable >= 0n)
    }
  )
})

const perOperation = (settings: Readonly<Record<string, string>>, p90: bigint) =>
  Effect.map(FeeSettings, (settings) => settings.perOperation(p90, 100)).pipe(
    Effect.provide(
      FeeSettings.layer.pipe(Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))))
    )
  )

describe("the fee of an operation", () => {
  it.effect("follows the statistics between the base fee and the setting", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* perOperation({}, 50n), 100n)
      assert.strictEqual(yield* perOperation({}, 777n), 777n)
      assert.strictEqual(yield* perOperation({}, 10_001n), 10_000n)
      assert.strictEqual(yield* perOperation({ MAX_FEE_STROOPS_PER_OPERATION: "200" }, 777n), 200n)
    }))

  it.effect("cannot be capped below what the network asks, or at nonsense", () =>
    Effect.gen(function*() {
      for (const cap of ["99", "0", "-5", "10000001", "many"]) {
        assert.strictEqual((yield* Effect.exit(perOperation({ MAX_FEE_STROOPS_PER_OPERATION: cap }, 777n)))._tag, "Failure", cap)
      }
    }))
})
