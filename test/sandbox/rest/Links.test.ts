import { assert, it } from "@effect/vitest"
import { Asset, Claimant, Operation } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { DemoAccount } from "../../../src/sandbox/scenarios/DemoAccount.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { get, startWithClients } from "../Clients.ts"

const Links = Schema.Record({ key: Schema.String, value: Schema.Struct({ href: Schema.String }) })
const Linked = Schema.parseJson(Schema.Struct({ _links: Links }))
const Listed = Schema.parseJson(
  Schema.Struct({ _links: Links, _embedded: Schema.Struct({ records: Schema.Array(Schema.Struct({ _links: Schema.optional(Links) })) }) })
)

/** A network with an entry of every kind, and the values for templated links. */
const world = Effect.gen(function*() {
  const sandbox = yield* startWithClients()
  const { destination, source } = yield* sandbox.on(DemoAccount)
  const claimant = new Claimant(destination.publicKey())
  yield* sandbox.on(perform("something is left to be claimed", {
    as: source,
    operations: [
      Operation.createClaimableBalance({ asset: Asset.native(), amount: "1", claimants: [claimant] }),
      Operation.manageData({ name: "profile", value: "an entry" })
    ]
  }))
  const [offer] = (yield* Effect.promise(() => sandbox.ledgerApi.offers().limit(1).call())).records
  const { latest } = (yield* sandbox.network.snapshot).history
  const parts: Readonly<Record<string, string>> = {
    account_id: source.publicKey(),
    key: "profile",
    hash: latest.transactions[0]?.facts.hash ?? assert.fail("no transaction"),
    sequence: `${latest.sequence}`,
    offer_id: `${offer?.id}`
  }
  const filled = (href: string) =>
    href.replace(/\{\?[^}]*\}/g, "").replace(
      /\{([a-z_]+)\}/g,
      (_, name: string) => parts[name] ?? assert.fail(`nothing is known for ${name}`)
    )
  return { ...sandbox, source, filled }
})

const listings = ["accounts", "assets", "claimable_balances", "ledgers", "liquidity_pools", "offers", "transactions"]

it.scopedLive("the ledger API links to nothing that it does not answer", () =>
  Effect.gen(function*() {
    const { filled, ledgerApiUrl, source } = yield* world
    const read = (path: string) => Effect.map(get(`${ledgerApiUrl}${path}`), ({ text }) => text)
    const lists = yield* Effect.forEach(listings, (list) => {
      const query = list === "accounts" ? `?signer=${source.publicKey()}&` : "?"
      return Effect.map(read(`/${list}${query}limit=3&order=desc`), (text) => Schema.decodeSync(Listed)(text))
    })
    const root = Schema.decodeSync(Linked)(yield* read("/"))
    const account = Schema.decodeSync(Linked)(yield* read(`/accounts/${source.publicKey()}`))
    const records = lists.map(({ _embedded }, at) => {
      assert.isNotEmpty(_embedded.records, listings[at])
      return _embedded.records.flatMap(({ _links = {} }) => Object.values(_links))
    })
    const all = [
      ...Object.values(root._links),
      ...Object.values(account._links),
      ...lists.flatMap(({ _links }) => Object.values(_links)),
      ...records.flat()
    ]
    const hrefs = [...new Set(all.map(({ href }) => href).filter((href) => href.startsWith(ledgerApiUrl)))]
    assert.isAbove(hrefs.length, 40)
    for (const href of hrefs) {
      const { status } = yield* get(filled(href))
      assert.notStrictEqual(status, 404, href)
    }
  }))

it.scopedLive("the SDK's client follows the links of accounts, ledgers and transactions", () =>
  Effect.gen(function*() {
    const { ledgerApi, source } = yield* world
    const account = yield* Effect.promise(() => ledgerApi.accounts().accountId(source.publicKey()).call())
    const transactions = yield* Effect.promise(() => account.transactions({ order: "desc", limit: 1 }))
    const [last] = transactions.records
    const ledger = yield* Effect.promise(() => last?.ledger() ?? Promise.reject(new Error("no transaction")))
    const inLedger = yield* Effect.promise(() => ledger.transactions())
    assert.deepStrictEqual(inLedger.records.map(({ hash }) => hash), [last?.hash])
    const offers = yield* Effect.promise(() => account.offers())
    assert.isNotEmpty(offers.records)
  }))
