import { assert, describe, it } from "@effect/vitest"
import { Address, xdr } from "@stellar/stellar-sdk"
import { Duration, Effect, Either, Fiber, Option, TestClock } from "effect"
import { type AnswerLimit, giftLimit, ownLimit, tokenLimit } from "../../../src/close/leaving/simulation/AnswerLimit.ts"
import { callContext } from "../../../src/close/leaving/simulation/CallContext.ts"
import { simulateCall, type SimulationContext } from "../../../src/close/leaving/simulation/CallSimulator.ts"
import { native } from "../../../src/domain/Asset.ts"
import { DeadlineExceeded, NetworkUnavailable, UpstreamRateLimited } from "../../../src/domain/failure/Upstream.ts"
import { withSequence } from "../../../src/ledger/entries/Account.ts"
import { addressOf, addressVal, i128, symbol, variant } from "../../../src/ledger/soroban/Values.ts"
import { accountKey, keyOfContractData, keyText } from "../../../src/xdr/LedgerKeys.ts"
import {
  agreed,
  changed,
  context,
  entriesOf,
  invocation,
  leave,
  moved,
  own,
  pool,
  poolCode,
  resources,
  type Simulated,
  simulated,
  token,
  touching,
  user
} from "./support/Simulating.ts"

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

  it.effect("pays for what it makes writable by its size, as far as it can be read", () =>
    Effect.gen(function*() {
      const [epoch, rate] = ["Epoch", "Rate"].map((name) => changed(pool, symbol(name), null, i128(1n)))
      const asked: Array<string> = []
      const honest = context(simulated({ resources: resources([...touching({ [pool]: poolCode }), epoch!.key, rate!.key]) }))
      const answers: typeof honest.entries.answers = (keys) => {
        asked.push(...keys.map(keyText))
        return Effect.map(honest.entries.answers(keys), (all) =>
          all.map((one) => {
            const entry = keyText(one.key) === keyText(epoch!.key) ? epoch!.after : null
            return keyText(one.key) === keyText(epoch!.key) || keyText(one.key) === keyText(rate!.key)
              ? { ...one, live: Option.some({ key: one.key, entry, liveUntilLedger: 99, latestLedger: 11 }) }
              : one
          }))
      }
      const outcome = yield* simulateCall({ ...honest, entries: { ...honest.entries, answers } }, leave, true)
      assert(outcome._tag === "Ready")
      const [instance] = touching({ [pool]: poolCode })
      assert.deepStrictEqual(asked, [instance!, epoch!.key, rate!.key].map(keyText))
      const bytes = epoch!.after!.toXdr().length
      assert.strictEqual(outcome.resources.resources.writeBytes, 100 + bytes)
      assert.strictEqual(outcome.resources.resourceFee, 1_200_000n + 2n * 20_000n + BigInt(bytes) * 15n)
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

  it.effect("asks to come again when the endpoint simulates on older ledgers than it names, thirteen times", () =>
    Effect.gen(function*() {
      const behind = context(simulated({ latestLedger: 10 }))
      let simulations = 0
      const header = Effect.map(behind.rpc.recentLedger, (one) => ({ ...one, sequence: 11 }))
      const rpc: typeof behind.rpc = {
        ...behind.rpc,
        latestLedger: header,
        recentLedger: header,
        simulateTransaction: (envelope, leeway) => {
          simulations += 1
          return behind.rpc.simulateTransaction(envelope, leeway)
        }
      }
      const fiber = yield* Effect.fork(Effect.flip(simulateCall({ ...behind, rpc }, leave, true)))
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "DeadlineExceeded")
      assert.strictEqual(simulations, 13)
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
      const archivedAt = (liveUntilLedger: number | null, restores: boolean) => {
        const { data, minResourceFee } = resources(touching({ [pool]: poolCode }), [emptied.key])
        const ext = xdr.SorobanTransactionDataExt.resourceExt(new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: [0, 7] }))
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
      for (const [liveUntil, restores] of [[11, true], [null, true], [0, false]] as const) {
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

  it.effect("tells a failure in the line that names it, without what does not print, at most 200 characters of it", () =>
    Effect.gen(function*() {
      const reasonOf = (error: string) =>
        Effect.map(
          simulateCall(context({ _tag: "Failed", error, latestLedger: 11 }), leave, true),
          (failed) => (failed._tag === "Failed" ? failed.reason : failed._tag)
        )
      assert.strictEqual(yield* reasonOf("  HostError:\u0000\u200ba\u2028b\u2029 \n"), "HostError: a b")
      assert.strictEqual(yield* reasonOf("x".repeat(300)), "x".repeat(200))
      assert.strictEqual(yield* reasonOf(`first\n${"x".repeat(10_000)}\nHostError: late`), "first")
      assert.strictEqual(yield* reasonOf(""), "")
    }))

  it.effect("is refused in a form of a newer protocol", () =>
    Effect.map(
      simulateCall(context({ _tag: "Newer", result: simulated().result, latestLedger: 11 }), leave, true),
      (outcome) =>
        assert.deepStrictEqual(outcome, {
          _tag: "Failed",
          reason: "its data or effects are in the format of a newer ledger protocol, which this service cannot check"
        })
    ))

  it.effect("compares its fee with what its payer can offer, and with what a decision can accept", () =>
    Effect.gen(function*() {
      const most = 5_100_000_000n
      /** A fifth is added to what is reported. */
      const outcomeAt = (fee: bigint, more: Partial<SimulationContext> = {}) =>
        Effect.map(
          simulateCall(
            {
              ...context(simulated({ resources: resources(touching({ [pool]: poolCode }), [], (fee * 5n) / 6n) })),
              mostResourceFee: most,
              ...more
            },
            leave,
            true
          ),
          ({ _tag }) => _tag
        )
      assert.strictEqual(yield* outcomeAt(3_000_000_000n), "Ready")
      assert.strictEqual(yield* outcomeAt(4_500_000_000n), "Unavailable")
      const told = yield* simulateCall(
        { ...context(simulated({ resources: resources(touching({ [pool]: poolCode }), [], 3_750_000_000n) })), mostResourceFee: most },
        leave,
        true
      )
      assert.deepInclude<object>(told, {
        reason: "The call needs a resource fee of 450.0000000 lumens, more than a transaction can offer if its own account pays. " +
          "With feePayer fee_bump another account can pay it."
      })
      assert.strictEqual(yield* outcomeAt(4_500_000_000n, { feePayer: "fee_bump" }), "Ready")
      assert.strictEqual(yield* outcomeAt(most), "Unavailable")
      assert.strictEqual(yield* outcomeAt(most, { feePayer: "fee_bump" }), "Ready")
      assert.strictEqual(yield* outcomeAt(most + 6n), "TooDear")
      assert.strictEqual(yield* outcomeAt(1_200_000n, { mostResourceFee: 1_200_000n }), "Ready")
    }))
})

describe("simulating a call of a token of unknown code", () => {
  const about = { token, ownBooks: false }
  const transfer = { ...leave, contract: token, function: "transfer" }

  it.effect("is judged by what it does, whatever code the token runs", () =>
    Effect.gen(function*() {
      const unknown = "08".repeat(32)
      const call = { ...transfer, args: [own, addressVal(addressOf(pool)), i128(5n)], holds: [{ token, amount: 5n }], recipients: [pool] }
      const told = (auth: Simulated["auth"]) =>
        simulated({
          auth,
          resources: resources(touching({ [token]: unknown })),
          changes: [
            changed(token, variant("Balance", own), i128(5n), i128(0n)),
            changed(token, variant("Balance", addressVal(addressOf(pool))), null, i128(5n))
          ]
        })
      const outcome = (auth: Simulated["auth"]) => {
        const honest = context(told(auth))
        const entries = { ...honest.entries, answers: entriesOf({ [token]: unknown }) }
        return simulateCall({ ...honest, entries, assets: new Map(), about }, call, true)
      }
      assert.strictEqual((yield* outcome([agreed(invocation(call))]))._tag, "Ready")
      assert.deepInclude<object>(yield* outcome([]), { _tag: "Unsafe", reason: "transfer requires no authorisation" })
    }))
})

describe("simulating a call that gets no answer", () => {
  const limited = new UpstreamRateLimited({ retryAfterSeconds: 1 })
  const cut = new NetworkUnavailable({ network: "testnet", source: "contract_rpc" })
  const limits = {
    "of a token": tokenLimit("a network of tests"),
    "of a gift": giftLimit("a network of tests"),
    "of the owner's own": ownLimit("a network of tests")
  }

  type Answer = ReturnType<SimulationContext["rpc"]["simulateTransaction"]>

  /** The result where the call and the control getter are answered like this, by an endpoint that counts as down after ten seconds. */
  const outcomeOf = (limit: AnswerLimit, ofCall: (attempt: number) => Answer, ofControl: Answer) =>
    Effect.gen(function*() {
      const honest = context(simulated())
      let attempts = 0
      const rpc: typeof honest.rpc = {
        ...honest.rpc,
        simulateTransaction: (_, leeway, brief) =>
          Effect.timeoutFail(leeway === 0 ? ofControl : ofCall(++attempts), {
            duration: brief ?? "10 seconds",
            onTimeout: () => (brief === undefined ? cut : new DeadlineExceeded())
          })
      }
      const fiber = yield* Effect.fork(Effect.either(simulateCall({ ...honest, rpc, limit }, leave, true)))
      yield* TestClock.adjust("2 minutes")
      return { attempts, outcome: Either.merge(yield* Fiber.join(fiber)) }
    })
  const answered = Effect.succeed(simulated())

  for (const [name, limit] of Object.entries(limits)) {
    it.effect(`${name} counts as failed where the endpoint answers the control getter`, () =>
      Effect.gen(function*() {
        const seconds = Duration.toSeconds(limit.waits.reduce(Duration.sum))
        const reason = `it was not simulated within ${seconds} seconds, or the simulating node failed`
        for (const silence of [Effect.never, Effect.fail(cut)]) {
          const { attempts, outcome } = yield* outcomeOf(limit, () => silence, answered)
          assert.deepStrictEqual<object>(outcome, { _tag: "Failed", reason, isUnanswered: true })
          assert.strictEqual(attempts, limit.waits.length)
        }
      }))

    it.effect(`${name} is the endpoint's failure where that answers nothing else either, or limits requests`, () =>
      Effect.gen(function*() {
        const tagOf = (ofCall: Answer, ofControl: Answer) =>
          Effect.map(outcomeOf(limit, () => ofCall, ofControl), ({ outcome }) => outcome._tag)
        assert.strictEqual(yield* tagOf(Effect.never, Effect.never), "DeadlineExceeded")
        assert.strictEqual(yield* tagOf(Effect.fail(cut), Effect.never), "NetworkUnavailable")
        assert.strictEqual(yield* tagOf(Effect.never, Effect.fail(cut)), "NetworkUnavailable")
        assert.strictEqual(yield* tagOf(Effect.fail(limited), answered), "UpstreamRateLimited")
        assert.strictEqual(yield* tagOf(Effect.never, Effect.fail(limited)), "UpstreamRateLimited")
      }))
  }

  for (const name of ["of a gift", "of the owner's own"] as const) {
    it.effect(`${name} is made again, be the control getter slow or not`, () =>
      Effect.gen(function*() {
        const once = (attempt: number) => (attempt === 1 ? Effect.never : answered)
        const { outcome } = yield* outcomeOf(limits[name], once, Effect.delay(answered, "4 seconds"))
        assert.strictEqual(outcome._tag, "Ready")
        const slow = yield* outcomeOf(limits[name], () => Effect.never, Effect.delay(answered, "4 seconds"))
        assert.strictEqual(slow.outcome._tag, "DeadlineExceeded")
      }))
  }

  it.effect("of the owner's own is waited for longer", () =>
    Effect.gen(function*() {
      const { attempts, outcome } = yield* outcomeOf(limits["of the owner's own"], () => Effect.delay(answered, "4 seconds"), answered)
      assert.deepStrictEqual([attempts, outcome._tag], [1, "Ready"])
    }))
})

describe("what simulations of one call rest on", () => {
  const lastChangeOf = (modified: number | null, sequenceLedger: number | null) => {
    const entry = moved(user, 5n, 5n).before!
    if (entry.data.type !== "account") throw new Error("no account")
    const { account } = entry.data
    const { entries, rpc } = context(simulated())
    return callContext(
      { entries, rpc },
      {
        accountEntry: sequenceLedger === null ? account : withSequence(account, 1n, { seqLedger: sequenceLedger, seqTime: 1n }),
        entries: modified === null ? [] : [Object.assign(entry, { lastModifiedLedgerSeq: modified })]
      },
      { assets: new Map(), feePayer: "source", user }
    ).lastChange
  }

  it("is the ledger of the account's last change, of its entry or of its sequence number", () => {
    assert.strictEqual(lastChangeOf(9, 7), 9)
    assert.strictEqual(lastChangeOf(7, 9), 9)
    assert.strictEqual(lastChangeOf(7, null), 7)
    assert.strictEqual(lastChangeOf(null, 9), 9)
    assert.strictEqual(lastChangeOf(null, null), 0)
  })
})
