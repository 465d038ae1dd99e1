import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Fiber, Option, TestClock } from "effect"
import { list, listClaimable, mostListed } from "../../src/account/Listing.ts"
import type { AccountRecord } from "../../src/chain/ledger-api/AccountRecord.ts"
import type { ClaimableBalanceQuery } from "../../src/chain/ledger-api/ClaimableBalanceRecord.ts"
import type { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { AssetId, native } from "../../src/domain/Asset.ts"
import { BalanceId } from "../../src/domain/Ledger.ts"

const address = AccountAddress.make(Keypair.random().publicKey())
const held = AssetId.make(`HELD:${address}`)
const dust = AssetId.make(`DUST:${address}`)

/** A ledger API that lists these assets, one balance each, 200 a page; every page takes `millis`. */
const apiOf = (assets: ReadonlyArray<AssetId>, millis: number) => {
  let pages = 0
  const all = assets.map((asset, at) => ({ id: BalanceId.make(at.toString(16).padStart(72, "0")), asset }))
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

const listed = ({ api }: ReturnType<typeof apiOf>) =>
  Effect.gen(function*() {
    const listing = yield* Effect.fork(listClaimable(api, address, account))
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
      const reading = yield* Effect.fork(list(api, address, account))
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
})
