import { assert, it } from "@effect/vitest"
import { Asset, Claimant, Keypair, LiquidityPoolAsset, Operation } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { get, startWithClients } from "../Clients.ts"

const Record = Schema.Struct({ paging_token: Schema.String })
const Link = Schema.Struct({ href: Schema.String })
const Page = Schema.parseJson(
  Schema.Struct({
    _links: Schema.Struct({ self: Link, next: Link, prev: Link }),
    _embedded: Schema.Struct({ records: Schema.Array(Record) })
  })
)

const read = (url: string) =>
  Effect.map(get(url), ({ status, text }) => {
    assert.strictEqual(status, 200, url)
    const page = Schema.decodeSync(Page)(text)
    return {
      tokens: page._embedded.records.map(({ paging_token }) => paging_token),
      next: page._links.next.href,
      prev: page._links.prev.href
    }
  })

/** Every token of a listing, two records a page, with the links that were followed. */
const walk = Effect.fnUntraced(function*(url: string) {
  const tokens: Array<string> = []
  let page = yield* read(url)
  let before = page
  while (page.tokens.length > 0) {
    assert.isAtMost(page.tokens.length, 2)
    tokens.push(...page.tokens)
    before = page
    page = yield* read(page.next)
  }
  // An empty page links back to its start, and on to later records.
  const back = yield* read(before.prev)
  assert.deepStrictEqual(back.tokens, tokens.slice(0, -before.tokens.length).toReversed().slice(0, 2))
  assert.deepStrictEqual((yield* read(page.next)).tokens, [])
  return tokens
})

it.scopedLive("every list pages in both orders, whole and without doubles", () =>
  Effect.gen(function*() {
    const { ledgerApiUrl, on } = yield* startWithClients()
    const [issuer, ...holders] = Array.from({ length: 6 }, () => Keypair.random())
    assert(issuer !== undefined)
    yield* on(fund("100", issuer, ...holders))
    const assets = ["AAA", "BBB", "CCC", "DDDDDD", "EEE"].map((code) => new Asset(code, issuer.publicKey()))
    const [first] = assets
    assert(first !== undefined)
    for (const [at, holder] of holders.entries()) {
      const asset = assets[at] ?? first
      yield* on(perform("hold", {
        as: holder,
        operations: [
          Operation.changeTrust({ asset: first }),
          ...(asset === first ? [] : [Operation.changeTrust({ asset })]),
          Operation.changeTrust({ asset: new LiquidityPoolAsset(Asset.native(), asset, 30) }),
          Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "1", price: "2" }),
          Operation.createClaimableBalance({ asset: Asset.native(), amount: "1", claimants: [new Claimant(issuer.publicKey())] }),
          Operation.setOptions({ signer: { ed25519PublicKey: issuer.publicKey(), weight: 1 } })
        ]
      }))
    }
    const lists = {
      [`/accounts?signer=${issuer.publicKey()}`]: 6,
      [`/accounts?asset=AAA:${issuer.publicKey()}`]: 5,
      [`/assets?asset_issuer=${issuer.publicKey()}`]: 5,
      "/offers?selling=native": 5,
      "/claimable_balances?asset=native": 5,
      "/liquidity_pools?reserves=native": 5,
      "/ledgers?": 7,
      "/transactions?": 6,
      [`/accounts/${issuer.publicKey()}/transactions?`]: 6
    }
    for (const [path, count] of Object.entries(lists)) {
      const upwards = yield* walk(`${ledgerApiUrl}${path}&limit=2&order=asc`)
      const downwards = yield* walk(`${ledgerApiUrl}${path}&limit=2&order=desc`)
      assert.lengthOf(upwards, count, path)
      assert.strictEqual(new Set(upwards).size, count, path)
      assert.deepStrictEqual(downwards.toReversed(), upwards, path)
      const whole = yield* read(`${ledgerApiUrl}${path}&limit=200`)
      assert.deepStrictEqual(whole.tokens, upwards, path)
      assert.deepStrictEqual((yield* read(`${ledgerApiUrl}${path}&cursor=now`)).tokens, [], path)
    }
    for (const path of Object.keys(lists)) {
      const wrong = yield* get(`${ledgerApiUrl}${path}&order=sideways`)
      assert.deepStrictEqual([wrong.status, JSON.parse(wrong.text).extras.invalid_field], [400, "order"], path)
    }
  }))
