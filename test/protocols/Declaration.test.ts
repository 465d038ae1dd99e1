import { assert, describe, it } from "@effect/vitest"
import { contract as sdk, xdr } from "@stellar/stellar-sdk"
import { Either, Option } from "effect"
import { gate, specIn } from "../../src/protocols/CodeGate.ts"
import { declarations, type DeclaredKind, kindDeclared } from "../../src/protocols/kit/Declaration.ts"
import { type LedgerView, viewOf } from "../../src/protocols/kit/LedgerView.ts"
import { codeKey, instanceKey } from "../../src/stellar/ContractKeys.ts"
import { keyText } from "../../src/xdr/LedgerKeys.ts"
import { anyContract } from "../support/Addresses.ts"
import { codeEntry, listOf, specOf, structOf, typeNamed } from "./support/Declared.ts"
import { instanceVal, ledgerWith } from "./support/Written.ts"

const T = xdr.ScSpecTypeDef
const [address, u128, i32] = [T.scSpecTypeAddress(), T.scSpecTypeU128(), T.scSpecTypeI32()]

const union = (name: string, cases: Readonly<Record<string, ReadonlyArray<xdr.ScSpecTypeDef>>>) =>
  xdr.ScSpecEntry.scSpecEntryUdtUnionV0(
    new xdr.ScSpecUdtUnionV0({
      doc: "",
      lib: "",
      name,
      cases: Object.entries(cases).map(([one, type]) =>
        type.length === 0
          ? xdr.ScSpecUdtUnionCaseV0.scSpecUdtUnionCaseVoidV0(new xdr.ScSpecUdtUnionCaseVoidV0({ doc: "", name: one }))
          : xdr.ScSpecUdtUnionCaseV0.scSpecUdtUnionCaseTupleV0(new xdr.ScSpecUdtUnionCaseTupleV0({ doc: "", name: one, type: [...type] }))
      )
    })
  )

const range = structOf("Range", { tick_lower: i32, tick_upper: i32 })
const functions = specOf({ withdraw: [address, u128, listOf(u128)], ranges: [typeNamed("Range")] }).entries
const spec = new sdk.Spec([...functions, range, union("Key", { Balance: [address], Total: [] })])

const pool = {
  kind: "pool",
  declares: ["withdraw(address,u128,vec<u128>)", "struct Range{tick_lower:i32,tick_upper:i32}", "union Key{Balance(address),Total}"]
} as const satisfies DeclaredKind<"pool">

const contract = anyContract()
const hash = "cd".repeat(32)

/** A ledger on which the contract runs code with this declaration; null: its code is not available. */
const running = (shown: sdk.Spec | null): LedgerView => {
  const view = ledgerWith([[instanceKey(contract), instanceVal(hash, [])]])
  const code = keyText(codeKey(hash))
  return {
    ...view,
    state: (key) => {
      if (keyText(key) !== code) return view.state(key)
      return shown === null ? { _tag: "Unread" } : { _tag: "Present", data: codeEntry(hash, shown), archived: false }
    }
  }
}

const without = (text: string) => new sdk.Spec(spec.entries.filter((entry) => !declarations({ entries: [entry] }).has(text)))

it("what code declares is parsed once for each entry that was read, in every view of it", () => {
  const read = xdr.LedgerEntry.fromXdr(
    new xdr.LedgerEntry({ lastModifiedLedgerSeq: 1, data: codeEntry(hash, spec), ext: xdr.LedgerEntryExt.fromXdr("AAAAAA==", "base64") })
      .toXdr()
  )
  const entry = { key: codeKey(hash), entry: read, latestLedger: 1, liveUntilLedger: null }
  const seen = () => viewOf({ sequence: 1, closeTime: 0n }, [{ key: codeKey(hash), live: Option.some(entry), latestLedger: 1 }], new Map())
  const [first, again] = [specIn(seen(), { wasmHash: hash }), specIn(seen(), { wasmHash: hash })].map(Either.getOrNull)
  assert(first !== null && first !== undefined)
  assert.strictEqual(again, first)
  assert.strictEqual(declarations(first), declarations(first))
})

describe("code that is not listed", () => {
  it("declares functions with their arguments and types with their fields", () => {
    assert.deepStrictEqual([...declarations(spec)].toSorted(), [...pool.declares, "ranges(Range)"].toSorted())
  })

  it("is known where it declares everything, and where anything is missing or takes other arguments it is not", () => {
    assert.strictEqual(kindDeclared(spec, [pool]), "pool")
    for (const text of pool.declares) assert.isNull(kindDeclared(without(text), [pool]), text)
    const narrow = specOf({ withdraw: [address, T.scSpecTypeU64(), listOf(u128)] }).entries
    assert.isNull(kindDeclared(new sdk.Spec([...without(pool.declares[0]).entries, ...narrow]), [pool]))
    const more = structOf("Range", { tick_lower: i32, tick_upper: i32, fee: u128 })
    assert.isNull(kindDeclared(new sdk.Spec([...without(pool.declares[1]).entries, more]), [pool]))
  })

  it("passes the gate by what it declares, says so, and is never read where nothing may be known that way", () => {
    const passed = gate(running(spec), contract, new Map(), [pool])
    assert(passed._tag === "Right")
    assert.deepStrictEqual([passed.right.kind, passed.right.byInterface, passed.right.wasmHash], ["pool", true, hash])
    const listed = gate(running(null), contract, new Map([[hash, "pool" as const]]), [pool])
    assert.strictEqual(listed._tag === "Right" && !listed.right.byInterface, true)
    const tagOf = (view: LedgerView, ...declared: ReadonlyArray<DeclaredKind<"pool">>) => {
      const told = gate(view, contract, new Map(), declared)
      return told._tag === "Left" ? told.left._tag : "passed"
    }
    assert.strictEqual(tagOf(running(spec)), "UnknownCode")
    assert.strictEqual(tagOf(running(null), pool), "Unread")
    assert.strictEqual(tagOf(running(without(pool.declares[0])), pool), "UnknownCode")
  })
})
