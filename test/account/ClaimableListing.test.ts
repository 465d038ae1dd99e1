import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Fiber, Option, TestClock } from "effect"
import { listClaimable, mostListed, nothingWanted, type WantedClaims } from "../../src/account/ClaimableListing.ts"
import { list } from "../../src/account/Listing.ts"
import type { AccountRecord } from "../../src/chain/ledger-api/AccountRecord.ts"
import type { ClaimableBalanceQuery } from "../../src/chain/ledger-api/ClaimableBalanceRecord.ts"
import type { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { AssetId, native } from "../../src/domain/Asset.ts"
import { BalanceId } from "../../src/domain/Ledger.ts"

const address = AccountAddress.make(Keypair.random().publicKey())
const held = AssetId.make(`HELD:${address}`)
const dust = AssetId.make(`DUST:${address}`)
const good = AssetId.make(`GOOD:${address}`)
const none = AssetId.make(`NONE:${address}`)

const idAt = (at: number): BalanceId => BalanceId.make(at.toString(16).padStart(72, "0"))

/** A ledger API that lists these assets, one balance each, 200 a page; every page takes `millis`. */
const apiOf = (assets: ReadonlyArray<AssetId>, millis: number) => {
  let pages = 0
  const all = assets.map((asset, at) => ({ id: idAt(at), asset }))
  const claimableBalancesFor = (_: AccountAddress, { asset, cursor = "0", maxPages = Infinity }: ClaimableBalanceQuery = {}) => {
    const list = all.filter((one) => asset === undefined || one.asset === asset)
    const from = Number(cursor)
    const end = Math.min(list.length, from + 200 * maxPages)
    const asked = Math.max(1, Math.ceil((end - from) / 200))
    pages += asked
    return Effect.delay(
      Effect.succeed({
        claimableBalances: list.slice(from, end),
        complete: end === list.length,
        next: String(end),
        latestLedger: 7,
        newestLedger: asset === native ? 9 : 8
      }),
      millis * asked
    )
  }
  return {
    api: {
      absent: null,
      claimableBalancesFor,
      offersOf: () => Effect.succeed({ offers: [], latestLedger: 6, newestLedger: 6 })
    } as unknown as LedgerApi["Type"],
    pagesAsked: () => pages
  }
}

const account = Effect.succeed(Option.some({ trustlines: [{ asset: held }], latestLedger: 7 } as unknown as AccountRecord))

const listed = ({ api }: ReturnType<typeof apiOf>, wanted: WantedClaims = nothingWanted) =>
  Effect.gen(function*() {
    const listing = yield* Effect.fork(listClaimable(api, address, account, wanted))
    yield* TestClock.adjust("10 minutes")
    return yield* Fiber.join(listing)
  })

const many = (count: number, asset: AssetId) => Array.from({ length: count }, () => asset)

describe("the list of claimable balances", () => {
  it.effect("is the plain list as long as it is short", () =>
    Effect.gen(function*() {
      const source = apiOf([...many(900, dust), native, held], 1)
      const { claimableBalances, complete } = yield* listed(source)
      assert.deepStrictEqual([claimableBalances.length, complete, source.pagesAsked()], [902, true, 5])
    }))

  it.effect("is read to its end also where lumens and held assets are preferred, each balance once", () =>
    Effect.gen(function*() {
      const { claimableBalances, complete } = yield* listed(apiOf([...many(1900, dust), ...many(300, native), ...many(250, held)], 1))
      assert.deepStrictEqual([claimableBalances.length, new Set(claimableBalances.map(({ id }) => id)).size, complete], [2450, 2450, true])
    }))

  it.effect("names the oldest and the newest ledger that a page of it had seen", () =>
    Effect.gen(function*() {
      const { api } = apiOf([...many(1000, dust), native, held], 0)
      const reading = yield* Effect.fork(list(api, address, account, nothingWanted))
      yield* TestClock.adjust("1 second")
      const { latestLedger, newestLedger } = yield* Fiber.join(reading)
      assert.deepStrictEqual([latestLedger, newestLedger], [6, 9])
    }))

  it.effect("stops at ten thousand, lumens and held assets first, and says so", () =>
    Effect.gen(function*() {
      const source = apiOf([...many(50_000, dust), ...many(450, native), ...many(30, held)], 1)
      const { claimableBalances, complete } = yield* listed(source)
      assert.deepStrictEqual([claimableBalances.length, complete], [mostListed, false])
      assert.strictEqual(claimableBalances.filter(({ asset }) => asset !== dust).length, 480)
      assert.isAtMost(source.pagesAsked(), 60)
    }))

  it.effect("asks for no further page once half the time is up", () =>
    Effect.gen(function*() {
      const source = apiOf([...many(9000, dust), ...many(450, native), ...many(30, held)], 500)
      const { claimableBalances, complete } = yield* listed(source)
      assert.isFalse(complete)
      assert.strictEqual(claimableBalances.filter(({ asset }) => asset !== dust).length, 480)
      assert.isAtMost(source.pagesAsked(), 24)
    }))

  it.effect("names wanted balances that it does not show, where it is incomplete", () =>
    Effect.gen(function*() {
      const [shown, hidden] = [idAt(0), idAt(49_999)]
      const wanted = { assets: [], balances: [shown, hidden] }
      assert.deepStrictEqual((yield* listed(apiOf(many(50_000, dust), 1), wanted)).named, [hidden])
      assert.deepStrictEqual((yield* listed(apiOf(many(900, dust), 1), wanted)).named, [])
    }))

  const assets = [good, none]

  it.effect("has wanted assets before lumens and held assets, which may fill it", () =>
    Effect.gen(function*() {
      const source = apiOf([...many(1000, dust), ...many(20_000, native), ...many(300, good)], 1)
      const { claimableBalances, complete, partial } = yield* listed(source, { assets, balances: [] })
      assert.deepStrictEqual([claimableBalances.length, complete, partial], [mostListed, false, []])
      assert.strictEqual(claimableBalances.filter(({ asset }) => asset === good).length, 300)
    }))

  it.effect("tells which wanted assets it may not show whole, for want of time or of room", () =>
    Effect.gen(function*() {
      const slow = yield* listed(apiOf([...many(2000, dust), ...many(300, good)], 2200), { assets, balances: [] })
      assert.deepStrictEqual([slow.claimableBalances.length, slow.partial], [1000, assets])
      const flooded = yield* listed(apiOf([...many(1000, dust), ...many(20_000, good)], 1), { assets: [none, good], balances: [] })
      assert.deepStrictEqual([flooded.claimableBalances.length, flooded.partial], [mostListed, [good]])
      const whole = yield* listed(apiOf([...many(2000, dust), ...many(300, good)], 1), { assets, balances: [] })
      assert.deepStrictEqual([whole.complete, whole.partial], [true, []])
    }))
})
