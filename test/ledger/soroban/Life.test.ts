import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { idOf as idOfKey } from "../../../src/ledger/EntryId.ts"
import { contractCode } from "../../../src/ledger/soroban/ContractEntries.ts"
import { durabilityOf, findLiving, isPersistent, ttlEntry, ttlKeyOf } from "../../../src/ledger/soroban/Life.ts"
import { u32 } from "../../../src/ledger/soroban/Values.ts"
import { type Durability, keyOf, keyOfAccount, keyOfCode, keyOfInstance, keyOfNonce, keyOfTtl } from "../../../src/xdr/LedgerKeys.ts"
import { idOf, World } from "../support/World.ts"
import { accountEntry, among, contract, dataNamed, keyNamed } from "./support/Entries.ts"
import { shortLives } from "./support/Settings.ts"

const owner = idOf(new World().account())
const data = (durability: Durability) => ({
  key: keyNamed("a", durability),
  entry: newEntry(dataNamed("a", u32(1), durability))
})
const [stored, lent] = [data("persistent"), data("temporary")]
const code = { key: keyOfCode(new Uint8Array(32).fill(3)), entry: newEntry(contractCode(new Uint8Array(32).fill(3), new Uint8Array(8))) }
const account = { key: keyOfAccount(owner), entry: accountEntry(owner) }

describe("durability", () => {
  it("is what contract data says, is lasting for code and instances, and is nothing that classic entries have", () => {
    const keys = [stored.key, lent.key, code.key, keyOfInstance(contract), keyOfNonce(contract, 1n), account.key, ttlKeyOf(code.key)]
    assert.deepStrictEqual(keys.map(durabilityOf), [
      "persistent",
      "temporary",
      "persistent",
      "persistent",
      "temporary",
      undefined,
      undefined
    ])
    assert.deepStrictEqual(keys.map(isPersistent), [true, false, true, true, false, false, false])
  })
})

describe("the entry that says how long another lives", () => {
  it("is stored under the hash of the other's key", () => {
    const keyHash = createHash("sha256").update(stored.key.toXdr()).digest()
    assert.deepStrictEqual(ttlKeyOf(stored.key).toXdr("base64"), keyOfTtl(keyHash).toXdr("base64"))
    const entry = ttlEntry(stored.key, 1_234)
    assert.deepStrictEqual(keyOf(entry).toXdr("base64"), keyOfTtl(keyHash).toXdr("base64"))
    assert(entry.data.type === "ttl")
    assert.deepStrictEqual([entry.data.ttl.liveUntilLedgerSeq, entry.lastModifiedLedgerSeq, entry.ext.type], [1_234, 0, "v0"])
  })

  it("has one key for one key of another", () => assert.strictEqual(ttlKeyOf(code.key), ttlKeyOf(code.key)))
})

describe("an entry with its life", () => {
  for (const [name, { entry, key }] of Object.entries({ "persistent data": stored, "temporary data": lent, code })) {
    it(`is found for ${name}, over or not, and only where both are there`, () => {
      for (const last of [1, 1_000_000]) {
        assert.deepStrictEqual(findLiving(among(entry, ttlEntry(key, last)), key), { entry, liveUntil: last })
      }
      assert.isUndefined(findLiving(among(entry), key))
      assert.isUndefined(findLiving(among(ttlEntry(key, 9)), key))
    })
  }

  it("has no end where it is classic", () => {
    assert.deepStrictEqual(findLiving(among(account.entry), account.key), { entry: account.entry, liveUntil: undefined })
    assert.isUndefined(findLiving(among(stored.entry), account.key))
  })

  it("has a life that is no other kind of entry", () => {
    const odd = (id: string) => (id === idOfKey(code.key) ? code.entry : account.entry)
    assert.isUndefined(findLiving(odd, code.key))
  })
})

describe("lifetimes", () => {
  it("include the last ledger, and the present one", () => {
    assert.deepStrictEqual([999, 1_000, 1_001, undefined].map((liveUntil) => shortLives.isLive({ entry: code.entry, liveUntil })), [
      false,
      true,
      true,
      true
    ])
    assert.deepStrictEqual([shortLives.minLiveUntil("persistent"), shortLives.minLiveUntil("temporary"), shortLives.maxLiveUntil], [
      1_099,
      1_019,
      1_499
    ])
    assert.strictEqual(shortLives.ledgerSeq, 1_000)
  })
})
