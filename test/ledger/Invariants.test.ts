import { assert, describe, it } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { accountId, bytesId } from "../../src/ledger/AccountId.ts"
import { assetId, toTrustlineAsset } from "../../src/ledger/Asset.ts"
import { liabilitiesOf, sponsorshipOf, withFields, withLiabilities, withSponsorship } from "../../src/ledger/entries/Account.ts"
import { withSponsor } from "../../src/ledger/entries/LedgerEntry.ts"
import { lineLiabilities, withLine, withLineLiabilities, withPoolUseCount } from "../../src/ledger/entries/Trustline.ts"
import { idOfEntry } from "../../src/ledger/EntryId.ts"
import { int64Max } from "../../src/ledger/Int64.ts"
import { brokenInvariants, inconsistencies } from "../../src/ledger/Invariants.ts"
import type { LedgerState } from "../../src/ledger/LedgerState.ts"
import { minBalance } from "../../src/ledger/Reserves.ts"
import { accountKey, dataKey, keyOfPool, offerKey, trustlineKey } from "../../src/xdr/LedgerKeys.ts"
import {
  assetOf,
  begin,
  claimant,
  deposit,
  end,
  pay,
  poolOf,
  price,
  sell,
  setApart,
  setData,
  setSigner,
  shareOf,
  signerKeyOf,
  trust,
  trustPool,
  xlm
} from "./support/Bodies.ts"
import { idOf, World } from "./support/World.ts"

/**
 * A holder of dollars and euros with offers 1 and 2, shares of one pool and a line for another one that is empty. A sponsor pays for a data entry
 * and a signer of it. The issuer has offer 3 of its own dollars, and gave a claimable balance. A maker buys its own pounds by offer 4.
 */
const world = new World()
const [issuer, holder, sponsor, maker] = [world.account(), world.account(), world.account(), world.account()]
const [usd, eur] = [assetOf(issuer), assetOf(issuer, "EUR")]
world.succeed(issuer, [[holder, trust(usd, 50_000n)], [holder, trust(eur)], pay(holder, usd, 10_000n), pay(holder, eur, 10_000n)])
world.succeed(holder, [trustPool(xlm, usd), deposit(xlm, usd, 400n, 900n), trustPool(usd, eur)])
world.succeed(holder, [sell(usd, xlm, 100n, price(2, 1)), sell(xlm, eur, 70n, price(1, 1))])
world.succeed(issuer, [sell(usd, xlm, 30n, price(3, 1)), setApart(xlm, 7n, claimant(holder))])
world.succeed(holder, [[sponsor, begin(holder)], setData("paid", "x"), setSigner(signerKeyOf(issuer), 1), [holder, end()]])
world.succeed(maker, [sell(xlm, assetOf(maker, "GBP"), 5n, price(1, 1))])
const { state } = world

type Change<Entry> = (entry: Entry) => Entry

const changed = (of: LedgerState, key: xdr.LedgerKey, change: Change<xdr.LedgerEntry>): LedgerState =>
  of.set([change(of.get(key) ?? assert.fail("the entry is missing"))])

const withData = (change: Change<xdr.LedgerEntryData>) => (entry: xdr.LedgerEntry): xdr.LedgerEntry =>
  new xdr.LedgerEntry({ ...entry, data: change(entry.data) })

const account = (of: Keypair, change: Change<xdr.AccountEntry>) =>
  changed(
    state,
    accountKey(of.publicKey()),
    withData((data) => data.type === "account" ? xdr.LedgerEntryData.account(change(data.account)) : data)
  )

const line = (asset: xdr.Asset | xdr.TrustLineAsset, change: Change<xdr.TrustLineEntry>, of = state) =>
  changed(
    of,
    trustlineKey(holder.publicKey(), asset.type === "assetTypePoolShare" ? asset : toTrustlineAsset(asset)),
    withData((data) => data.type === "trustline" ? xdr.LedgerEntryData.trustline(change(data.trustLine)) : data)
  )

const offer = (of: Keypair, id: bigint, fields: Partial<Pick<xdr.OfferEntry, "amount" | "buying" | "offerId">>) =>
  changed(
    state,
    offerKey(of.publicKey(), id),
    withData((data) => data.type === "offer" ? xdr.LedgerEntryData.offer(new xdr.OfferEntry({ ...data.offer, ...fields })) : data)
  )

type Product = Partial<
  Pick<xdr.LiquidityPoolEntryConstantProduct, "reserveA" | "reserveB" | "totalPoolShares" | "poolSharesTrustLineCount">
>

const pool = (left: xdr.Asset, right: xdr.Asset, fields: Product) =>
  changed(
    state,
    keyOfPool(poolOf(left, right)),
    withData((data) =>
      data.type !== "liquidityPool" ? data : xdr.LedgerEntryData.liquidityPool(
        new xdr.LiquidityPoolEntry({
          ...data.liquidityPool,
          body: xdr.LiquidityPoolEntryBody.liquidityPoolConstantProduct(
            new xdr.LiquidityPoolEntryConstantProduct({ ...data.liquidityPool.body.constantProduct, ...fields })
          )
        })
      )
    )
  )

const of = (pair: Keypair): string => accountId(idOf(pair))
const [lumenDollars, dollarEuros] = [bytesId(poolOf(xlm, usd).value), bytesId(poolOf(usd, eur).value)]

/** What is broken, sorted. */
const broken = (of: LedgerState): ReadonlyArray<string> => brokenInvariants(of).toSorted()
const more = (what: string, by = 1) => `${what}: ${by} more recorded than counted`

const held = world.get(holder)
const dollars = world.line(holder, usd) ?? assert.fail("no dollars")

describe("a ledger", () => {
  it("is sound as transactions leave it", () => {
    assert.deepStrictEqual(broken(state), [])
  })

  const sponsorship = (field: "numSponsored" | "numSponsoring") =>
    account(holder, (entry) => withSponsorship(entry, { [field]: sponsorshipOf(entry)[field] + 1 }))
  const promising = (by: { readonly buying?: bigint; readonly selling?: bigint }) =>
    account(holder, (entry) => {
      const { buying, selling } = liabilitiesOf(entry)
      return withLiabilities(entry, new xdr.Liabilities({ buying: buying + (by.buying ?? 0n), selling: selling + (by.selling ?? 0n) }))
    })
  const linePromising = (by: { readonly buying?: bigint; readonly selling?: bigint }) =>
    line(usd, (entry) => {
      const { buying, selling } = lineLiabilities(entry)
      return withLineLiabilities(entry, new xdr.Liabilities({ buying: buying + (by.buying ?? 0n), selling: selling + (by.selling ?? 0n) }))
    })
  const rows: ReadonlyArray<readonly [name: string, state: LedgerState, found: ReadonlyArray<string>]> = [
    ["sub-entries", account(holder, (entry) => withFields(entry, { numSubEntries: entry.numSubEntries + 1 })), [
      more(`sub-entries of ${of(holder)}`)
    ]],
    ["what others pay for an account", sponsorship("numSponsored"), [more(`sponsored for ${of(holder)}`)]],
    ["what an account pays for others", sponsorship("numSponsoring"), [more(`sponsored by ${of(holder)}`)]],
    ["lumens that offers buy", promising({ buying: 1n }), [more(`buying liabilities of ${of(holder)} native`)]],
    ["lumens that offers sell", promising({ selling: 1n }), [more(`selling liabilities of ${of(holder)} native`)]],
    ["assets that offers buy", linePromising({ buying: 1n }), [more(`buying liabilities of ${of(holder)} ${assetId(usd)}`)]],
    ["assets that offers sell", linePromising({ selling: 1n }), [more(`selling liabilities of ${of(holder)} ${assetId(usd)}`)]],
    ["pools that need a line", line(usd, (entry) => withPoolUseCount(entry, 3)), [more(`pool uses of ${of(holder)} ${assetId(usd)}`)]],
    ["lines of a pool", pool(xlm, usd, { poolSharesTrustLineCount: 2n }), [more(`lines of pool ${lumenDollars}`)]],
    [
      "shares of a pool",
      line(shareOf(xlm, usd), (entry) => withLine(entry, { balance: entry.balance - 1n })),
      [more(`shares of pool ${lumenDollars}`)]
    ],
    [
      "sponsors of a signer",
      account(holder, (entry) => withSponsorship(entry, { signerSponsors: [null] })),
      [more(`sponsored by ${of(sponsor)}`), more(`sponsored for ${of(holder)}`)]
    ],
    [
      "sponsors of an entry",
      changed(state, dataKey(holder.publicKey(), "paid"), (entry) => withSponsor(entry, undefined)),
      [more(`sponsored by ${of(sponsor)}`), more(`sponsored for ${of(holder)}`)]
    ],
    ["an entry of an owner", state.delete([dataKey(holder.publicKey(), "paid")]), [
      more(`sponsored by ${of(sponsor)}`),
      more(`sponsored for ${of(holder)}`),
      more(`sub-entries of ${of(holder)}`)
    ]]
  ]
  for (const [name, altered, found] of rows) {
    it(`counts ${name}`, () => {
      assert.deepStrictEqual(broken(altered), found)
    })
  }

  it("counts a share line twice, and no use of a pool that is gone", () => {
    const lost = state.delete([trustlineKey(holder.publicKey(), shareOf(usd, eur))])
    assert.deepStrictEqual(
      broken(lost),
      [
        more(`lines of pool ${dollarEuros}`),
        more(`pool uses of ${of(holder)} ${assetId(usd)}`),
        more(`pool uses of ${of(holder)} ${assetId(eur)}`),
        more(`sub-entries of ${of(holder)}`, 2)
      ].toSorted()
    )
    assert.deepStrictEqual(
      broken(state.delete([keyOfPool(poolOf(usd, eur))])),
      [
        more(`lines of pool ${dollarEuros}`, -1),
        more(`pool uses of ${of(holder)} ${assetId(usd)}`),
        more(`pool uses of ${of(holder)} ${assetId(eur)}`)
      ].toSorted()
    )
  })
})

describe("the bounds of an entry", () => {
  const outside = (what: string) => [`${what} is outside its bounds`]
  const having = (pair: Keypair, balance: bigint) => broken(account(pair, (entry) => withFields(entry, { balance })))
  const balanceOf = (pair: Keypair) => `the balance of ${of(pair)}`

  it("are those of lumens: nothing at least, and as much as offers may still buy", () => {
    assert.deepStrictEqual(having(sponsor, 0n), [])
    assert.deepStrictEqual(having(sponsor, -1n), outside(balanceOf(sponsor)))
    const most = int64Max - liabilitiesOf(held).buying
    assert.deepStrictEqual([having(holder, most), having(holder, most + 1n)], [[], outside(balanceOf(holder))])
  })

  it("are the reserve and what offers sell, of an account with such offers only", () => {
    const least = minBalance(state.header, held) + liabilitiesOf(held).selling
    assert.deepStrictEqual([having(holder, least), having(holder, least - 1n)], [[], outside(`${balanceOf(holder)} above its offers`)])
    assert.deepStrictEqual(having(issuer, 0n), [])
  })

  it("are what offers sell and may still buy, of a line", () => {
    const { buying, selling } = lineLiabilities(dollars)
    const euros = lineLiabilities(world.line(holder, eur) ?? assert.fail("no euros"))
    const withBalance = (asset: xdr.Asset, balance: bigint) => broken(line(asset, (entry) => withLine(entry, { balance })))
    const dollar = outside(`the balance of ${of(holder)} ${assetId(usd)}`)
    assert.deepStrictEqual([buying, selling, euros.buying], [0n, 100n, 70n])
    assert.deepStrictEqual([withBalance(usd, selling), withBalance(usd, selling - 1n)], [[], dollar])
    assert.deepStrictEqual([withBalance(usd, dollars.limit), withBalance(usd, dollars.limit + 1n)], [[], dollar])
    const euro = outside(`the balance of ${of(holder)} ${assetId(eur)}`)
    assert.deepStrictEqual([withBalance(eur, int64Max - 70n), withBalance(eur, int64Max - 69n)], [[], euro])
  })

  it("are ids that the ledger gave out, amounts, and lines for what is sold and bought", () => {
    const { idPool } = state.header
    const told = (altered: LedgerState) => broken(altered).filter((one) => !one.includes("more recorded"))
    assert.strictEqual(idPool, 4n)
    assert.deepStrictEqual(told(offer(issuer, 3n, { amount: 1n })), [])
    assert.deepStrictEqual(told(offer(issuer, 3n, { amount: 0n })), outside("the amount of offer 3"))
    assert.deepStrictEqual(told(offer(holder, 1n, { offerId: idPool + 1n })), outside("the id of offer 5"))
    assert.deepStrictEqual(told(offer(holder, 1n, { offerId: 0n })), outside("the id of offer 0"))
    const gbp = assetOf(sponsor, "GBP")
    assert.deepStrictEqual(told(offer(holder, 1n, { buying: gbp })), [`offer 1 has no trustline for ${assetId(gbp)}`])
  })

  it("are a line at least of a pool, and reserves as long as there are shares", () => {
    const told = (altered: LedgerState) => broken(altered).filter((one) => !one.includes("more recorded"))
    assert.deepStrictEqual(told(pool(xlm, usd, { poolSharesTrustLineCount: 0n })), outside(`the number of lines of pool ${lumenDollars}`))
    for (const empty of ["reserveA", "reserveB"] as const) {
      assert.deepStrictEqual(told(pool(xlm, usd, { [empty]: 1n })), [])
      assert.deepStrictEqual(told(pool(xlm, usd, { [empty]: 0n })), outside(`the reserves of pool ${lumenDollars}`))
      assert.deepStrictEqual(told(pool(usd, eur, { [empty]: -1n })), outside(`the reserves of pool ${dollarEuros}`))
    }
  })
})

describe("what changed from one ledger to another", () => {
  const entryOf = (of: LedgerState) => of.get(accountKey(sponsor.publicKey())) ?? assert.fail("the entry is missing")
  const below = account(sponsor, (entry) => withFields(entry, { balance: -1n }))
  const found = [`the balance of ${of(sponsor)} is outside its bounds`]

  it("tells of bounds that were kept before, or that a new entry breaks", () => {
    assert.deepStrictEqual(inconsistencies([{ before: entryOf(state), now: entryOf(below) }], { before: state, after: below }), found)
    const gone = state.delete([accountKey(sponsor.publicKey())])
    const created = inconsistencies([{ before: undefined, now: entryOf(below) }], { before: gone, after: below })
    assert.include(created, found[0])
  })

  it("does not tell again of bounds that were broken before, and tells of others", () => {
    const still = changed(below, accountKey(sponsor.publicKey()), (entry) => new xdr.LedgerEntry({ ...entry, lastModifiedLedgerSeq: 1 }))
    assert.deepStrictEqual(inconsistencies([{ before: entryOf(below), now: entryOf(still) }], { before: below, after: still }), [])
    const worse = changed(
      below,
      accountKey(sponsor.publicKey()),
      withData((data) =>
        data.type !== "account" ? data : xdr.LedgerEntryData.account(withSponsorship(data.account, { signerSponsors: [null] }))
      )
    )
    assert.deepStrictEqual(inconsistencies([{ before: entryOf(below), now: entryOf(worse) }], { before: below, after: worse }), [
      `the signer sponsors of ${of(sponsor)} are not one a signer`
    ])
  })

  it("takes off what a removed entry recorded and counted for", () => {
    const key = dataKey(holder.publicKey(), "paid")
    const before = state.get(key) ?? assert.fail("the entry is missing")
    assert.deepStrictEqual(inconsistencies([{ before, now: null }], { before: state, after: state.delete([key]) }).toSorted(), [
      more(`sponsored by ${of(sponsor)}`),
      more(`sponsored for ${of(holder)}`),
      more(`sub-entries of ${of(holder)}`)
    ])
    assert.strictEqual(idOfEntry(before).split(":")[1], of(holder))
  })
})
