import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import type { SoleTransaction } from "../../src/ledger/Apply.ts"
import { toTrustlineAsset } from "../../src/ledger/Asset.ts"
import { withFields, withLiabilities, withSponsorship } from "../../src/ledger/entries/Account.ts"
import { withLine } from "../../src/ledger/entries/Trustline.ts"
import { withReserves } from "../../src/ledger/exchange/Pool.ts"
import type { LedgerState } from "../../src/ledger/LedgerState.ts"
import { brokenBy } from "../../src/ledger/TransactionInvariants.ts"
import { accountKey, keyOfPool, offerKey, trustlineKey } from "../../src/xdr/LedgerKeys.ts"
import { assetOf, claimant, deposit, pay, poolOf, price, sell, setApart, setData, trust, trustPool, xlm } from "./support/Bodies.ts"
import { baseFee, World } from "./support/World.ts"

/** A transaction that also changes another entry. Undefined removes the entry. */
const alsoChanging = (
  { result, state, touched }: SoleTransaction,
  before: LedgerState,
  key: xdr.LedgerKey,
  change: (entry: xdr.LedgerEntryData) => xdr.LedgerEntryData | undefined
) => {
  const entry = state.get(key) ?? assert.fail("the entry is missing")
  const now = change(entry.data)
  const changed = now === undefined ? undefined : new xdr.LedgerEntry({ ...entry, data: now })
  const after = changed === undefined ? state.delete([key]) : state.set([changed])
  return brokenBy(before, {
    touched: () => [...touched().filter(({ now }) => now !== entry), { before: before.get(key), now: changed ?? null }],
    result,
    state: after
  })
}

const account = (change: (account: xdr.AccountEntry) => xdr.AccountEntry) => (entry: xdr.LedgerEntryData) =>
  entry.type === "account" ? xdr.LedgerEntryData.account(change(entry.account)) : entry

const trustline = (change: (line: xdr.TrustLineEntry) => xdr.TrustLineEntry) => (entry: xdr.LedgerEntryData) =>
  entry.type === "trustline" ? xdr.LedgerEntryData.trustline(change(entry.trustLine)) : entry

/**
 * A holder of an asset with a share of a pool, and an offer; another account with the opposite offer. Then the holder writes a data entry.
 */
const written = () => {
  const world = new World()
  const [issuer, holder, other] = [world.account(), world.account(), world.account()]
  const usd = assetOf(issuer)
  world.succeed(issuer, [[holder, trust(usd)], [other, trust(usd)], pay(holder, usd, 10_000n)])
  world.succeed(holder, [trustPool(xlm, usd), deposit(xlm, usd, 400n, 900n)])
  world.succeed(holder, [sell(usd, xlm, 100n, price(2, 1))])
  world.succeed(other, [sell(xlm, usd, 100n, price(2, 2))])
  const before = world.state
  const applied = world.succeed(holder, [setData("note", "kept")])
  return { applied, before, holder, issuer, other, usd }
}

describe("a transaction that no ledger could have applied", () => {
  it("is told from one that it did apply", () => {
    const { applied, before } = written()
    assert.deepStrictEqual(brokenBy(before, applied), [])
  })

  it("makes or loses lumens", () => {
    const { applied, before, other } = written()
    const [found] = alsoChanging(
      applied,
      before,
      accountKey(other.publicKey()),
      account((entry) => withFields(entry, { balance: entry.balance + 1n }))
    )
    assert.strictEqual(found, `lumens changed by ${1n - baseFee} stroops, and the fee is ${baseFee}`)
  })

  it("counts one sub-entry too many", () => {
    const { applied, before, other } = written()
    const change = account((entry) => withFields(entry, { numSubEntries: entry.numSubEntries + 1 }))
    assert.match(
      alsoChanging(applied, before, accountKey(other.publicKey()), change).join(),
      /^sub-entries of \w+: 1 more recorded than counted$/
    )
  })

  it("removes a trustline and leaves its counters", () => {
    const { applied, before, other, usd } = written()
    const found = alsoChanging(applied, before, trustlineKey(other.publicKey(), toTrustlineAsset(usd)), () => undefined).join()
    assert.match(found, /sub-entries of \w+: 1 more recorded than counted/)
    assert.match(found, /buying liabilities of .*: -100 more recorded than counted/)
  })

  it("sponsors what nobody is sponsored for", () => {
    const { applied, before, issuer } = written()
    const change = account((entry) => withSponsorship(entry, { numSponsoring: 2 }))
    assert.match(
      alsoChanging(applied, before, accountKey(issuer.publicKey()), change).join(),
      /^sponsored by \w+: 2 more recorded than counted$/
    )
  })

  it("forgets what an offer promised", () => {
    const { applied, before, other } = written()
    const change = account((entry) => withLiabilities(entry, new xdr.Liabilities({ buying: 0n, selling: 0n })))
    assert.match(
      alsoChanging(applied, before, accountKey(other.publicKey()), change).join(),
      /^selling liabilities of \w+ native: -100 more/
    )
  })

  it("brings a line over its limit", () => {
    const { applied, before, holder, usd } = written()
    const change = trustline((line) => withLine(line, { limit: line.balance - 1n }))
    const found = alsoChanging(applied, before, trustlineKey(holder.publicKey(), toTrustlineAsset(usd)), change)
    assert.match(found.join(), /^the balance of .* is outside its bounds$/)
  })

  it("takes from a pool without a share of it", () => {
    const { applied, before, usd } = written()
    const key = keyOfPool(poolOf(xlm, usd))
    const found = alsoChanging(applied, before, key, (entry) =>
      entry.type === "liquidityPool"
        ? xdr.LedgerEntryData.liquidityPool(withReserves(entry.liquidityPool, { reserveB: -1n }))
        : entry)
    assert.match(found.join(), /^pool:\S+ has less behind a share than before$/)
  })

  it("leaves two offers that would trade with each other", () => {
    const { applied, before, holder } = written()
    const key = offerKey(holder.publicKey(), 1n)
    const found = alsoChanging(
      applied,
      before,
      key,
      (entry) => entry.type === "offer" ? xdr.LedgerEntryData.offer(new xdr.OfferEntry({ ...entry.offer, price: price(1, 2) })) : entry
    )
    assert.include(found, "the book of offer 1 is crossed")
  })

  it("makes an offer that would trade with one that stands", () => {
    const { applied: { result, state, touched }, before, holder } = written()
    const made = state.get(offerKey(holder.publicKey(), 1n)) ?? assert.fail("the offer is missing")
    const fields = made.data.type === "offer" ? made.data.offer : assert.fail("no offer")
    const offer = new xdr.OfferEntry({ ...fields, offerId: 9n, price: price(1, 2) })
    const now = new xdr.LedgerEntry({ ...made, data: xdr.LedgerEntryData.offer(offer) })
    const found = brokenBy(before, { result, state: state.set([now]), touched: () => [...touched(), { before: undefined, now }] })
    assert.include(found, "the book of offer 9 is crossed")
  })

  const offer = (change: Partial<Pick<xdr.OfferEntry, "amount" | "selling">>) => (entry: xdr.LedgerEntryData) =>
    entry.type === "offer" ? xdr.LedgerEntryData.offer(new xdr.OfferEntry({ ...entry.offer, ...change })) : entry

  it("leaves an offer of nothing, or of more than there can be", () => {
    const { applied, before, holder } = written()
    for (const amount of [0n, -1n]) {
      assert.include(
        alsoChanging(applied, before, offerKey(holder.publicKey(), 1n), offer({ amount })),
        "the amount of offer 1 is outside its bounds"
      )
    }
  })

  it("leaves an offer whose seller cannot hold what it sells", () => {
    const { applied, before, holder, other } = written()
    const found = alsoChanging(applied, before, offerKey(holder.publicKey(), 1n), offer({ selling: assetOf(other, "EUR") }))
    assert.match(found.join("\n"), /^offer 1 has no trustline for \S+$/m)
  })

  it("gives an account signers out of order, or other sponsors than signers", () => {
    const { applied, before, other } = written()
    const [low, high] = [1, 2].map((byte) => new xdr.Signer({ key: xdr.SignerKey.signerKeyTypeHashX(Buffer.alloc(32, byte)), weight: 1 }))
    const having = (signers: ReadonlyArray<xdr.Signer | undefined>, sponsors = signers.length) =>
      alsoChanging(
        applied,
        before,
        accountKey(other.publicKey()),
        account((entry) =>
          withSponsorship(
            withFields(entry, { signers: signers.flatMap((one) => one ?? []), numSubEntries: entry.numSubEntries + signers.length }),
            {
              signerSponsors: Array.from({ length: sponsors }, () => null)
            }
          )
        )
      )
    assert.deepStrictEqual(having([low, high]), [])
    assert.match(having([high, low]).join(), /^the signers of \w+ are out of order$/)
    assert.match(having([low, low]).join(), /^the signers of \w+ are out of order$/)
    assert.match(having([low, high], 1).join(), /^the signer sponsors of \w+ are not one a signer$/)
  })

  it("leaves a claimable balance that nobody pays for, or of nothing", () => {
    const world = new World()
    const [giver, heir] = [world.account(), world.account()]
    const before = world.state
    const applied = world.succeed(giver, [setApart(xlm, 7n, claimant(heir))])
    const made = Array.from(applied.state.entries()).find(({ data }) => data.type === "claimableBalance") ?? assert.fail("none was made")
    const having = (amount: bigint, ext: xdr.LedgerEntryExt) => {
      const now = new xdr.LedgerEntry({
        ...made,
        ext,
        data: made.data.type === "claimableBalance"
          ? xdr.LedgerEntryData.claimableBalance(new xdr.ClaimableBalanceEntry({ ...made.data.claimableBalance, amount }))
          : made.data
      })
      const touched = () => applied.touched().map((one) => (one.now?.data.type === "claimableBalance" ? { ...one, now } : one))
      return brokenBy(before, { result: applied.result, state: applied.state.set([now]), touched }).filter((one) =>
        one.endsWith("malformed")
      )
    }
    assert.deepStrictEqual(having(1n, made.ext), [])
    for (const [amount, ext] of [[0n, made.ext], [-1n, made.ext], [7n, xdr.LedgerEntryExt.v0()]] as const) {
      assert.match(having(amount, ext).join(), /^claimable\S+ is malformed$/)
    }
  })
})
