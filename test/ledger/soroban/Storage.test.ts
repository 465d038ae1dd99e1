import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { toTrustlineAsset } from "../../../src/ledger/Asset.ts"
import { newAccount } from "../../../src/ledger/entries/Account.ts"
import { newEntry, withSponsor } from "../../../src/ledger/entries/LedgerEntry.ts"
import { idOf as idOfKey, idOfEntry } from "../../../src/ledger/EntryId.ts"
import { type LivingEntry, ttlEntry } from "../../../src/ledger/soroban/Life.ts"
import { Storage } from "../../../src/ledger/soroban/Storage.ts"
import { u32 } from "../../../src/ledger/soroban/Values.ts"
import {
  type Durability,
  keyOfAccount,
  keyOfCode,
  keyOfConfigSetting,
  keyOfInstance,
  keyOfNonce,
  keyOfOffer,
  keyOfTrustline
} from "../../../src/xdr/LedgerKeys.ts"
import { assetOf } from "../support/Bodies.ts"
import { idOf } from "../support/World.ts"
import { among, contract, dataNamed as entryNamed, keyNamed } from "./support/Entries.ts"
import { refusalOf } from "./support/HostErrors.ts"
import { shortLives } from "./support/Settings.ts"

const pair = Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(1))
const owner = idOf(pair)
const dataNamed = (name: string, value: number, durability?: Durability) => entryNamed(name, u32(value), durability)
const [a, b, lent, account] = [keyNamed("a"), keyNamed("b"), keyNamed("a", "temporary"), keyOfAccount(owner)]

const living = (data: xdr.LedgerEntryData, liveUntil: number | undefined): LivingEntry => ({ entry: newEntry(data), liveUntil })
const accountData = (balance = 1n): xdr.LedgerEntryData => xdr.LedgerEntryData.account(newAccount(owner, balance, 1n))

/** Keys of every kind that errors tell apart. */
const kinds: ReadonlyArray<readonly [xdr.LedgerKey, string]> = [
  [a, "contract data key"],
  [lent, "contract data key"],
  [keyOfInstance(contract), "contract instance"],
  [keyOfNonce(contract, 5n), "nonce"],
  [keyOfCode(new Uint8Array(32)), "contract code"],
  [account, "account"],
  [keyOfTrustline(owner, toTrustlineAsset(assetOf(pair))), "account trustline"],
  [keyOfOffer(owner, 1n), "ledger key"],
  [keyOfConfigSetting(xdr.ConfigSettingId.configSettingStateArchival), "ledger key"]
]

const valueOf = (entry: xdr.LedgerEntry | undefined): number | undefined =>
  entry?.data.type === "contractData" && entry.data.contractData.val.type === "scvU32" ? entry.data.contractData.val.u32 : undefined

/** What a storage ended with: id, access, value and last ledger of each entry touched. */
const finalOf = (storage: Storage) =>
  storage.final().map(({ access, key, living }) => [idOfKey(key), access, valueOf(living?.entry), living?.liveUntil])

describe("a storage of a declared footprint", () => {
  const entries = (): ReadonlyArray<readonly [xdr.LedgerKey, LivingEntry | undefined]> => [
    [a, living(dataNamed("a", 1), 1_200)],
    [b, living(dataNamed("b", 2), 1_300)]
  ]
  const enforcing = () => Storage.enforcing({ readOnly: [a], readWrite: [b] }, entries(), shortLives)

  for (const [key, kind] of kinds) {
    it(`keeps a ${kind} (${key.type}) that is outside of it from any use`, () => {
      const storage = Storage.enforcing({ readOnly: [], readWrite: [] }, [[key, living(dataNamed("a", 1), 1_200)]], shortLives)
      const text = `HostError: Error(Storage, ExceededLimit): trying to access ${kind} outside of the footprint`
      const uses = [
        () => storage.get(key),
        () => storage.has(key),
        () => storage.require(key),
        () => storage.put(key, dataNamed("a", 9)),
        () => storage.remove(key),
        () => storage.extend(key, 1, 2)
      ]
      assert.deepStrictEqual(uses.map(refusalOf), uses.map(() => text))
      assert.deepStrictEqual(storage.final(), [])
    })

    it(`misses a ${kind} (${key.type}) of it that is not there`, () => {
      const storage = Storage.enforcing({ readOnly: [key], readWrite: [] }, [[key, undefined]], shortLives)
      assert.isUndefined(storage.get(key))
      assert.isFalse(storage.has(key))
      assert.strictEqual(
        refusalOf(() => storage.require(key)),
        `HostError: Error(Storage, MissingValue): trying to get non-existing value for ${kind}`
      )
      assert.strictEqual(
        refusalOf(() => storage.extend(key, 1, 2)),
        `HostError: Error(Storage, MissingValue): trying to extend non-existing ${kind}`
      )
    })
  }

  it("reads all of it, and writes only what it may write", () => {
    const storage = enforcing()
    assert.deepStrictEqual([a, b].map((key) => valueOf(storage.get(key))), [1, 2])
    assert.deepStrictEqual([a, b].map((key) => valueOf(storage.require(key))), [1, 2])
    assert.deepStrictEqual([a, b].map((key) => storage.has(key)), [true, true])
    const text = "HostError: Error(Storage, ExceededLimit): trying to access contract data key outside of the footprint"
    assert.strictEqual(refusalOf(() => storage.put(a, dataNamed("a", 9))), text)
    assert.strictEqual(refusalOf(() => storage.remove(a)), text)
    storage.put(b, dataNamed("b", 9))
    assert.deepStrictEqual(finalOf(storage), [[idOfKey(a), "readOnly", 1, 1_200], [idOfKey(b), "readWrite", 9, 1_300]])
    storage.remove(b)
    assert.deepStrictEqual([storage.has(b), storage.get(b)], [false, undefined])
    assert.deepStrictEqual(finalOf(storage)[1], [idOfKey(b), "readWrite", undefined, undefined])
  })

  it("extends the life of what it may only read", () => {
    const storage = enforcing()
    storage.extend(a, 300, 300)
    assert.deepStrictEqual(finalOf(storage)[0], [idOfKey(a), "readOnly", 1, 1_300])
  })

  it("may write what is declared both ways", () => {
    const storage = Storage.enforcing({ readOnly: [a], readWrite: [a] }, entries(), shortLives)
    storage.put(a, dataNamed("a", 9))
    assert.deepStrictEqual(finalOf(storage), [[idOfKey(a), "readWrite", 9, 1_200]])
  })

  it("goes back to a snapshot, whatever came after it, and leaves the snapshot alone", () => {
    const storage = Storage.enforcing({ readOnly: [], readWrite: [a, b, lent] }, entries(), shortLives)
    storage.put(a, dataNamed("a", 3))
    const snapshot = storage.snapshot()
    for (const value of [4, 5]) {
      storage.put(a, dataNamed("a", value))
      storage.remove(b)
      storage.put(lent, dataNamed("a", value, "temporary"))
      storage.restore(snapshot)
      assert.deepStrictEqual([a, b, lent].map((key) => valueOf(storage.get(key))), [3, 2, undefined])
    }
  })
})

describe("an entry that is put", () => {
  const put = (
    key: xdr.LedgerKey,
    known: LivingEntry | undefined,
    data: xdr.LedgerEntryData,
    liveUntil?: number
  ): LivingEntry | undefined => {
    const storage = Storage.enforcing({ readOnly: [], readWrite: [key] }, [[key, known]], shortLives)
    storage.put(key, data, liveUntil)
    return storage.final()[0]?.living
  }

  it("is new: it lives as long as it must, or as is said", () => {
    assert.deepStrictEqual(put(a, undefined, dataNamed("a", 1)), living(dataNamed("a", 1), 1_099))
    assert.deepStrictEqual(put(a, undefined, dataNamed("a", 1), 1_005), living(dataNamed("a", 1), 1_005))
    const temporary = dataNamed("a", 1, "temporary")
    assert.deepStrictEqual(put(lent, undefined, temporary), living(temporary, 1_019))
    assert.deepStrictEqual(put(lent, undefined, temporary, 1_400), living(temporary, 1_400))
  })

  it("is there: it keeps its life, its sponsor and when it was last changed", () => {
    const entry = new xdr.LedgerEntry({ ...withSponsor(newEntry(dataNamed("a", 1)), owner), lastModifiedLedgerSeq: 77 })
    const after = new xdr.LedgerEntry({ ...entry, data: dataNamed("a", 2) })
    assert.deepStrictEqual(put(a, { entry, liveUntil: 1_003 }, dataNamed("a", 2)), { entry: after, liveUntil: 1_003 })
    assert.deepStrictEqual(put(a, { entry, liveUntil: 1_003 }, dataNamed("a", 2), 1_002), { entry: after, liveUntil: 1_002 })
  })

  it("is classic: it has no life, even if one is said", () => {
    assert.deepStrictEqual(put(account, undefined, accountData()), living(accountData(), undefined))
    assert.deepStrictEqual(put(account, living(accountData(), undefined), accountData(2n), 1_400), living(accountData(2n), undefined))
  })

  it("was removed: it begins anew", () => {
    const storage = Storage.enforcing({ readOnly: [], readWrite: [a] }, [[a, living(dataNamed("a", 1), 1_400)]], shortLives)
    storage.remove(a)
    storage.put(a, dataNamed("a", 2))
    assert.deepStrictEqual(finalOf(storage), [[idOfKey(a), "readWrite", 2, 1_099]])
  })
})

describe("a life", () => {
  /** The last ledger of an entry after it was extended, or the error. */
  const extended = (
    key: xdr.LedgerKey,
    liveUntil: number | undefined,
    threshold: number,
    extendTo: number
  ): number | string | undefined => {
    const data = key === account ? accountData() : dataNamed("a", 1, key === lent ? "temporary" : "persistent")
    const storage = Storage.enforcing({ readOnly: [key], readWrite: [] }, [[key, living(data, liveUntil)]], shortLives)
    const text = refusalOf(() => storage.extend(key, threshold, extendTo))
    return text === "success" ? storage.final()[0]?.living?.liveUntil : text
  }

  for (const [name, key] of [["persistent", a], ["temporary", lent]] as const) {
    it(`that is ${name} is extended up to its threshold, and no sooner`, () => {
      assert.deepStrictEqual([9, 10, 11].map((threshold) => extended(key, 1_010, threshold, 50)), [1_010, 1_050, 1_050])
      assert.deepStrictEqual([10, 11].map((extendTo) => extended(key, 1_010, 10, extendTo)), [1_010, 1_011])
      assert.deepStrictEqual([498, 499].map((extendTo) => extended(key, 1_010, 10, extendTo)), [1_498, 1_499])
    })
  }

  it("is cut to the longest there is where it is persistent, and refused where it is temporary", () => {
    assert.deepStrictEqual([500, 9_999].map((extendTo) => extended(a, 1_010, 10, extendTo)), [1_499, 1_499])
    const text = "HostError: Error(Storage, InvalidAction): trying to extend temporary entry past max TTL allowed by network"
    assert.deepStrictEqual([500, 9_999].map((extendTo) => extended(lent, 1_010, 10, extendTo)), [text, text])
    assert.strictEqual(extended(lent, 1_400, 10, 500), text, "even where it lives long enough")
  })

  it("is never shortened, not even where it is longer than is possible now", () => {
    assert.deepStrictEqual([extended(a, 1_600, 600, 600), extended(a, 1_499, 499, 499)], [1_600, 1_499])
  })

  it("has a threshold up to what it is extended to", () => {
    const text = "HostError: Error(Storage, InvalidInput): threshold must be <= extend_to"
    assert.deepStrictEqual([49, 50, 51].map((threshold) => extended(a, 1_010, threshold, 50)), [1_050, 1_050, text])
    const empty = Storage.enforcing({ readOnly: [], readWrite: [] }, [], shortLives)
    assert.strictEqual(refusalOf(() => empty.extend(a, 51, 50)), text, "before the entry is looked for")
  })

  it("is nothing that a classic entry has", () => {
    assert.strictEqual(extended(account, undefined, 1, 2), "HostError: Error(Storage, InternalError): trying to extend invalid entry")
  })

  it("stays with the value of its entry", () => {
    const before = living(dataNamed("a", 1), 1_010)
    const storage = Storage.enforcing({ readOnly: [a], readWrite: [] }, [[a, before]], shortLives)
    storage.extend(a, 10, 50)
    assert.deepStrictEqual(storage.final()[0]?.living, { entry: before.entry, liveUntil: 1_050 })
  })
})

describe("a storage of a whole ledger", () => {
  const over = (...entries: ReadonlyArray<xdr.LedgerEntry>) => {
    const find = among(...entries)
    const reads: Array<string> = []
    const storage = Storage.recording((id) => {
      reads.push(id)
      return find(id)
    }, shortLives)
    return { storage, reads }
  }
  const a1 = newEntry(dataNamed("a", 1))
  const lent3 = newEntry(dataNamed("a", 3, "temporary"))

  it("remembers what was touched, in order, and how", () => {
    const { storage } = over(a1, ttlEntry(a, 1_200), newEntry(accountData()))
    assert.isUndefined(storage.get(b))
    assert.isTrue(storage.has(account))
    storage.put(lent, dataNamed("a", 3, "temporary"))
    assert.strictEqual(valueOf(storage.get(a)), 1)
    storage.put(a, dataNamed("a", 2))
    assert.strictEqual(valueOf(storage.get(a)), 2)
    assert.deepStrictEqual(finalOf(storage), [
      [idOfKey(b), "readOnly", undefined, undefined],
      [idOfKey(account), "readOnly", undefined, undefined],
      [idOfKey(lent), "readWrite", 3, 1_019],
      [idOfKey(a), "readWrite", 2, 1_200]
    ])
    assert.deepStrictEqual(storage.final()[1]?.living, living(accountData(), undefined))
  })

  it("does not bring back what was removed when it is read again", () => {
    const { storage } = over(a1, ttlEntry(a, 1_200))
    storage.remove(a)
    assert.deepStrictEqual([storage.get(a), storage.has(a)], [undefined, false])
    assert.deepStrictEqual(finalOf(storage), [[idOfKey(a), "readWrite", undefined, undefined]])
  })

  it("reads an entry and its life once", () => {
    const { reads, storage } = over(a1, ttlEntry(a, 1_200))
    for (const key of [a, a, b, b, account, account]) storage.has(key)
    assert.deepStrictEqual(reads, [idOfKey(a), idOfEntry(ttlEntry(a, 1)), idOfKey(b), idOfKey(account)])
  })

  it("extends without writing", () => {
    const { storage } = over(a1, ttlEntry(a, 1_010))
    storage.extend(a, 10, 50)
    assert.deepStrictEqual(finalOf(storage), [[idOfKey(a), "readOnly", 1, 1_050]])
  })

  it("finds what is temporary up to its last ledger, and not after it", () => {
    for (const [liveUntil, value] of [[1_000, 3], [999, undefined]] as const) {
      const { storage } = over(lent3, ttlEntry(lent, liveUntil))
      assert.strictEqual(valueOf(storage.get(lent)), value)
      const last = value === undefined ? undefined : liveUntil
      assert.deepStrictEqual(finalOf(storage), [[idOfKey(lent), "readOnly", value, last]])
    }
  })

  it("restores what is archived, which is to write it", () => {
    for (const [liveUntil, access, last] of [[1_000, "readOnly", 1_000], [999, "readWrite", 1_099]] as const) {
      const { storage } = over(a1, ttlEntry(a, liveUntil))
      assert.strictEqual(valueOf(storage.get(a)), 1)
      assert.deepStrictEqual(finalOf(storage), [[idOfKey(a), access, 1, last]])
    }
  })

  it("does not find a contract entry without a life", () => {
    const { storage } = over(a1, lent3)
    assert.deepStrictEqual([a, lent].map((key) => storage.has(key)), [false, false])
  })

  it("goes back to a snapshot; what was read since stays read, as the ledger has it", () => {
    const b2 = newEntry(dataNamed("b", 2))
    const { storage } = over(a1, ttlEntry(a, 1_200), b2, ttlEntry(b, 999), lent3, ttlEntry(lent, 1_010), newEntry(accountData()))
    storage.put(a, dataNamed("a", 5))
    const snapshot = storage.snapshot()
    storage.put(a, dataNamed("a", 6))
    storage.put(b, dataNamed("b", 7))
    storage.extend(b, 400, 400)
    storage.remove(lent)
    storage.has(account)
    storage.restore(snapshot)
    assert.deepStrictEqual(finalOf(storage), [
      [idOfKey(a), "readWrite", 5, 1_200],
      [idOfKey(b), "readWrite", 2, 1_099],
      [idOfKey(lent), "readWrite", 3, 1_010],
      [idOfKey(account), "readOnly", undefined, undefined]
    ])
    assert.deepStrictEqual(storage.get(account), newEntry(accountData()))
  })
})
