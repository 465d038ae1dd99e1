import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { LiveEntry } from "../../../src/chain/contract-rpc/LiveEntry.ts"
import type { LedgerEntries } from "../../../src/chain/LedgerEntries.ts"
import { withinFeeLimit } from "../../../src/close/leaving/simulation/FeeLimit.ts"
import type { CallSimulation } from "../../../src/close/situation/CallSimulation.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { idOfEntry } from "../../../src/ledger/EntryId.ts"
import { contractCode, contractData } from "../../../src/ledger/soroban/ContractEntries.ts"
import { eventsFee, nonRefundableFee, type RentChange, rentFee } from "../../../src/ledger/soroban/ResourceFee.ts"
import { settingKeys, settingsOf, testNetworkSettings as settings } from "../../../src/ledger/soroban/Settings.ts"
import { addressOf, i128, symbol } from "../../../src/ledger/soroban/Values.ts"
import { accountKey, type Durability, keyOf, keyText } from "../../../src/xdr/LedgerKeys.ts"
import { coreTestSettings } from "../../ledger/soroban/CoreSettings.ts"
import { moved, pool, resources, user } from "./support/Simulating.ts"

const data = (name: string, durability: Durability) => newEntry(contractData(addressOf(pool), symbol(name), durability, i128(1n)))

const kept = data("Kept", "persistent")
const fleeting = data("Fleeting", "temporary")
const code = newEntry(contractCode(Buffer.alloc(32, 7), Buffer.alloc(5_000, 1)))
const account = moved(user, 5n, 5n).before!
const absent = keyOf(data("Absent", "persistent"))

/** A ledger of these entries, and of the settings of the test network; null: in a form that cannot be read. */
const ledger = (unreadable: xdr.LedgerKey | null = null): LedgerEntries["Type"] => {
  const all = new Map([kept, fleeting, code, account].map((entry) => [keyText(keyOf(entry)), entry]))
  const never = Effect.dieMessage("not asked for here")
  const live = (key: xdr.LedgerKey): Option.Option<LiveEntry> => {
    const entry = unreadable !== null && keyText(key) === keyText(unreadable) ? null : all.get(keyText(key))
    return entry === undefined ? Option.none() : Option.some({ key, entry, liveUntilLedger: 99, latestLedger: 11 })
  }
  return { one: () => never, anew: () => never, answers: () => never, many: (keys) => Effect.succeed(keys.map(live)) }
}

const bytes = (entry: xdr.LedgerEntry): number => entry.toXdr().length

/** What a new entry of a size pays to live as long as any may. */
const rented = (newSize: number, more: Partial<RentChange> = {}): RentChange => ({
  durability: "persistent",
  isCode: false,
  oldSize: 0,
  newSize,
  oldLiveUntil: 0,
  newLiveUntil: settings.maxEntryTtl,
  ...more
})

/** Twice the price of a call that `resources` declares, which touches so many entries and writes so many of them. */
const twice = (touched: number, written: number, rents: ReadonlyArray<RentChange>, by = settings): bigint =>
  2n * (
    nonRefundableFee({
      instructions: 1_000_000,
      diskReadEntries: touched,
      diskReadBytes: 0,
      writeEntries: written,
      writeBytes: 100,
      transactionSize: by.txMaxSize
    }, by) + rentFee(rents, by, 1) + eventsFee(by.txMaxEventsSize, by)
  )

const restoring = (readOnly: ReadonlyArray<xdr.LedgerKey>, readWrite: ReadonlyArray<xdr.LedgerKey>, fee: bigint): CallSimulation => ({
  _tag: "Restore",
  resources: resources(readOnly, readWrite, fee).data,
  ledger: 11
})

const outcome = (told: CallSimulation, limits: Partial<{ accepted: bigint; setting: bigint }> = {}, entries = ledger()) =>
  Effect.map(
    withinFeeLimit(entries, told, { accepted: 10n ** 15n, setting: 0n, ...limits }),
    (now) => (now === told ? "as told" : now._tag)
  )

describe("the fee that a simulation reports", () => {
  const calls: Readonly<
    Record<string, readonly [readOnly: ReadonlyArray<xdr.LedgerKey>, readWrite: ReadonlyArray<xdr.LedgerKey>, most: bigint]>
  > = {
    "nothing": [[], [], twice(0, 0, [])],
    "data that is kept": [[keyOf(kept)], [], twice(1, 0, [rented(bytes(kept))])],
    "data that is not": [[keyOf(fleeting)], [], twice(1, 0, [rented(bytes(fleeting), { durability: "temporary" })])],
    "code, which is rented by its memory": [[keyOf(code)], [], twice(1, 0, [rented(16 * bytes(code), { isCode: true })])],
    "an account, which pays no rent": [[accountKey(user)], [], twice(1, 0, [])],
    "an entry that it makes": [[], [absent], twice(1, 1, [rented(0), rented(100)])],
    "entries that it writes": [
      [keyOf(kept)],
      [keyOf(fleeting), absent],
      twice(3, 2, [
        rented(bytes(kept)),
        rented(bytes(fleeting), { durability: "temporary" }),
        rented(0),
        rented(100, { durability: "temporary" })
      ])
    ]
  }

  for (const [what, [readOnly, readWrite, most]] of Object.entries(calls)) {
    it.effect(`is believed up to twice the ledger's own price: a call that touches ${what}`, () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* outcome(restoring(readOnly, readWrite, most)), "as told")
        assert.strictEqual(yield* outcome(restoring(readOnly, readWrite, most + 1n)), "Unavailable")
      }))
  }

  it.effect("is not looked at up to the fee of the settings, nor of a call that failed", () =>
    Effect.gen(function*() {
      const dear = 10n ** 14n
      assert.strictEqual(yield* outcome(restoring([], [], dear), { setting: dear }), "as told")
      assert.strictEqual(yield* outcome(restoring([], [], dear), { setting: dear - 1n }), "Unavailable")
      assert.strictEqual(yield* outcome({ _tag: "Failed", reason: "none" }), "as told")
      const ready: CallSimulation = {
        _tag: "Ready",
        resources: resources([], [], dear).data,
        ledger: 11,
        auth: [],
        credits: new Map(),
        changes: []
      }
      assert.strictEqual(yield* outcome(ready), "Unavailable")
    }))

  it.effect("above what is accepted is too dear, and so far it is paid", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* outcome(restoring([], [], 1_000n), { accepted: 1_000n }), "as told")
      const dear = yield* withinFeeLimit(ledger(), restoring([], [], 1_001n), { accepted: 1_000n, setting: 0n })
      assert.deepStrictEqual(dear, { _tag: "TooDear", resourceFee: 1_001n })
    }))

  it.effect("that is made up is named, with what can be done", () =>
    Effect.gen(function*() {
      const made = yield* withinFeeLimit(ledger(), restoring([], [], 10n ** 10n), { accepted: 10n ** 11n, setting: 0n })
      assert.match(JSON.stringify(made), /1000\.0000000 lumens, more than the ledger's own prices add up to\. Try again\./)
    }))

  it.effect("is not believed for what cannot be read", () =>
    Effect.gen(function*() {
      for (const unreadable of [settingKeys[0]!, keyOf(kept)]) {
        assert.strictEqual(yield* outcome(restoring([keyOf(kept)], [], 1n), {}, ledger(unreadable)), "Unavailable")
      }
    }))

  it.effect("is judged by what the ledger itself says of prices", () =>
    Effect.gen(function*() {
      const priced = settingsOf((id) => coreTestSettings.find((entry) => idOfEntry(entry) === id))
      const entries = ledger()
      const of = new Map(coreTestSettings.map((entry) => [keyText(keyOf(entry)), entry]))
      const many: typeof entries.many = (keys) =>
        Effect.map(entries.many(keys), (all) =>
          all.map((one, at) => {
            const [key] = keys.slice(at)
            const entry = key === undefined ? undefined : of.get(keyText(key))
            return key === undefined || entry === undefined ? one : Option.some({ key, entry, liveUntilLedger: null, latestLedger: 11 })
          }))
      const most = twice(0, 0, [], priced)
      assert.notStrictEqual(most, twice(0, 0, []))
      assert.strictEqual(yield* outcome(restoring([], [], most), {}, { ...entries, many }), "as told")
      assert.strictEqual(yield* outcome(restoring([], [], most + 1n), {}, { ...entries, many }), "Unavailable")
    }))

  it.effect("is not believed beyond what one transaction may touch or write", () =>
    Effect.gen(function*() {
      const keys = (count: number) => Array.from({ length: count }, (_, at) => keyOf(data(`E${at}`, "persistent")))
      const most = settings.txMaxFootprintEntries
      assert.strictEqual(yield* outcome(restoring(keys(most), [], 1n)), "as told")
      assert.strictEqual(yield* outcome(restoring(keys(most), [absent], 1n)), "Unavailable")
      const writing = (writeBytes: number): CallSimulation => {
        const told = resources([], [absent], 1n).data
        return { _tag: "Restore", ledger: 11, resources: Object.assign(told, { resources: Object.assign(told.resources, { writeBytes }) }) }
      }
      assert.strictEqual(yield* outcome(writing(settings.txMaxWriteBytes)), "as told")
      assert.strictEqual(yield* outcome(writing(settings.txMaxWriteBytes + 1)), "Unavailable")
    }))
})
