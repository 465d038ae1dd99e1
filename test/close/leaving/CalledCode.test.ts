import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Option } from "effect"
import type { EntryAnswer } from "../../../src/chain/EntryAnswer.ts"
import { calledCodeProblem, type CodeRules, instancesIn } from "../../../src/close/leaving/simulation/CalledCode.ts"
import type { ContractAddress } from "../../../src/domain/Address.ts"
import { native } from "../../../src/domain/Asset.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { contractData } from "../../../src/ledger/soroban/ContractEntries.ts"
import { addressOf, addressVal, symbol, u32 } from "../../../src/ledger/soroban/Values.ts"
import type { ContractCall } from "../../../src/operations/ContractCall.ts"
import { accountKey, keyOf, keyOfContractData, keyText } from "../../../src/xdr/LedgerKeys.ts"
import { referenceTo } from "./support/ByReference.ts"
import { codeKey, instanceOf, leave, own, pool, poolCode, resources, type Running, token, touching, user } from "./support/Simulating.ts"

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

const running = (codes: Running): ReadonlyArray<EntryAnswer> =>
  Object.entries(codes).map(([of, code]) => {
    const entry = instanceOf(of, code)
    return answer(entry, keyOf(entry))
  })

const other = "08".repeat(32)

describe("the code of a call", () => {
  /** The problem of a call, where these contracts run in it. */
  const judged = (
    call: Partial<ContractCall>,
    codes: Running,
    more: Partial<CodeRules> = {},
    named = touching(codes)
  ) => calledCodeProblem({ ...leave, ...call }, resources(named), running(codes), { ...rules, ...more })

  const read = "its contract runs other code than the code that was read"
  const below = (contract: ContractAddress, args: ReadonlyArray<xdr.ScVal> = []) => ({ contract, function: "transfer", args, subCalls: [] })
  const paying = (to: string) => ({ subCalls: [{ ...below(pool), args: [own, addressVal(addressOf(to)), u32(1)] }] })

  it("is what was read of its contract, and no other that is known", () => {
    assert.isNull(judged({}, { [pool]: poolCode }))
    assert.strictEqual(judged({}, { [pool]: other }, { knownCode: new Set([other]) }), read)
    const { code: _, ...unread } = leave
    assert.strictEqual(
      calledCodeProblem(unread, resources(touching({ [pool]: poolCode })), running({ [pool]: poolCode }), {
        ...rules,
        knownCode: new Set([poolCode])
      }),
      read
    )
  })

  it("needs none for an asset of the ledger, and may be any for the token that it is about", () => {
    const { code: _, ...unread } = leave
    const problemOf = (code: string | null, more: Partial<CodeRules>) =>
      calledCodeProblem(unread, resources(touching({ [pool]: code })), running({ [pool]: code }), { ...rules, ...more })
    assert.isNull(problemOf(null, { assets: new Map([[pool, native]]) }))
    assert.isNull(problemOf(other, { token: pool }))
    assert.strictEqual(problemOf(other, {}), read)
    assert.strictEqual(problemOf(null, {}), read)
    assert.strictEqual(problemOf(other, { token }), read)
  })

  it("is named by the footprint, all of it and no more", () => {
    const more = "it would run other code than the code that was read of its contracts"
    const both = { [pool]: poolCode, [token]: other }
    assert.isNull(judged({}, both))
    assert.strictEqual(judged({}, both, {}, touching({ [pool]: poolCode })), more)
    assert.strictEqual(judged({}, { [pool]: poolCode }, {}, touching(both)), more)
    assert.strictEqual(judged({}, both, {}, touching({ [pool]: poolCode, [token]: "09".repeat(32) })), more)
  })

  it("below it is that of the call, of its decoder, or of an asset", () => {
    const calling = { subCalls: [below(token)] }
    const reaches = `it reaches ${token}, a contract whose code this service does not know`
    assert.isNull(judged(calling, { [pool]: poolCode, [token]: poolCode }))
    assert.strictEqual(judged(calling, { [pool]: poolCode, [token]: other }), reaches)
    assert.isNull(judged(calling, { [pool]: poolCode, [token]: other }, { knownCode: new Set([other]) }))
    assert.isNull(judged({ ...calling, codeBelow: [other] }, { [pool]: poolCode, [token]: other }))
    assert.strictEqual(judged(calling, { [pool]: poolCode, [token]: null }), reaches)
    assert.isNull(judged(calling, { [pool]: poolCode, [token]: null }, { assets: new Map([[token, native]]) }))
    assert.strictEqual(judged(calling, { [pool]: poolCode }), reaches)
    const { code: _, ...unread } = leave
    const told = calledCodeProblem(
      { ...unread, ...calling },
      resources(touching({ [pool]: null, [token]: null })),
      running({ [pool]: null, [token]: null }),
      {
        ...rules,
        assets: new Map([[pool, native]])
      }
    )
    assert.strictEqual(told, reaches)
  })

  it("is judged of contracts that receive tokens, and not of accounts, nor of whom a token's own function names", () => {
    const codes = { [pool]: poolCode, [token]: other }
    const reaches = `it reaches ${token}, a contract whose code this service does not know`
    assert.isNull(judged(paying(user), codes))
    assert.strictEqual(judged(paying(token), codes), reaches)
    const own = { function: "approve", args: [addressVal(addressOf(user)), addressVal(addressOf(token))] }
    assert.strictEqual(judged(own, codes), reaches)
    assert.isNull(judged(own, codes, { token: pool }))
  })
})

describe("what is read to judge code", () => {
  it("is each instance that a call touches, and what owners of code say", () => {
    const data = keyOfContractData(addressOf(pool), symbol("Data"), "persistent")
    const read = instancesIn(resources([data, codeKey(poolCode), nameKey], [accountKey(user), instanceKey!]))
    assert.deepStrictEqual(read.map(keyText), [nameKey, instanceKey!].map(keyText))
  })
})
