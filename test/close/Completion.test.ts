import { assert } from "@effect/vitest"
import { Keypair, Memo } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { showTime } from "../../src/domain/Instant.ts"
import { LaggingLedgerApi } from "../../src/sandbox/faults/LimitedServer.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { HolderWithMarket, Pair } from "./support/Accounts.ts"
import { acknowledges, echo, pointOf } from "./support/Answering.ts"
import { plan, refusal } from "./support/Client.ts"
import { complete, hashOf, lumens, merged, mergedAndPaid, noise, notFound, outcome, pair } from "./support/Ended.ts"
import { leavesOut } from "./support/Lies.ts"
import { Liars, type Lie, lying, lyingService } from "./support/LyingSources.ts"
import { exchanges } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"

const former = Keypair.random()

const fee = 200n

layer(lyingService({ TESTNET_MEDIATOR_FORMER: former.publicKey() }), { excludeTestServices: true })("an account that is gone", (it) => {
  it.effect("into somebody who then pays the destination one stroop was not closed into it", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* pair
      const { source: thief } = yield* on(Pair())
      const record = yield* mergedAndPaid(source, thief, destination.publicKey(), 1n)
      const address = source.publicKey()
      const paid = { destination: destination.publicKey(), amount: "0.0000001" }
      const details = { address, mergedInto: thief.publicKey(), paid, hash: hashOf(record) }
      assert.deepStrictEqual(yield* notFound({ source: address, destination: destination.publicKey() }), details)
      assert.deepStrictEqual(yield* notFound({ source: address, destination: destination.publicKey(), mergeHash: hashOf(record) }), details)
      assert.deepStrictEqual(yield* complete({ source: address, destination: thief.publicKey() }), [])
    }))

  it.effect("straight into an exchange that credits no merge was not closed into it", () =>
    Effect.gen(function*() {
      const { source } = yield* pair
      const { payments } = yield* exchanges
      const record = yield* merged(source, payments, Memo.text("customer 42"))
      const asked = { source: source.publicKey(), destination: payments, memo: { type: "text", value: "customer 42" } } as const
      const details = { address: source.publicKey(), mergedInto: payments, memo: asked.memo, hash: hashOf(record) }
      assert.deepStrictEqual(yield* notFound(asked), details)
    }))

  it.effect("into an exchange is complete with its memo, and not with another, or where none is asked for", () =>
    Effect.gen(function*() {
      const { merges } = yield* exchanges
      const { source } = yield* pair
      const asked = { source: source.publicKey(), destination: merges }
      const record = yield* merged(source, merges, Memo.id("77"))
      assert.deepStrictEqual(yield* complete({ ...asked, memo: { type: "id", value: "77" } }), [])
      assert.deepStrictEqual((yield* plan({ ...asked, memo: { type: "id", value: "77" } })).closed, {
        hash: hashOf(record),
        ledger: record.ledger,
        closedAt: showTime(record.closeTime),
        mergedInto: merges,
        paidTo: merges,
        receivedLumens: "99.9999900",
        memo: { type: "id", value: "77" }
      })
      const details = { address: source.publicKey(), mergedInto: merges, memo: { type: "id", value: "77" }, hash: hashOf(record) }
      assert.deepStrictEqual(yield* notFound({ ...asked, memo: { type: "id", value: "78" } }), details)
      assert.deepStrictEqual(yield* notFound(asked), details)
      const { source: other } = yield* pair
      const without = yield* merged(other, merges)
      const bare = { address: other.publicKey(), mergedInto: merges, hash: hashOf(without) }
      assert.deepStrictEqual(yield* notFound({ source: other.publicKey(), destination: merges, memo: { type: "id", value: "77" } }), bare)
    }))

  it.effect("with a memo of another type or other bytes than the one asked for was not closed as asked", () =>
    Effect.gen(function*() {
      for (const memo of [Memo.text("77"), Memo.id("77"), Memo.hash("77".repeat(32)), Memo.return("77".repeat(32))]) {
        const { destination, source } = yield* pair
        yield* merged(source, destination.publicKey(), memo)
        const asked = { source: source.publicKey(), destination: destination.publicKey() }
        const given = (type: "text" | "id" | "hash" | "return") => ({
          ...asked,
          memo: { type, value: type === "text" || type === "id" ? "77" : "77".repeat(32) }
        })
        for (const type of ["text", "id", "hash", "return"] as const) {
          assert.strictEqual(yield* outcome(given(type)), type === memo.type ? "complete" : "not_found", `${memo.type} asked as ${type}`)
        }
        assert.strictEqual(yield* outcome({ ...asked, memo: { type: "text", value: "77 " } }), "not_found")
        assert.strictEqual(yield* outcome(asked), "complete")
      }
    }))

  it.effect("through the mediator is complete with the whole amount, and not with less, or paid to somebody else", () =>
    Effect.gen(function*() {
      const { mediator } = yield* Liars
      const { payments } = yield* exchanges
      const memo = Memo.text("customer 42")
      const asked = { destination: payments, memo: { type: "text", value: "customer 42" } } as const
      const whole = 1_000_000_000n - fee
      const cases = [[whole, true], [whole - 100_000n, true], [whole - 100_001n, false], [whole + 1n, false], [1n, false]] as const
      for (const [amount, over] of cases) {
        const { source } = yield* pair
        const record = yield* mergedAndPaid(source, mediator, payments, amount, memo)
        const request = { ...asked, source: source.publicKey() }
        if (over) yield* complete(request)
        else {
          assert.deepStrictEqual(yield* notFound(request), {
            address: source.publicKey(),
            mergedInto: mediator.publicKey(),
            paid: { destination: payments, amount: lumens(amount) },
            memo: asked.memo,
            hash: hashOf(record)
          })
        }
      }
      const { destination, source } = yield* pair
      yield* mergedAndPaid(source, mediator, destination.publicKey(), whole, memo)
      yield* notFound({ ...asked, source: source.publicKey() })
    }))

  it.effect("through a mediator of former times is complete, and not through one that never was", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { payments } = yield* exchanges
      yield* on(fund("1", former))
      const { source: lost } = yield* on(Pair())
      const into = { source: lost.publicKey(), destination: former.publicKey(), decisions: [acknowledges(former.publicKey())] }
      assert.deepInclude(yield* refusal("next", into), { status: 422, code: "destination_unusable" })
      const { decision, destination, source: holder } = yield* on(HolderWithMarket())
      const asked = { source: holder.publicKey(), destination: destination.publicKey() }
      const given = echo(pointOf(yield* plan(asked), decision), "transfer_to_account", { destination: former.publicKey() })
      const transfer = yield* refusal("next", {
        ...asked,
        decisions: [given, acknowledges(asked.destination), acknowledges(former.publicKey())]
      })
      assert.deepInclude(transfer, { status: 422, code: "transfer_destination_unusable" })
      assert.include(JSON.stringify(transfer.details), "mediator")
      const memo = Memo.text("customer 42")
      for (const through of [former, (yield* on(Pair())).source]) {
        const { source } = yield* pair
        yield* mergedAndPaid(source, through, payments, 1_000_000_000n - fee, memo)
        const request = { source: source.publicKey(), destination: payments, memo: { type: "text", value: "customer 42" } } as const
        assert.strictEqual(yield* outcome(request), through === former ? "complete" : "not_found")
      }
    }))

  it.effect("is found behind whatever strangers sent it since", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* pair
      yield* merged(source, destination.publicKey())
      yield* noise(source.publicKey(), 210)
      assert.deepStrictEqual(yield* complete({ source: source.publicKey(), destination: destination.publicKey() }), [])
    }), 30_000)

  it.effect("by one source alone is not gone: the other one has it", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* pair
      const asked = { source: source.publicKey(), destination: destination.publicKey() }
      yield* merged(source, destination.publicKey())
      yield* (yield* Service).on(fund("5", source))
      for (const route of ["plan", "next"] as const) {
        const refused = yield* lying("rpc", leavesOut, refusal(route, asked))
        assert.deepInclude(refused, { status: 503, code: "sources_disagree", details: { about: source.publicKey() } })
        assert.isNotNull(refused.retryAfter)
      }
      assert.strictEqual((yield* plan(asked)).status, "needs_decisions")
    }))

  it.effect("by a ledger that the ledger API has not seen is no missing account: ask again in five seconds", () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      const { destination, source } = yield* pair
      yield* merged(source, destination.publicKey())
      for (let ledger = 0; ledger < 2; ledger++) yield* sandbox.closeLedger()
      yield* sandbox.faults.set({ fault: new LaggingLedgerApi({ ledgers: 3 }), rest: "/accounts/:id" })
      const refused = yield* Effect.ensuring(
        refusal("plan", { source: source.publicKey(), destination: destination.publicKey() }),
        sandbox.faults.clear()
      )
      assert.deepStrictEqual(refused, {
        status: 503,
        code: "ledger_api_lagging",
        details: { behind: 3 },
        retry: "after_delay",
        retryAfter: "5"
      })
    }))

  it.effect("and was created anew later is not over, whatever both sources leave out", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* pair
      const asked = { source: source.publicKey(), destination: destination.publicKey() }
      const { facts } = yield* merged(source, destination.publicKey())
      yield* (yield* Service).on(fund("5", source))
      const absent: Lie = (path, honest) =>
        path.split("?")[0] === `/accounts/${source.publicKey()}`
          ? { status: 404, body: { type: "about:blank", title: "Resource Missing", status: 404 } }
          : honest
      for (const request of [asked, { ...asked, mergeHash: facts.hash }]) {
        const details = yield* lying("rpc", leavesOut, lying("api", absent, notFound(request)))
        assert.strictEqual(details["address"], source.publicKey())
        assert.notProperty(details, "mergedInto")
      }
    }))

  it.effect("twice ended where its last merge went, whichever is named", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* pair
      const { source: second } = yield* on(Pair())
      const asked = { source: source.publicKey(), destination: destination.publicKey() }
      const first = yield* merged(source, destination.publicKey())
      yield* on(fund("5", source))
      const last = yield* merged(source, second.publicKey())
      const details = { address: source.publicKey(), mergedInto: second.publicKey(), hash: hashOf(last) }
      assert.deepStrictEqual(yield* notFound(asked), details)
      assert.deepStrictEqual(yield* notFound({ ...asked, mergeHash: hashOf(first) }), details)
      yield* complete({ ...asked, destination: second.publicKey(), mergeHash: hashOf(last) })
    }))
})
