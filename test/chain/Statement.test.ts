import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { Option } from "effect"
import type { EntryAnswer } from "../../src/chain/EntryAnswer.ts"
import { type Claim, contradiction, keysOf, ledgerOf, showsMore, type Statement } from "../../src/chain/witness/Statement.ts"
import { newAccount } from "../../src/ledger/entries/Account.ts"
import { newEntry } from "../../src/ledger/entries/LedgerEntry.ts"
import { contractData } from "../../src/ledger/soroban/ContractEntries.ts"
import { addressOf, i128, symbol } from "../../src/ledger/soroban/Values.ts"
import { type Durability, keyOf, keyText } from "../../src/xdr/LedgerKeys.ts"
import { token } from "../close/leaving/support/Simulating.ts"

/** When an entry was changed last, on which ledger it is shown, and the last one in which it is live. */
interface Times {
  readonly modified: number
  readonly latest: number
  readonly until?: number
}

const shownAs = (data: xdr.LedgerEntryData, { latest, modified, until = 999 }: Times): EntryAnswer => {
  const entry = Object.assign(newEntry(data), { lastModifiedLedgerSeq: modified })
  const key = keyOf(entry)
  return { key, latestLedger: latest, live: Option.some({ key, entry, liveUntilLedger: until, latestLedger: latest }) }
}

/** An entry of a token. */
const shown = (value: bigint, times: Times, durability: Durability = "persistent"): EntryAnswer =>
  shownAs(contractData(addressOf(token), symbol("Entry"), durability, i128(value)), times)

/** The entry of an owner of code that says which code runs for others. */
const codeName = (hash: number, times: Times): EntryAnswer =>
  shownAs(
    contractData(
      addressOf(token),
      xdr.ScVal.scvExecutableTag(Buffer.from("tag")),
      "persistent",
      xdr.ScVal.scvBytes(Buffer.alloc(32, hash))
    ),
    times
  )

/** The token's instance, which runs the code of a hash and stores numbers under names. */
const instance = (hash: number, stored: Readonly<Record<string, bigint>>, times: Times): EntryAnswer =>
  shownAs(
    contractData(
      addressOf(token),
      xdr.ScVal.scvLedgerKeyContractInstance(),
      "persistent",
      xdr.ScVal.scvContractInstance(
        new xdr.ScContractInstance({
          executable: xdr.ContractExecutable.contractExecutableWasm(Buffer.alloc(32, hash)),
          storage: Object.keys(stored).length === 0
            ? null
            : Object.entries(stored).map(([name, value]) => new xdr.ScMapEntry({ key: symbol(name), val: i128(value) }))
        })
      )
    ),
    times
  )

/** The key of an entry without the entry. */
const absent = ({ key }: EntryAnswer, latestLedger: number): EntryAnswer => ({ key, latestLedger, live: Option.none() })

/** The entry in a form of a newer protocol. */
const unreadable = ({ key, latestLedger }: EntryAnswer): EntryAnswer => ({
  key,
  latestLedger,
  live: Option.some({ key, entry: null, liveUntilLedger: 999, latestLedger })
})

const stating = (...all: ReadonlyArray<EntryAnswer>): Statement => ({ shown: all, listed: new Map(), claims: [] })

/** The outcome in a word, with what the failure tells. */
const told = (statement: Statement, ...second: ReadonlyArray<EntryAnswer>): string => {
  const failure = contradiction(statement, second)
  if (failure === null) return "agrees"
  return failure._tag === "Outdated" ? `outdated by ${failure.behind} since ${failure.since}` : `differs: ${failure.about}`
}

const first = shown(1n, { modified: 90, latest: 100 })

describe("what a second endpoint shows of an entry", () => {
  it("agrees where it is the same on another ledger", () => {
    assert.strictEqual(told(stating(first), shown(1n, { modified: 90, latest: 103 })), "agrees")
    assert.strictEqual(told(stating(first), shown(1n, { modified: 90, latest: 100 })), "agrees")
  })

  it("is never taken for the same where it changed since: the first is outdated", () => {
    assert.strictEqual(told(stating(first), shown(2n, { modified: 102, latest: 103 })), "outdated by 3 since 102")
    assert.strictEqual(told(stating(first), shown(1n, { modified: 101, latest: 101 })), "outdated by 1 since 101")
  })

  it("contradicts the first where it did not change since, or did so in another ledger", () => {
    for (const modified of [80, 90, 95, 100]) {
      assert.strictEqual(told(stating(first), shown(2n, { modified, latest: 103 })), "differs: contract_entries", `${modified}`)
    }
    assert.strictEqual(told(stating(first), shown(1n, { modified: 95, latest: 103 })), "differs: contract_entries")
  })

  it("counts by the ledger of a change where that is later than the one it is shown on", () => {
    const ahead = shown(1n, { modified: 104, latest: 100 })
    assert.strictEqual(ledgerOf(ahead), 104)
    assert.strictEqual(told(stating(ahead), shown(2n, { modified: 103, latest: 105 })), "differs: contract_entries")
    assert.strictEqual(told(stating(first), ahead), "outdated by 4 since 104")
  })

  it("that is not there agrees with none, may have gone since, and is missed otherwise", () => {
    assert.strictEqual(told(stating(absent(first, 100)), absent(first, 103)), "agrees")
    assert.strictEqual(told(stating(first), absent(first, 103)), "outdated by 3 since 103")
    assert.strictEqual(told(stating(first), absent(first, 100)), "differs: contract_entries")
  })

  it("that the first calls absent was left since, or is hidden", () => {
    assert.strictEqual(told(stating(absent(first, 100)), shown(1n, { modified: 101, latest: 103 })), "outdated by 3 since 101")
    assert.strictEqual(told(stating(absent(first, 100)), shown(1n, { modified: 100, latest: 103 })), "differs: contract_entries")
  })

  it("that neither can read agrees, and one that only the first can read contradicts it", () => {
    assert.strictEqual(told(stating(unreadable(first)), unreadable(first)), "agrees")
    assert.strictEqual(told(stating(first), unreadable(first)), "differs: contract_entries")
  })
})

describe("an entry of the ledger itself", () => {
  const account = (lumens: bigint, times: Times) =>
    shownAs(xdr.LedgerEntryData.account(newAccount(Keypair.random().xdrPublicKey(), lumens, 1n)), times)

  it("is compared as a whole", () => {
    const own = account(5n, { modified: 90, latest: 100 })
    assert.strictEqual(told(stating(own), { ...own, latestLedger: 103 }), "agrees")
    const other = { ...account(6n, { modified: 90, latest: 103 }), key: own.key }
    assert.strictEqual(told(stating(own), other), "differs: contract_entries")
  })
})

describe("a temporary entry", () => {
  const allowance = (times: Times) => shown(1n, times, "temporary")
  const live = allowance({ modified: 90, latest: 100, until: 101 })

  it("whose time is over is gone, whether it is still shown or not", () => {
    assert.strictEqual(told(stating(live), absent(live, 102)), "agrees")
    assert.strictEqual(told(stating(live), allowance({ modified: 90, latest: 102, until: 101 })), "agrees")
    assert.strictEqual(told(stating(allowance({ modified: 90, latest: 102, until: 101 })), absent(live, 102)), "agrees")
  })

  it("is there in its last ledger", () => {
    assert.strictEqual(told(stating(live), absent(live, 101)), "outdated by 1 since 101")
    assert.strictEqual(told(stating(live), allowance({ modified: 90, latest: 101, until: 101 })), "agrees")
  })

  it("is the same with a longer time, and not one that the first calls over", () => {
    assert.strictEqual(told(stating(live), allowance({ modified: 90, latest: 103, until: 500 })), "agrees")
    const over = allowance({ modified: 90, latest: 100, until: 99 })
    assert.strictEqual(told(stating(over), allowance({ modified: 90, latest: 103, until: 500 })), "differs: contract_entries")
  })

  it("without an end is never over", () => {
    const endless = { ...live, live: Option.map(live.live, (one) => ({ ...one, liveUntilLedger: null })) }
    assert.strictEqual(told(stating(endless), absent(live, 100)), "differs: contract_entries")
  })

  it("is told from an archived one, which comes back", () => {
    const archived = shown(1n, { modified: 90, latest: 100, until: 50 })
    assert.strictEqual(told(stating(archived), absent(first, 100)), "differs: contract_entries")
  })
})

describe("a second endpoint that is behind", () => {
  const older = shown(1n, { modified: 80, latest: 85 })

  it("shows more where it has what the first calls absent", () => {
    assert.isTrue(showsMore(stating(absent(first, 100)), [older]))
    assert.isFalse(showsMore(stating(first), [older]))
    assert.isFalse(showsMore(stating(absent(first, 100)), [absent(first, 85)]))
    assert.isFalse(showsMore(stating(absent(first, 100)), []))
    const other = codeName(1, { modified: 80, latest: 85 })
    assert.isTrue(showsMore(stating(first, absent(other, 100)), [older, other]))
  })

  it("shows nothing more in an entry whose time is over since, and does where the first only says so", () => {
    const allowance = (until: number, latest: number) => shown(1n, { modified: 80, latest, until }, "temporary")
    assert.isFalse(showsMore(stating(absent(allowance(99, 100), 100)), [allowance(99, 85)]))
    assert.isTrue(showsMore(stating(absent(allowance(99, 100), 100)), [allowance(100, 85)]))
    assert.isTrue(showsMore(stating(allowance(90, 100)), [allowance(200, 85)]))
  })
})

describe("a contract's instance", () => {
  const running = instance(1, { list: 1n, busy: 1n }, { modified: 90, latest: 100 })
  const listing = (counts: string): Statement => ({ ...stating(running), listed: new Map([[running, [symbol(counts)]]]) })

  it("is the same while it runs the same code, whatever else it stores and whenever it changed", () => {
    assert.strictEqual(told(stating(running), instance(1, { list: 2n, busy: 9n }, { modified: 95, latest: 103 })), "agrees")
  })

  it("contradicts the first by its code, and by what lists rest on of its storage", () => {
    assert.strictEqual(told(stating(running), instance(2, { list: 1n }, { modified: 95, latest: 103 })), "differs: contract_code")
    const other = instance(1, { list: 2n, busy: 1n }, { modified: 95, latest: 103 })
    assert.strictEqual(told(listing("list"), other), "differs: contract_entries")
    assert.strictEqual(told(listing("busy"), other), "agrees")
    assert.strictEqual(told(listing("list"), instance(1, { busy: 1n }, { modified: 95, latest: 103 })), "differs: contract_entries")
    assert.strictEqual(told(listing("list"), instance(2, { list: 1n }, { modified: 95, latest: 103 })), "differs: contract_code")
  })

  it("without storage stores nothing", () => {
    const bare = (times: Times) => instance(1, {}, times)
    assert.strictEqual(told(listing("list"), bare({ modified: 95, latest: 103 })), "differs: contract_entries")
    assert.strictEqual(told(listing("other"), bare({ modified: 95, latest: 103 })), "agrees")
  })

  it("is compared by its owner's word where its code is named by reference", () => {
    const named = codeName(1, { modified: 90, latest: 100 })
    assert.strictEqual(told(stating(named), codeName(2, { modified: 95, latest: 103 })), "differs: contract_code")
    assert.strictEqual(told(stating(named), codeName(1, { modified: 90, latest: 103 })), "agrees")
  })
})

describe("what a list of contracts rests on", () => {
  const listed: Statement = { ...stating(first), listed: new Map([[first, []]]) }

  it("may have grown since, and what it named does not go away", () => {
    assert.strictEqual(told(listed, shown(2n, { modified: 102, latest: 103 })), "agrees")
    assert.strictEqual(told(listed, absent(first, 103)), "outdated by 3 since 103")
  })
})

describe("several versions of an entry that one request saw", () => {
  const changed = shown(2n, { modified: 101, latest: 102 })

  it("are outdated by the last of them only", () => {
    assert.strictEqual(told(stating(first, changed), shown(2n, { modified: 101, latest: 103 })), "agrees")
    assert.strictEqual(told(stating(changed, first), shown(2n, { modified: 101, latest: 103 })), "outdated by 3 since 101")
  })

  it("are each contradicted", () => {
    const lie = shown(3n, { modified: 90, latest: 100 })
    assert.strictEqual(told(stating(lie, first), shown(1n, { modified: 90, latest: 103 })), "differs: contract_entries")
  })

  it("and other entries are outdated by the most of theirs", () => {
    const code = instance(1, {}, { modified: 90, latest: 98 })
    assert.strictEqual(
      told(stating(code, first), instance(2, {}, { modified: 103, latest: 103 }), shown(2n, { modified: 103, latest: 103 })),
      "outdated by 5 since 103"
    )
  })
})

describe("what was learned for good", () => {
  const learned = (holds: Claim["holds"], ...keys: ReadonlyArray<xdr.LedgerKey>): Claim => ({ text: "learned", keys, holds })
  const claiming = (...claims: ReadonlyArray<Claim>): Statement => ({ ...stating(first), claims })
  const name = codeName(1, { modified: 90, latest: 103 })
  const missing = instance(1, {}, { modified: 90, latest: 103 })
  const same = shown(1n, { modified: 90, latest: 103 })

  it("contradicts a second that does not bear out all of it", () => {
    const [borne, denied] = [learned(() => true, first.key), learned(() => false, first.key)]
    assert.strictEqual(told(claiming(borne, borne), same), "agrees")
    assert.strictEqual(told(claiming(borne, denied), same), "differs: contract_entries")
  })

  it("is judged by the entries under its own keys, of which some may be missing", () => {
    const seen: Array<ReadonlyArray<EntryAnswer>> = []
    const claim = learned((entries) => seen.push(entries) > 0, name.key, missing.key)
    assert.strictEqual(told(claiming(claim), same, name), "agrees")
    assert.deepStrictEqual(seen, [[name]])
  })

  it("adds its keys to those of the statement, each once", () => {
    const texts = keysOf(claiming(learned(() => true, name.key, first.key), learned(() => true, name.key))).map(keyText)
    assert.deepStrictEqual(texts, [first.key, name.key].map(keyText))
  })
})
