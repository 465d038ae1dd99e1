import { assert, describe, it } from "@effect/vitest"
import { Address, xdr } from "@stellar/stellar-sdk"
import { Effect, Fiber, Option, TestClock } from "effect"
import { simulateCall } from "../../../src/close/leaving/simulation/CallSimulator.ts"
import { native } from "../../../src/domain/Asset.ts"
import { addressOf, addressVal, i128, symbol, variant } from "../../../src/ledger/soroban/Values.ts"
import { accountKey, keyOfContractData, keyText } from "../../../src/xdr/LedgerKeys.ts"
import { changed, context, leave, moved, own, pool, poolCode, resources, simulated, token, touching, user } from "./support/Simulating.ts"

/** A token that the call does not name. */
const other = Address.contract(Buffer.alloc(32, 3)).toString()

describe("simulating a call", () => {
  it.effect("gives what can be handed over, with leeway on the fee and what it does to the account", () =>
    Effect.gen(function*() {
      const outcome = yield* simulateCall(context(simulated({ changes: [moved(user, 5n, 25n)] })), leave, true)
      assert(outcome._tag === "Ready")
      assert.strictEqual(outcome.resources.resourceFee, 1_200_000n)
      assert.deepStrictEqual([...outcome.credits], [[native, 20n]])
    }))

  it.effect("asks for instructions beyond those counted: what is only read now may be written when it is applied", () =>
    Effect.gen(function*() {
      const honest = context(simulated())
      const leeways: Array<number | undefined> = []
      const rpc: typeof honest.rpc = {
        ...honest.rpc,
        simulateTransaction: (envelope, leeway) => {
          leeways.push(leeway)
          return honest.rpc.simulateTransaction(envelope, leeway)
        }
      }
      for (const patiently of [true, false]) yield* simulateCall({ ...honest, rpc }, leave, patiently)
      assert.deepStrictEqual(leeways, [4_000_000, 4_000_000])
    }))

  it.effect("makes writable what the same call may write a ledger later, and nothing else", () =>
    Effect.gen(function*() {
      const at = addressOf(pool)
      const epoch = keyOfContractData(at, symbol("Epoch"), "persistent")
      const rewards = keyOfContractData(addressOf(token), variant("Balance", own), "persistent")
      const foreign = keyOfContractData(addressOf(token), variant("Balance", addressVal(at)), "persistent")
      const written = accountKey(user)
      const outcome = yield* simulateCall(
        context(simulated({ resources: resources([...touching({ [pool]: poolCode }), epoch, foreign, rewards], [written]) })),
        leave,
        true
      )
      assert(outcome._tag === "Ready")
      const { readOnly, readWrite } = outcome.resources.resources.footprint
      assert.deepStrictEqual(
        readOnly.map((key) => key.toXdr("base64")),
        [...touching({ [pool]: poolCode }), foreign].map((key) => key.toXdr("base64"))
      )
      assert.deepStrictEqual(readWrite.map((key) => key.toXdr("base64")), [written, rewards, epoch].map((key) => key.toXdr("base64")))
      assert.isAbove(Number(outcome.resources.resourceFee), 1_200_000)
    }))

  it.effect("waits for a ledger later than the account's last change", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.fork(
        simulateCall(context(simulated({ latestLedger: 10 }), simulated({ latestLedger: 10 }), simulated()), leave, true)
      )
      yield* TestClock.adjust("1 seconds")
      assert.isTrue(Option.isNone(yield* Fiber.poll(fiber)))
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Ready")
    }))

  it.effect("asks to come again when no later ledger comes, and a plan does not wait", () =>
    Effect.gen(function*() {
      const behind = context(simulated({ latestLedger: 10 }))
      const fiber = yield* Effect.fork(Effect.flip(simulateCall(behind, leave, true)))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "DeadlineExceeded")
      assert.strictEqual((yield* simulateCall(behind, leave, false))._tag, "Ready")
    }))

  it.effect("restores first what the simulation says is archived", () =>
    Effect.gen(function*() {
      const key = keyOfContractData(addressOf(pool), symbol("Old"), "persistent")
      const outcome = yield* simulateCall(
        context(simulated({ resources: resources([], [key]), restore: resources([], [key], 2_000_000n) })),
        leave,
        true
      )
      assert(outcome._tag === "Restore")
      assert.lengthOf(outcome.resources.resources.footprint.readWrite, 1)
      assert.strictEqual(outcome.resources.resourceFee, 2_400_000n)
    }))

  it.effect("takes what a restored entry held from its archived entry, and from no live one nor one that the call does not restore", () =>
    Effect.gen(function*() {
      // 30 base units of a token that the call does not declare as a payment; the simulation shows a zero balance.
      const emptied = changed(other, variant("Balance", own), i128(30n), i128(0n))
      const archivedAt = (liveUntilLedger: number, restores: boolean) => {
        const { data, minResourceFee } = resources(touching({ [pool]: poolCode }), [emptied.key])
        const ext = xdr.SorobanTransactionDataExt.resourceExt(new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: [0] }))
        const told = simulated({
          resources: { minResourceFee, data: restores ? new xdr.SorobanTransactionData({ ...data, ext }) : data },
          changes: [{ ...emptied, before: null }]
        })
        const honest = context(told)
        const answers: typeof honest.entries.answers = (keys) =>
          Effect.map(
            honest.entries.answers(keys),
            (all) =>
              all.map((one) =>
                keyText(one.key) === keyText(emptied.key) && emptied.before !== null
                  ? { ...one, live: Option.some({ key: one.key, entry: emptied.before, liveUntilLedger, latestLedger: 11 }) }
                  : one
              )
          )
        return simulateCall({ ...honest, entries: { ...honest.entries, answers } }, leave, true)
      }
      for (const liveUntil of [0, 10]) {
        const taken = yield* archivedAt(liveUntil, true)
        assert.deepStrictEqual(taken, { _tag: "Unsafe", reason: `it would take more ${other} than it declares` })
      }
      for (const [liveUntil, restores] of [[11, true], [0, false]] as const) {
        const asTold = yield* archivedAt(liveUntil, restores)
        assert(asTold._tag === "Ready")
        assert.deepStrictEqual(asTold.changes.map(({ before }) => before), [null])
      }
    }))

  it.effect("tells failures, and fees above the setting", () =>
    Effect.gen(function*() {
      const failed = yield* simulateCall(
        context({ _tag: "Failed", error: "HostError: Error(Contract, #10)\n\nEvent log", latestLedger: 11 }),
        leave,
        true
      )
      assert.deepStrictEqual(failed, { _tag: "Failed", reason: "HostError: Error(Contract, #10)" })
      const nested = "host invocation failed\n\nCaused by:\n    HostError: Error(Contract, #7)"
      const caused = yield* simulateCall(context({ _tag: "Failed", error: nested, latestLedger: 11 }), leave, true)
      assert.deepStrictEqual(caused, { _tag: "Failed", reason: "HostError: Error(Contract, #7)" })
      const dear = yield* simulateCall(
        context(simulated({ resources: resources(touching({ [pool]: poolCode }), [], 50_000_000n) })),
        leave,
        true
      )
      assert.deepStrictEqual(dear, { _tag: "TooDear", resourceFee: 60_000_000n })
    }))
})
