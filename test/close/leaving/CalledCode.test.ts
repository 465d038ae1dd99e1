import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Option } from "effect"
import type { EntryAnswer } from "../../../src/chain/LedgerEntries.ts"
import { calledCodeProblem, instancesIn } from "../../../src/close/leaving/simulation/CalledCode.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { contractData } from "../../../src/ledger/soroban/ContractEntries.ts"
import { addressOf, symbol, u32 } from "../../../src/ledger/soroban/Values.ts"
import { accountKey, keyOf, keyOfContractData, keyText } from "../../../src/xdr/LedgerKeys.ts"
import { referenceTo } from "./support/ByReference.ts"
import { codeKey, leave, pool, poolCode, resources, token, touching, user } from "./support/Simulating.ts"

const answer = (entry: xdr.LedgerEntry | null, key: xdr.LedgerKey): EntryAnswer => ({
  key,
  latestLedger: 11,
  live: Option.some({ key, entry, liveUntilLedger: 99, latestLedger: 11 })
})

const shown = (data: xdr.LedgerEntryData): EntryAnswer => {
  const entry = newEntry(data)
  return answer(entry, keyOf(entry))
}

/** The pool's instance. */
const instance = (executable: xdr.ContractExecutable) =>
  shown(
    contractData(
      addressOf(pool),
      xdr.ScVal.scvLedgerKeyContractInstance(),
      "persistent",
      xdr.ScVal.scvContractInstance(new xdr.ScContractInstance({ executable, storage: null }))
    )
  )

const byReference = instance(xdr.ContractExecutable.contractExecutableExternalRef(referenceTo(addressOf(token))))

/** What the owner of the reference names. */
const named = (val: xdr.ScVal) => shown(contractData(addressOf(token), xdr.ScVal.scvExecutableTag("pool"), "persistent", val))

const hash = xdr.ScVal.scvBytes(Buffer.from(poolCode, "hex"))
const nameKey = named(hash).key
const [instanceKey] = touching({ [pool]: poolCode })
const rules = { assets: new Map(), knownCode: new Set<string>() }

const problem = (...read: ReadonlyArray<EntryAnswer>) =>
  calledCodeProblem(leave, resources([instanceKey!, nameKey, codeKey(poolCode)]), read, rules)

describe("code that is named by reference", () => {
  it("is what its owner says", () => {
    assert.isNull(problem(byReference, named(hash)))
    const other = xdr.ScVal.scvBytes(Buffer.alloc(32, 8))
    assert.strictEqual(problem(byReference, named(other)), "it would run other code than the code that was read of its contracts")
  })

  it("cannot be identified where its owner says nothing that can be read", () => {
    const unknown = `it runs ${pool}, whose code cannot be identified`
    assert.strictEqual(problem(byReference), unknown)
    assert.strictEqual(problem(byReference, { ...named(hash), live: Option.none() }), unknown)
    assert.strictEqual(problem(byReference, answer(null, nameKey)), unknown)
    assert.strictEqual(problem(byReference, named(u32(1))), unknown)
    const owned = instance(xdr.ContractExecutable.contractExecutableExternalRef(referenceTo(addressOf(user))))
    assert.strictEqual(problem(owned, named(hash)), unknown)
  })
})

describe("a contract", () => {
  it("whose instance is not there, or cannot be read, cannot be identified", () => {
    const unknown = `it runs ${pool}, whose code cannot be identified`
    assert.strictEqual(problem({ ...byReference, live: Option.none() }), unknown)
    assert.strictEqual(problem(answer(null, instanceKey!)), unknown)
    assert.strictEqual(
      problem(answer(newEntry(contractData(addressOf(pool), symbol("Data"), "persistent", u32(1))), instanceKey!)),
      unknown
    )
  })
})

describe("what is read to judge code", () => {
  it("is each instance that a call touches, and what owners of code say", () => {
    const data = keyOfContractData(addressOf(pool), symbol("Data"), "persistent")
    const read = instancesIn(resources([data, codeKey(poolCode), nameKey], [accountKey(user), instanceKey!]))
    assert.deepStrictEqual(read.map(keyText), [nameKey, instanceKey!].map(keyText))
  })
})
