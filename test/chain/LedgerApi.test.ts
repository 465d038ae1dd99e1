import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { AssetId, native } from "../../src/domain/Asset.ts"
import { someAddress } from "./support/Entries.ts"
import { scripted, settings } from "./support/Scripted.ts"
import type { Reaction, Seen } from "./support/Scripted.ts"

const base = new URL("https://ledger.example/api/?token=hidden")
const other = new URL("https://other.example/")
const address = someAddress()
const issuer = someAddress()
const credit = AssetId.make(`USD:${issuer}`)
const long = AssetId.make(`LONGCODE:${issuer}`)

const apiOver = (react: (request: Seen, count: number) => Reaction, urls: readonly [URL, ...ReadonlyArray<URL>] = [base]) =>
  Effect.gen(function*() {
    const transport = yield* scripted(react)
    const services = yield* Layer.build(LedgerApi.layer.pipe(Layer.provide([transport.layer, settings([base], urls)])))
    return { api: yield* Effect.provide(LedgerApi, services), seen: transport.seen }
  })

const answer = (value: unknown, latest: number | null = 50): Reaction => ({
  headers: latest === null ? {} : { "latest-ledger": String(latest) },
  body: JSON.stringify(value)
})
const page = (records: ReadonlyArray<unknown>, latest = 50) => answer({ _embedded: { records } }, latest)
const problem = (status: number): Reaction => ({ status, body: JSON.stringify({ type: "about:problem", title: "no", status }) })

const accountResource = (over: object = {}) => ({
  account_id: address,
  paging_token: address,
  sequence: "9223372036854775807",
  last_modified_ledger: 40,
  subentry_count: 3,
  num_sponsoring: 0,
  num_sponsored: 1,
  balances: [
    {
      asset_type: "credit_alphanum4",
      asset_code: "USD",
      asset_issuer: issuer,
      balance: "922337203685.4775807",
      limit: "922337203685.4775807",
      buying_liabilities: "0.0000000",
      selling_liabilities: "1.0000001",
      is_authorized: false,
      last_modified_ledger: 31,
      sponsor: issuer
    },
    {
      asset_type: "liquidity_pool_shares",
      liquidity_pool_id: "ab".repeat(32),
      balance: "2.0000000",
      limit: "3.0000000",
      is_authorized: true
    },
    { asset_type: "native", balance: "10.0000000" }
  ],
  signers: [{ key: address, weight: 1, type: "ed25519_public_key" }],
  data: { "a name": "AQ==" },
  ...over
})

const offer = (id: number) => ({
  id: String(id),
  paging_token: String(id),
  seller: address,
  selling: { asset_type: "native" },
  buying: { asset_type: "credit_alphanum12", asset_code: "LONGCODE", asset_issuer: issuer },
  amount: "0.0000001",
  price_r: { n: 1, d: 3 },
  price: "0.3333333",
  last_modified_ledger: 30
})

const balance = (id: number, predicate: unknown = { unconditional: true }) => ({
  id: "00000000" + id.toString(16).padStart(64, "0"),
  paging_token: `30-${id}`,
  asset: `USD:${issuer}`,
  amount: "5.0000000",
  claimants: [{ destination: address, predicate }],
  last_modified_ledger: 30
})

describe("account", () => {
  it.scoped("decodes lines, shares, signers and data", () =>
    Effect.gen(function*() {
      const { api, seen } = yield* apiOver(() => answer(accountResource()))
      const found = Option.getOrThrow(yield* api.account(address))
      assert.deepStrictEqual(found.trustlines, [
        {
          asset: credit,
          balance: stroops(9223372036854775807n),
          limit: stroops(9223372036854775807n),
          buyingLiabilities: stroops(0n),
          sellingLiabilities: stroops(10_000_001n),
          authorized: false,
          sponsor: issuer,
          lastModifiedLedger: 31
        }
      ])
      assert.deepStrictEqual(found.poolShares.map(({ balance, poolId }) => [String(poolId), balance]), [[
        "ab".repeat(32),
        stroops(20_000_000n)
      ]])
      assert.strictEqual(found.sequence, 9223372036854775807n)
      assert.deepStrictEqual([...found.data], [["a name", "AQ=="]])
      assert.isNull(found.sponsor)
      assert.strictEqual(found.latestLedger, 50)
      const [request] = yield* seen
      assert.strictEqual(request?.url.href, `https://ledger.example/api/accounts/${address}?token=hidden`)
    }))

  it.scoped("is none when the ledger API itself says 404", () =>
    Effect.gen(function*() {
      const { api } = yield* apiOver(() => problem(404))
      assert.isTrue(Option.isNone(yield* api.account(address)))
    }))

  it.scoped("is no answer when somebody else says 404", () =>
    Effect.gen(function*() {
      const { api } = yield* apiOver(() => ({ status: 404, body: "<html>nothing here</html>" }))
      assert.strictEqual((yield* Effect.flip(api.account(address)))._tag, "UpstreamUnusable")
    }))

  it.scoped("asks the next endpoint when one answers nonsense", () =>
    Effect.gen(function*() {
      const { api, seen } = yield* apiOver(
        ({ origin }) => (origin === base.origin ? { body: "<html>" } : answer(accountResource())),
        [base, other]
      )
      assert.isTrue(Option.isSome(yield* api.account(address)))
      assert.deepStrictEqual((yield* seen).map(({ origin }) => origin), [base.origin, other.origin])
    }))

  const unusable: ReadonlyArray<readonly [string, Reaction]> = [
    ["an answer without Latest-Ledger", answer(accountResource(), null)],
    ["another account", answer(accountResource({ account_id: issuer }))],
    ["a kind of balance nobody knows", answer(accountResource({ balances: [{ asset_type: "moon_dust", balance: "1.0000000" }] }))],
    [
      "a negative balance",
      answer(
        accountResource({ balances: [{ asset_type: "liquidity_pool_shares", liquidity_pool_id: "ab".repeat(32), balance: "-1.0000000" }] })
      )
    ],
    [
      "too many digits",
      answer(
        accountResource({ balances: [{ asset_type: "liquidity_pool_shares", liquidity_pool_id: "ab".repeat(32), balance: "1.00000001" }] })
      )
    ],
    ["an asset that is none", answer(accountResource({ balances: [{ ...accountResource().balances[0], asset_code: "TOO-BAD" }] }))]
  ]
  for (const [name, reaction] of unusable) {
    it.scoped(`refuses ${name}`, () =>
      Effect.gen(function*() {
        const { api } = yield* apiOver(() => reaction)
        const failure = yield* Effect.flip(api.account(address))
        assert.strictEqual(failure._tag === "UpstreamUnusable" ? failure.source : failure._tag, "ledger_api")
      }))
  }
})

describe("lists", () => {
  const offers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => offer(from + index))

  it.scoped("are read to the end, 200 a page, from the last record's cursor", () =>
    Effect.gen(function*() {
      const { api, seen } = yield* apiOver(({ url }) => {
        const start = Number(url.searchParams.get("cursor") ?? "0")
        return page(offers(start + 1, Math.min(start + 200, 450) + 1), 60 - start / 200)
      })
      const found = yield* api.offersOf(address)
      assert.strictEqual(found.offers.length, 450)
      assert.deepStrictEqual(found.offers.at(-1), {
        id: 450n,
        seller: address,
        selling: native,
        buying: long,
        amount: stroops(1n),
        price: { n: 1, d: 3 },
        lastModifiedLedger: 30,
        sponsor: null
      })
      assert.deepStrictEqual([found.latestLedger, found.newestLedger], [58, 60])
      assert.deepStrictEqual((yield* seen).map(({ url }) => url.search), [
        `?token=hidden&seller=${address}&limit=200&order=asc`,
        `?token=hidden&seller=${address}&limit=200&order=asc&cursor=200`,
        `?token=hidden&seller=${address}&limit=200&order=asc&cursor=400`
      ])
    }))

  it.scoped("ask once more when the last page is full", () =>
    Effect.gen(function*() {
      const { api, seen } = yield* apiOver((_, count) => page(count === 1 ? offers(1, 201) : []))
      assert.strictEqual((yield* api.offersOf(address)).offers.length, 200)
      assert.strictEqual((yield* seen).length, 2)
    }))

  it.scoped("fail whole when a later page fails", () =>
    Effect.gen(function*() {
      const { api } = yield* apiOver((_, count) => (count === 1 ? page(offers(1, 201)) : { status: 200, body: "{}" }))
      assert.strictEqual((yield* Effect.flip(api.offersOf(address)))._tag, "UpstreamUnusable")
    }))

  it.scoped("fail when a cursor leads back to itself", () =>
    Effect.gen(function*() {
      const { api, seen } = yield* apiOver(() => page(offers(1, 201)))
      assert.strictEqual((yield* Effect.flip(api.offersOf(address)))._tag, "UpstreamUnusable")
      assert.strictEqual((yield* seen).length, 2)
    }))

  it.scoped("are never missing: a 404 is no empty list", () =>
    Effect.gen(function*() {
      const { api } = yield* apiOver(() => problem(404))
      assert.strictEqual((yield* Effect.flip(api.claimableBalancesFor(address)))._tag, "UpstreamUnusable")
    }))

  it.scoped("say when only some pages of a pair were wanted", () =>
    Effect.gen(function*() {
      const { api, seen } = yield* apiOver(({ url }) => {
        const start = Number(url.searchParams.get("cursor") ?? "0")
        return page(offers(start + 1, start + 201))
      })
      const found = yield* api.offersBetween(long, native, 2)
      assert.isFalse(found.complete)
      assert.strictEqual(found.offers.length, 400)
      const [request] = yield* seen
      const parameters = request?.url.searchParams
      assert.strictEqual(parameters?.get("selling_asset_type"), "credit_alphanum12")
      assert.strictEqual(parameters?.get("selling_asset_code"), "LONGCODE")
      assert.strictEqual(parameters?.get("selling_asset_issuer"), issuer)
      assert.strictEqual(parameters?.get("buying_asset_type"), "native")
      assert.isFalse(parameters?.has("buying_asset_code"))
    }))

  it.scoped("of a pair are complete when they end within the pages", () =>
    Effect.gen(function*() {
      const { api } = yield* apiOver(() => page(offers(1, 3)))
      assert.isTrue((yield* api.offersBetween(native, long, 1)).complete)
    }))
})

describe("claimable balances", () => {
  const predicateOf = (predicate: unknown) =>
    Effect.gen(function*() {
      const { api } = yield* apiOver(() => page([balance(1, predicate)]))
      return Effect.map(api.claimableBalancesFor(address), ({ claimableBalances }) => claimableBalances[0]?.claimants[0]?.predicate)
    }).pipe(Effect.flatten, Effect.scoped)

  const cases: ReadonlyArray<readonly [string, unknown, object]> = [
    ["unconditional", { unconditional: true }, { type: "unconditional" }],
    ["an absolute time", { abs_before: "+292277026596-12-04T15:30:07Z", abs_before_epoch: "9223372036854775807" }, {
      type: "before_absolute_time",
      absBeforeEpoch: "9223372036854775807"
    }],
    ["a time before the epoch", { abs_before: "1969-12-31T23:59:59Z", abs_before_epoch: "-1" }, {
      type: "before_absolute_time",
      absBeforeEpoch: "-1"
    }],
    ["a relative time", { rel_before: "60" }, { type: "before_relative_time", relBeforeSeconds: "60" }],
    [
      "everything nested",
      { and: [{ not: { abs_before_epoch: "5" } }, { or: [{ unconditional: true }, { rel_before: "7" }] }] },
      {
        type: "and",
        predicates: [
          { type: "not", predicate: { type: "before_absolute_time", absBeforeEpoch: "5" } },
          { type: "or", predicates: [{ type: "unconditional" }, { type: "before_relative_time", relBeforeSeconds: "7" }] }
        ]
      }
    ]
  ]
  for (const [name, given, expected] of cases) {
    it.effect(`decode ${name}`, () => Effect.map(predicateOf(given), (found) => assert.deepStrictEqual(found as unknown, expected)))
  }

  it.effect("refuse a predicate nobody knows, however deep", () =>
    Effect.map(
      Effect.flip(predicateOf({ and: [{ unconditional: true }, { full_moon: true }] })),
      (failure) => assert.strictEqual(failure._tag, "UpstreamUnusable")
    ))

  const always = { unconditional: true }
  const nested = (levels: number): object => (levels === 1 ? always : { not: nested(levels - 1) })
  const impossible: ReadonlyArray<readonly [name: string, given: object]> = [
    ["of one part", { and: [always] }],
    ["of three parts", { or: [always, always, always] }],
    ["of five levels", nested(5)],
    ["of ten thousand parts", { or: Array.from({ length: 10_000 }, (_, at) => ({ abs_before_epoch: `${5_000_000_000 + at}` })) }]
  ]
  for (const [name, given] of impossible) {
    it.effect(`refuse a predicate ${name}, which the ledger cannot hold`, () =>
      Effect.map(Effect.flip(predicateOf(given)), (failure) => assert.strictEqual(failure._tag, "UpstreamUnusable")))
  }

  it.effect("decode a predicate of four levels", () =>
    Effect.map(predicateOf({ or: [nested(3), always] }), (found) =>
      assert.deepStrictEqual(found as unknown, {
        type: "or",
        predicates: [{ type: "not", predicate: { type: "not", predicate: { type: "unconditional" } } }, { type: "unconditional" }]
      })))

  it.scoped("ask for the role in question", () =>
    Effect.gen(function*() {
      const { api, seen } = yield* apiOver(() => page([balance(1)]))
      yield* api.claimableBalancesFor(address)
      yield* api.claimableBalancesSponsoredBy(address)
      const asked = (yield* seen).map(({ url }) => [url.searchParams.get("claimant"), url.searchParams.get("sponsor")])
      assert.deepStrictEqual(asked, [[address, null], [null, address]])
    }))
})

describe("paths", () => {
  const path = (amount: string, hops: ReadonlyArray<unknown>) => ({ source_amount: "1.0000000", destination_amount: amount, path: hops })
  const hop = { asset_type: "credit_alphanum12", asset_code: "LONGCODE", asset_issuer: issuer }

  it.scoped("come best first, of equals the shorter one", () =>
    Effect.gen(function*() {
      const { api, seen } = yield* apiOver(() => page([path("2.0000000", [hop]), path("2.0000000", []), path("3.0000000", [hop])]))
      const found = yield* api.strictSendPaths(credit, stroops(10_000_000n), native)
      assert.deepStrictEqual(found.map(({ destinationAmount, path }) => [destinationAmount, path]), [
        [stroops(30_000_000n), [long]],
        [stroops(20_000_000n), []],
        [stroops(20_000_000n), [long]]
      ])
      const [request] = yield* seen
      assert.strictEqual(
        request?.url.pathname + (request?.url.search ?? ""),
        `/api/paths/strict-send?token=hidden&source_asset_type=credit_alphanum4&source_asset_code=USD&source_asset_issuer=${issuer}&source_amount=1.0000000&destination_assets=native`
      )
    }))

  it.scoped("are an empty list when there is no way, and a failure when nobody knows", () =>
    Effect.gen(function*() {
      const { api } = yield* apiOver((_, count) => (count === 1 ? page([]) : { status: 404, body: "gone" }))
      assert.deepStrictEqual(yield* api.strictSendPaths(credit, stroops(1n), native), [])
      assert.strictEqual((yield* Effect.flip(api.strictSendPaths(credit, stroops(1n), native)))._tag, "UpstreamUnusable")
    }))

  it.scoped("to one asset are asked for from several at once, and come with the one each begins with, the cheapest first", () =>
    Effect.gen(function*() {
      const from = (named: object, amount: string) => ({ ...path("5.0000000", []), ...named, source_amount: amount })
      const usd = { source_asset_type: "credit_alphanum4", source_asset_code: "USD", source_asset_issuer: issuer }
      const { api, seen } = yield* apiOver((_, count) =>
        page([
          from(usd, "3.0000000"),
          from(count === 1 ? { source_asset_type: "native" } : { ...usd, source_asset_code: "USDC" }, "2.0000000")
        ])
      )
      const found = yield* api.strictReceivePaths([credit, native], long, stroops(50_000_000n))
      assert.deepStrictEqual(found.map(({ source, sourceAmount }) => [source, sourceAmount]), [
        [native, stroops(20_000_000n)],
        [credit, stroops(30_000_000n)]
      ])
      const [request] = yield* seen
      assert.deepStrictEqual([...request?.url.searchParams ?? []].slice(1), [
        ["source_assets", `${credit},native`],
        ["destination_asset_type", "credit_alphanum12"],
        ["destination_asset_code", "LONGCODE"],
        ["destination_asset_issuer", issuer],
        ["destination_amount", "5.0000000"]
      ])
      // A path that starts with another asset than the requested one is no valid answer.
      assert.strictEqual((yield* Effect.flip(api.strictReceivePaths([credit, native], long, stroops(1n))))._tag, "UpstreamUnusable")
    }))

  it.scoped("are not asked for elsewhere when the question is called bad", () =>
    Effect.gen(function*() {
      const { api, seen } = yield* apiOver(() => problem(400), [base, other])
      assert.strictEqual((yield* Effect.flip(api.strictSendPaths(credit, stroops(1n), native)))._tag, "UpstreamUnusable")
      assert.strictEqual((yield* seen).length, 1)
    }))
})

describe("the rest", () => {
  it.scoped("refuses an issued asset whose code is none", () =>
    Effect.gen(function*() {
      const issued = (code: string) => ({
        paging_token: code,
        asset_code: code,
        asset_issuer: issuer,
        balances: { authorized: "1.0000000", authorized_to_maintain_liabilities: "0.0000000", unauthorized: "0.0000000" },
        claimable_balances_amount: "0.0000000",
        liquidity_pools_amount: "0.0000000",
        contracts_amount: "0.0000000"
      })
      const sound = yield* apiOver(() => page([issued("USD")]))
      assert.lengthOf((yield* sound.api.assetsIssuedBy(address)).assets, 1)
      for (const code of ["", "U SD", "THIRTEENCHARS"]) {
        const { api } = yield* apiOver(() => page([issued("USD"), issued(code)]))
        assert.strictEqual((yield* Effect.flip(api.assetsIssuedBy(address)))._tag, "UpstreamUnusable", code)
      }
    }))

  it.scoped("knows the newest ledger and its close time", () =>
    Effect.gen(function*() {
      const { api } = yield* apiOver(() => answer({ _embedded: { records: [{ sequence: 77, closed_at: "2026-11-20T10:00:00Z" }] } }, null))
      assert.deepStrictEqual(yield* api.latestLedger, { sequence: 77, closeTime: 1795168800n })
    }))

  it.scoped("refuses a newest ledger without a time", () =>
    Effect.gen(function*() {
      const { api } = yield* apiOver(() => page([{ sequence: 77, closed_at: "yesterday" }]))
      assert.strictEqual((yield* Effect.flip(api.latestLedger))._tag, "UpstreamUnusable")
    }))

  it.scoped("asks for a data entry by a name with any characters", () =>
    Effect.gen(function*() {
      const { api, seen } = yield* apiOver(() => answer({ value: "AQ==", sponsor: issuer }))
      const found = yield* api.dataEntry(address, "a/b ?#%é")
      assert.deepStrictEqual(found, Option.some({ value: "AQ==", sponsor: issuer, latestLedger: 50 }))
      assert.strictEqual((yield* seen)[0]?.url.pathname, `/api/accounts/${address}/data/${encodeURIComponent("a/b ?#%é")}`)
    }))
})
