import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { FastCheck as fc } from "effect"
import { toTrustlineAsset } from "../../src/ledger/Asset.ts"
import { Draft } from "../../src/ledger/Draft.ts"
import { newAccount, withFields } from "../../src/ledger/entries/Account.ts"
import { newEntry } from "../../src/ledger/entries/LedgerEntry.ts"
import { idOf as idOfKey, idOfEntry } from "../../src/ledger/EntryId.ts"
import { comesBefore, pairOf } from "../../src/ledger/exchange/BookOrder.ts"
import { LedgerState } from "../../src/ledger/LedgerState.ts"
import {
  accountKey,
  dataKey,
  keyOf,
  keyOfClaimableBalance,
  keyOfCode,
  keyOfConfigSetting,
  keyOfPool,
  keyOfTtl,
  offerKey,
  trustlineKey
} from "../../src/xdr/LedgerKeys.ts"
import { assetOf, price, xlm } from "./support/Bodies.ts"
import { idOf, World } from "./support/World.ts"

const worldHeader = new World().header

const accountEntry = (pair: Keypair, balance = 1n): xdr.LedgerEntry =>
  newEntry(xdr.LedgerEntryData.account(newAccount(idOf(pair), balance, 0n)))

const offerEntry = (seller: Keypair, selling: xdr.Asset, offerId: bigint, n: number, d: number): xdr.LedgerEntry =>
  newEntry(
    xdr.LedgerEntryData.offer(
      new xdr.OfferEntry({
        sellerId: idOf(seller),
        offerId,
        selling,
        buying: xlm,
        amount: 10n,
        price: price(n, d),
        flags: 0,
        ext: xdr.OfferEntryExt.v0()
      })
    )
  )

describe("State", () => {
  it("adds what is not there, the last of what is the same, and leaves what is there", () => {
    const [there, added] = [Keypair.random(), Keypair.random()]
    const before = LedgerState.make(worldHeader, [accountEntry(there)])
    const after = before.add([accountEntry(there, 2n), accountEntry(added, 3n), accountEntry(added, 4n)])
    const found = [there, added].map((pair) => after.get(accountKey(pair.publicKey())))
    assert.deepStrictEqual(found, [accountEntry(there, 1n), accountEntry(added, 4n)])
  })

  it("adds, replaces, deletes, and leaves the state it came from alone", () => {
    const pair = Keypair.random()
    const key = accountKey(pair.publicKey())
    const empty = LedgerState.make(worldHeader)
    const one = empty.set([accountEntry(pair)])
    const two = one.set([accountEntry(pair, 2n)])
    const none = two.delete([key])
    const balances = [empty, one, two, none].map((state) => {
      const data = state.get(key)?.data
      return data?.type === "account" ? data.account.balance : undefined
    })
    assert.deepStrictEqual(balances, [undefined, 1n, 2n, undefined])
  })

  it("knows the trustlines, offers and data entries of an account, and forgets those that are gone", () => {
    const [owner, other] = [Keypair.random(), Keypair.random()]
    const data = (of: Keypair, dataName: string) =>
      newEntry(
        xdr.LedgerEntryData.data(
          new xdr.DataEntry({ accountId: idOf(of), dataName, dataValue: new Uint8Array([1]), ext: xdr.DataEntryExt.v0() })
        )
      )
    const held = [data(owner, "a:b"), data(owner, ""), offerEntry(owner, assetOf(other), 7n, 1, 2)]
    const state = LedgerState.make(worldHeader, [accountEntry(owner), data(other, "a:b"), ...held])
    const idsIn = (of: LedgerState) => [...of.holdingsOf(idOf(owner))].toSorted()
    assert.deepStrictEqual(idsIn(state), held.map(idOfEntry).toSorted())
    const [first, ...rest] = held
    const less = state.set([first!]).delete([keyOf(first!)])
    assert.deepStrictEqual(idsIn(less), rest.map(idOfEntry).toSorted())
    assert.deepStrictEqual(idsIn(less.delete(rest.map(keyOf))), [])
    assert.deepStrictEqual([...state.heldBy(idOf(owner))].map(idOfEntry), [...state.holdingsOf(idOf(owner))])
    assert.deepStrictEqual([...state.heldBy(idOf(owner))].map((entry) => state.get(keyOf(entry))), [...state.heldBy(idOf(owner))])
    assert.deepStrictEqual([...state.heldBy(idOf(Keypair.random()))], [])
    assert.deepStrictEqual(idsIn(state), held.map(idOfEntry).toSorted())
  })

  it("at changes the header and keeps the entries", () => {
    const state = LedgerState.make(worldHeader, [accountEntry(Keypair.random())]).at({ ledgerSeq: 7 })
    assert.deepStrictEqual([state.header.ledgerSeq, state.header.baseFee, [...state.entries()].length], [7, worldHeader.baseFee, 1])
  })

  it("an id names the same entry as its key", () => {
    const world = new World()
    const pair = world.account()
    for (const entry of [...world.state.entries(), offerEntry(pair, assetOf(pair), 3n, 1, 2)]) {
      assert.strictEqual(idOfEntry(entry), idOfKey(keyOf(entry)))
    }
  })
})

describe("ids", () => {
  it("of two keys are two, whatever kind they are of", () => {
    const [first, second] = [Keypair.random(), Keypair.random()]
    const keysOf = (pair: Keypair, id: bigint, setting: xdr.ConfigSettingId) => [
      accountKey(pair.publicKey()),
      dataKey(pair.publicKey(), `name ${id}`),
      offerKey(pair.publicKey(), id),
      trustlineKey(pair.publicKey(), toTrustlineAsset(assetOf(pair))),
      keyOfPool(new xdr.PoolId(pair.rawPublicKey())),
      keyOfClaimableBalance(xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(pair.rawPublicKey())),
      keyOfTtl(pair.rawPublicKey()),
      keyOfCode(pair.rawPublicKey()),
      keyOfConfigSetting(setting)
    ]
    const keys = [
      ...keysOf(first, 1n, xdr.ConfigSettingId.configSettingContractMaxSizeBytes),
      ...keysOf(second, 2n, xdr.ConfigSettingId.configSettingContractLedgerCostV0),
      dataKey(first.publicKey(), "name 2"),
      offerKey(first.publicKey(), 2n)
    ]
    assert.strictEqual(new Set(keys.map(idOfKey)).size, keys.length)
  })
})

describe("books", () => {
  const seller = Keypair.random()
  const asset = assetOf(seller)
  const offers = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.boolean()),
    { maxLength: 40 }
  )

  it("the best offer is the best of what stands, in the state and in nested drafts", () => {
    fc.assert(
      fc.property(offers, offers, (stored, drafted) => {
        const standing = new Map<number, xdr.LedgerEntry>()
        for (const [id, n, d] of stored) standing.set(id, offerEntry(seller, asset, BigInt(id), n, d))
        const outer = Draft.of(LedgerState.make(worldHeader, standing.values()))
        const best = (draft: Draft) => draft.bestOffer(asset, xlm)?.offerId
        const expected = () =>
          [...standing.values()]
            .flatMap(({ data }) => (data.type === "offer" ? [data.offer] : []))
            .toSorted((left, right) => (comesBefore(left, right) ? -1 : 1))[0]?.offerId
        assert.strictEqual(best(outer), expected())
        for (const [id, n, d, isKept] of drafted) {
          const inner = outer.fork()
          const entry = offerEntry(seller, asset, BigInt(id), n, d)
          best(inner)
          if (standing.has(id) && n > 5) inner.erase(idOfEntry(entry))
          else inner.put(entry)
          best(inner)
          if (!isKept) continue
          if (standing.has(id) && n > 5) standing.delete(id)
          else standing.set(id, entry)
          inner.commit()
          assert.strictEqual(best(outer), expected())
        }
        assert.strictEqual(best(outer), expected(), "dropped drafts leave no trace")
        assert.strictEqual(Draft.of(outer.toState()).bestOffer(asset, xlm)?.offerId, expected())
      })
    )
  })

  const worse = 9
  const best = (draft: Draft) => draft.bestOffer(asset, xlm)?.offerId
  /** Offers of the prices 1, 2 and 3, in lumens. */
  const three = () => Draft.of(LedgerState.make(worldHeader, [1, 2, 3].map((n) => offerEntry(seller, asset, BigInt(n), n, 1))))

  it("an offer that became dearer in a draft, by either part of its price, makes place for the next", () => {
    for (const [n, d] of [[worse, 1], [3, 2], [4, 2]] as const) {
      const outer = Draft.of(LedgerState.make(worldHeader, [offerEntry(seller, asset, 1n, 2, 2), offerEntry(seller, asset, 2n, 5, 4)]))
      assert.strictEqual(best(outer), 1n)
      const inner = outer.fork()
      inner.put(offerEntry(seller, asset, 1n, n, d))
      assert.strictEqual(best(inner), 2n)
      inner.commit()
      assert.strictEqual(best(outer), 2n)
    }
    const halved = Draft.of(LedgerState.make(worldHeader, [offerEntry(seller, asset, 1n, 2, 2), offerEntry(seller, asset, 2n, 5, 4)]))
    halved.put(offerEntry(seller, asset, 1n, 2, 1))
    assert.strictEqual(best(halved), 2n)
  })

  it("an offer that was put under another pair is no offer of its first one", () => {
    const draft = three()
    draft.put(offerEntry(seller, assetOf(seller, "EUR"), 1n, 1, 1))
    assert.strictEqual(best(draft), 2n)
    assert.strictEqual(draft.bestOffer(assetOf(seller, "EUR"), xlm)?.offerId, 1n)
    draft.erase(idOfEntry(offerEntry(seller, asset, 2n, 2, 1)))
    draft.erase(idOfEntry(offerEntry(seller, asset, 3n, 3, 1)))
    assert.isUndefined(best(draft))
  })

  it("what a draft knows to be gone is gone in those inside it, and in the one around it once it is committed", () => {
    const outer = three()
    const inner = outer.fork()
    inner.erase(idOfEntry(offerEntry(seller, asset, 1n, 1, 1)))
    assert.strictEqual(best(inner), 2n)
    assert.strictEqual(best(inner.fork()), 2n)
    assert.strictEqual(best(outer), 1n)
    inner.commit()
    assert.strictEqual(best(outer), 2n)
  })

  it("a state's book is sorted", () => {
    const state = LedgerState.make(worldHeader, [
      offerEntry(seller, asset, 2n, 3, 2),
      offerEntry(seller, asset, 3n, 1, 1),
      offerEntry(seller, asset, 1n, 2, 2)
    ])
    const ids = Array.from(state.book(pairOf(asset, xlm)), ({ offer }) => offer.offerId)
    assert.deepStrictEqual(ids, [1n, 3n, 2n])
  })
})

describe("Draft", () => {
  const pair = Keypair.random()
  const base = () => LedgerState.make(worldHeader, [accountEntry(pair)])
  const id = idOfKey(accountKey(pair.publicKey()))
  const types = (draft: Draft) => draft.changes().map(({ type }) => type)

  it("loading counts as a change, peeking does not", () => {
    const draft = Draft.of(base())
    assert.strictEqual(draft.get(accountKey(pair.publicKey())), draft.peek(id))
    assert.deepStrictEqual(types(draft), [])
    assert.strictEqual(draft.load(id)?.lastModifiedLedgerSeq, worldHeader.ledgerSeq)
    assert.deepStrictEqual(types(draft), ["ledgerEntryState", "ledgerEntryUpdated"])
  })

  it("a change of a change starts from what the draft around it holds", () => {
    const outer = Draft.of(base())
    const change = (draft: Draft, balance: bigint) => {
      const data = draft.load(id)?.data
      if (data?.type === "account") draft.put(newEntry(xdr.LedgerEntryData.account(withFields(data.account, { balance }))))
    }
    change(outer, 5n)
    const inner = outer.fork()
    change(inner, 6n)
    const balances = inner.changes().map((
      change
    ) => (change.type === "ledgerEntryRemoved" || change.value.data.type !== "account" ? 0n : change.value.data.account.balance))
    assert.deepStrictEqual(balances, [5n, 6n])
  })

  it("created and erased inside leaves nothing; erased and created again is an update", () => {
    const fresh = accountEntry(Keypair.random())
    const draft = Draft.of(base())
    draft.put(fresh)
    draft.erase(idOfEntry(fresh))
    assert.deepStrictEqual(types(draft), [])
    draft.erase(id)
    assert.deepStrictEqual(types(draft), ["ledgerEntryState", "ledgerEntryRemoved"])
    draft.put(accountEntry(pair, 9n))
    assert.deepStrictEqual(types(draft), ["ledgerEntryState", "ledgerEntryUpdated"])
  })

  it("knows what an account holds as it stands, through the drafts around it, and nothing of others", () => {
    const [owner, other] = [Keypair.random(), Keypair.random()]
    const offerOf = (seller: Keypair, at: bigint) => offerEntry(seller, assetOf(other), at, 1, 1)
    const [stored, gone, outside, inside, foreign] = [
      offerOf(owner, 1n),
      offerOf(owner, 2n),
      offerOf(owner, 3n),
      offerOf(owner, 4n),
      offerOf(other, 5n)
    ]
    const outer = Draft.of(LedgerState.make(worldHeader, [accountEntry(owner), stored, gone]))
    outer.put(outside)
    outer.put(foreign)
    const inner = outer.fork()
    inner.erase(idOfEntry(gone))
    inner.put(inside)
    const held = (draft: Draft) => draft.holdingsOf(idOf(owner)).toSorted()
    assert.deepStrictEqual(held(inner), [stored, outside, inside].map(idOfEntry).toSorted())
    assert.deepStrictEqual(held(outer), [stored, gone, outside].map(idOfEntry).toSorted())
  })

  it("names in its changes what it created and removed again only once it was there before", () => {
    const fresh = accountEntry(Keypair.random())
    const outer = Draft.of(base())
    const inner = outer.fork()
    inner.put(fresh)
    inner.commit()
    assert.deepStrictEqual(types(outer), ["ledgerEntryCreated"])
    outer.erase(idOfEntry(fresh))
    assert.deepStrictEqual([outer.touched(), outer.changes()], [[], []])
  })

  it("a dropped draft leaves no entry, id or sponsorship", () => {
    const outer = Draft.of(base())
    const inner = outer.fork()
    inner.erase(id)
    inner.nextId()
    inner.openSponsorship(idOf(pair), idOf(Keypair.random()))
    assert.isDefined(outer.peek(id))
    assert.isFalse(outer.hasOpenSponsorship())
    assert.strictEqual(outer.nextId(), worldHeader.idPool + 1n)
  })

  it("hands its changes to one some way around it, and shows the ledger with those of all around it", () => {
    const outer = Draft.of(base())
    outer.nextId()
    const [middle, added] = [outer.fork(), accountEntry(Keypair.random())]
    middle.put(added)
    const inner = middle.fork()
    inner.erase(id)
    inner.nextId()
    const shown = inner.toState()
    assert.deepStrictEqual([shown.find(id), shown.find(idOfEntry(added))?.data, shown.header.idPool], [
      undefined,
      added.data,
      worldHeader.idPool + 2n
    ])
    inner.commitTo(inner)
    assert.isDefined(middle.peek(id))
    inner.commitTo(outer)
    assert.deepStrictEqual([outer.peek(id), outer.peek(idOfEntry(added))?.data], [undefined, added.data])
    assert.deepStrictEqual(Array.from(outer.toState().entries()), Array.from(shown.entries()))
    assert.strictEqual(outer.nextId(), worldHeader.idPool + 3n)
  })
})
