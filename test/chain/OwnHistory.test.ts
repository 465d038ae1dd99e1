import { assert, describe, it } from "@effect/vitest"
import { Account, Asset, Keypair, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect, Either, Fiber, Layer, TestClock } from "effect"
import { historyWarnings } from "../../src/account/HistoryReading.ts"
import { ownHistory } from "../../src/chain/history/OwnHistory.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { MovedClock } from "../support/JumpingClock.ts"
import { passphrase, type Reaction, scripted, type Seen, settings } from "./support/Scripted.ts"

const base = new URL("https://ledger.example/")
const pageSize = 200

const stranger = Keypair.random()
const paid = (() => {
  const built = new TransactionBuilder(new Account(stranger.publicKey(), "7"), { fee: "100", networkPassphrase: passphrase })
    .addOperation(Operation.payment({ destination: stranger.publicKey(), asset: Asset.native(), amount: "1" })).setTimeout(0).build()
  built.sign(stranger)
  return built.toXDR()
})()

const record = (ledger: number) => ({
  ledger,
  paging_token: (BigInt(ledger) << 32n).toString(),
  successful: true,
  source_account: stranger.publicKey(),
  source_account_sequence: "8",
  envelope_xdr: paid
})

/** A ledger API with a payment to every account in each ledger up to the newest. */
const historyUpTo = (newest: () => number) => ({ url }: Seen): Reaction => {
  const [cursor, limit] = [url.searchParams.get("cursor"), Number(url.searchParams.get("limit"))]
  const from = cursor === null ? null : Number(BigInt(cursor) >> 32n)
  const ledgers = url.searchParams.get("order") === "asc"
    ? Array.from({ length: Math.min(limit, newest() - (from ?? 0)) }, (_, at) => (from ?? 0) + 1 + at)
    : Array.from({ length: Math.min(limit, (from ?? newest() + 1) - 1) }, (_, at) => (from ?? newest() + 1) - 1 - at)
  return { headers: { "latest-ledger": String(newest()) }, body: JSON.stringify({ _embedded: { records: ledgers.map(record) } }) }
}

const readerOver = (react: (request: Seen) => Reaction) =>
  Effect.gen(function*() {
    const transport = yield* scripted(react)
    const services = yield* Layer.build(LedgerApi.layer.pipe(Layer.provide([transport.layer, settings([base], [base])])))
    const { read } = yield* ownHistory(yield* Effect.provide(LedgerApi, services), () => [])
    return { read, asked: Effect.map(transport.seen, (all) => all.length) }
  })

const someone = () => AccountAddress.make(Keypair.random().publicKey())

describe("the own history of an account", () => {
  it.scoped("is remembered for ten minutes, also where the date is set back meanwhile", () =>
    Effect.gen(function*() {
      const { asked, read } = yield* readerOver(historyUpTo(() => 3 * pageSize))
      const [owner, began] = [someone(), Date.parse("2026-01-01")]
      const clock = new MovedClock(began)
      const questions = Effect.gen(function*() {
        const before = yield* asked
        yield* Effect.withClock(read(owner, { since: 1, pages: 20 }), clock)
        return (yield* asked) - before
      })
      assert.deepStrictEqual([yield* questions, yield* questions], [4, 1])
      clock.setDate(-31 * 60_000)
      clock.wakeAt(began + 11 * 60_000)
      assert.strictEqual(yield* questions, 4)
    }))

  it.scoped("is read for as many pages as it may be, and says how far back that was", () =>
    Effect.gen(function*() {
      const { asked, read } = yield* readerOver(historyUpTo(() => 21 * pageSize))
      const past = yield* read(someone(), { since: 1, pages: 20 })
      assert.deepStrictEqual([yield* asked, past.reached], [20, pageSize + 2])
      assert.deepStrictEqual(historyWarnings(Either.right(past), { historySince: 1 }).map(({ code, subject }) => [code, subject]), [[
        "history_not_scanned",
        `${pageSize + 2}`
      ]])
      assert.deepStrictEqual(historyWarnings(Either.right(past), { historySince: pageSize + 2 }), [])
    }))

  it.scoped("is read on from where it ended, and anew where more came since than is read at a time", () =>
    Effect.gen(function*() {
      let newest = 1_000
      const { asked, read } = yield* readerOver(historyUpTo(() => newest))
      const [address, reach] = [someone(), { since: 1, pages: 6 }]
      yield* read(address, reach)
      assert.strictEqual(yield* asked, 6)
      newest += 3
      assert.deepStrictEqual([(yield* read(address, reach)).newest, yield* asked], [BigInt(newest) << 32n, 7])
      newest += 6 * pageSize
      const { newest: token, reached } = yield* read(address, reach)
      assert.deepStrictEqual([token, reached, yield* asked], [BigInt(newest) << 32n, newest - 6 * pageSize + 2, 19])
    }))

  it.scoped("that cannot be read on is a failure, whatever is remembered", () =>
    Effect.gen(function*() {
      let isDown = false
      const { read } = yield* readerOver((request) => (isDown ? { status: 500, body: "no" } : historyUpTo(() => 10)(request)))
      const address = someone()
      yield* read(address, { since: 1, pages: 1 })
      isDown = true
      const again = yield* Effect.fork(Effect.either(read(address, { since: 1, pages: 1 })))
      yield* TestClock.adjust("1 minute")
      assert.isTrue(Either.isLeft(yield* Fiber.join(again)))
    }))

  it.scoped("is remembered of a thousand accounts, of those that were read last", () =>
    Effect.gen(function*() {
      const { asked, read } = yield* readerOver((request) => (request.url.searchParams.get("order") === "asc"
        ? { body: JSON.stringify({ _embedded: { records: [] } }) }
        : historyUpTo(() => 1)(request))
      )
      const all = Array.from({ length: 1_001 }, someone)
      const reach = { since: 1, pages: 1 }
      for (const address of all) yield* read(address, reach)
      const isReadOn = (address: AccountAddress) =>
        Effect.gen(function*() {
          const before = yield* asked
          const { newest } = yield* read(address, reach)
          assert.strictEqual(newest, 1n << 32n)
          return (yield* asked) - before
        })
      assert.strictEqual(yield* asked, 1_001)
      assert.deepStrictEqual([yield* isReadOn(all[1_000]!), yield* isReadOn(all[0]!)], [1, 1])
    }))
})
