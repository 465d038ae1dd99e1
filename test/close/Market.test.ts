import { assert, describe, it } from "@effect/vitest"
import { Keypair, type xdr } from "@stellar/stellar-sdk"
import { Effect, Layer, Option } from "effect"
import type { OfferRecord } from "../../src/chain/ledger-api/OfferRecord.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { readMarket } from "../../src/close/market/MarketReader.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { AssetId, native } from "../../src/domain/Asset.ts"
import { NetworkUnavailable } from "../../src/domain/failure/Upstream.ts"
import { keyText, offerKey } from "../../src/xdr/LedgerKeys.ts"
import { marketOf } from "./support/MarketOf.ts"

const address = () => AccountAddress.make(Keypair.random().publicKey())
const own = address()
const asset = AssetId.make(`USD:${address()}`)
const hop = AssetId.make(`HOP:${address()}`)
const sale = { asset, amount: stroops(5n) }

const offer = (id: bigint, n: number, d = 1, seller = address()): OfferRecord => ({
  id,
  seller,
  selling: native,
  buying: asset,
  amount: stroops(10n),
  price: { n, d },
  lastModifiedLedger: 1,
  sponsor: null
})

interface Book {
  readonly offers?: ReadonlyArray<OfferRecord>
  readonly complete?: boolean
  readonly paths?: ReadonlyArray<ReadonlyArray<AssetId>>
}

/** Reads the market of a sale over these books. Returns every requested key and every book. */
const read = ({ complete = true, offers = [], paths = [] }: Book, sales = [sale]) =>
  Effect.gen(function*() {
    const keys: Array<xdr.LedgerKey> = []
    const books: Array<string> = []
    const market = yield* Effect.gen(function*() {
      return yield* readMarket(marketOf(yield* LedgerApi), yield* LedgerEntries, { own, sales })
    }).pipe(Effect.provide(Layer.merge(
      Layer.mock(LedgerApi, {
        absent: null,
        strictSendPaths: (source, sourceAmount) =>
          Effect.succeed(paths.map((path) => ({ source, sourceAmount, destinationAmount: stroops(1n), path, latestLedger: 9 }))),
        offersBetween: (selling, buying) => {
          books.push(`${selling}/${buying}`)
          return Effect.succeed({ offers: buying === asset && selling === native ? offers : [], complete, latestLedger: 9 })
        }
      }),
      Layer.mock(LedgerEntries, {
        many: (asked) => {
          keys.push(...asked)
          return Effect.succeed(asked.map(() => Option.none()))
        }
      })
    )))
    return { market, books, asked: new Set(keys.map(keyText)) }
  })

const asksFor = (asked: ReadonlySet<string>, { id, seller }: OfferRecord) => asked.has(keyText(offerKey(seller, id)))

describe("the market of a sale", () => {
  it.effect("is the fifty best offers of a book, by exact price, then by age", () =>
    Effect.gen(function*() {
      const best = Array.from({ length: 49 }, (_, at) => offer(BigInt(1000 - at), 1_000_000_000 + at, 2_000_000_000))
      const older = offer(7n, 2_000_000_000, 2_000_000_000)
      const younger = offer(8n, 1)
      const offers = [younger, ...best, older].toReversed()
      const { asked, market } = yield* read({ offers })
      assert.isTrue([...best, older].every((one) => asksFor(asked, one)))
      assert.isFalse(asksFor(asked, younger))
      assert.deepStrictEqual(market.truncated, [`native/${asset}`])
    }))

  it.effect("is whole when a book has no more than fifty offers of others", () =>
    Effect.gen(function*() {
      const offers = Array.from({ length: 50 }, (_, at) => offer(BigInt(at + 1), at + 1))
      const mine = offer(99n, 1, 1000, own)
      const { asked, market } = yield* read({ offers: [mine, ...offers] })
      assert.isFalse(asksFor(asked, mine))
      assert.isTrue(offers.every((one) => asksFor(asked, one)))
      assert.deepStrictEqual(market.truncated, [])
    }))

  it.effect("is told to be cut where the ledger API listed only part of a book", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* read({ offers: [offer(1n, 1)], complete: false })).market.truncated, [`native/${asset}`])
    }))

  it.effect("tries the direct way always, and each further route once, every book read once", () =>
    Effect.gen(function*() {
      const { books, market } = yield* read({ paths: [[], [hop]] }, [sale, { asset: hop, amount: stroops(1n) }])
      assert.deepStrictEqual(market.routes.get(asset), [[], [hop]])
      assert.deepStrictEqual(market.routes.get(hop), [[]])
      assert.sameMembers(books, [`native/${asset}`, `${hop}/${asset}`, `native/${hop}`])
      assert.strictEqual(new Set(books).size, books.length)
    }))

  it.effect("leaves out ways that come by one asset twice, or have more stops than the ledger takes", () =>
    Effect.gen(function*() {
      const many = Array.from({ length: 6 }, (_, at) => AssetId.make(`HOP${at}:${own}`))
      const { market } = yield* read({ paths: [[asset], [native], [hop, hop], [hop, asset], many, many.slice(0, 5)] })
      assert.deepStrictEqual(market.routes.get(asset), [[], many.slice(0, 5)])
    }))

  it.effect("of nothing asks nobody", () =>
    Effect.gen(function*() {
      const { asked, books, market } = yield* read({}, [])
      assert.deepStrictEqual([asked.size, books.length, market.routes.size, market.entries.length], [0, 0, 0, 0])
    }))

  it.effect("that does not answer is a failure, never an empty market", () =>
    Effect.gen(function*() {
      const failure = new NetworkUnavailable({ network: "testnet" })
      const exit = yield* Effect.flip(
        Effect.gen(function*() {
          return yield* readMarket(marketOf(yield* LedgerApi), yield* LedgerEntries, { own, sales: [sale] })
        }).pipe(Effect.provide(Layer.merge(
          Layer.mock(LedgerApi, {
            absent: null,
            strictSendPaths: () => Effect.fail(failure),
            offersBetween: () => Effect.never
          }),
          Layer.mock(LedgerEntries, {})
        )))
      )
      assert.strictEqual(exit, failure)
    }))
})
