import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Either, Option } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { EntryAnswer } from "../../src/chain/EntryAnswer.ts"
import { AccountAddress, ContractAddress } from "../../src/domain/Address.ts"
import { invocationOf } from "../../src/operations/ContractCall.ts"
import { allowanceKeysOf } from "../../src/stellar/AllowanceKeys.ts"
import { address, u32 } from "../../src/stellar/ScValCodec.ts"
import { allowanceEntry } from "../../src/tokens/allowances/AllowanceEntries.ts"
import { approvalIn, movesTokens } from "../../src/tokens/EventTopics.ts"
import { revokeCall } from "../../src/tokens/Revoke.ts"

interface Recording {
  readonly contracts: Readonly<Record<string, { readonly address: string }>>
  readonly accounts: Readonly<Record<string, string>>
  readonly user: string
  readonly states: Readonly<
    Record<string, {
      readonly ledger: number
      readonly entries: ReadonlyArray<
        { readonly key: string; readonly xdr: string; readonly lastModifiedLedgerSeq: number; readonly liveUntilLedgerSeq?: number }
      >
      readonly expected: Readonly<Record<string, { readonly value: string; readonly getter: string }>>
    }>
  >
  readonly calls: ReadonlyArray<{
    readonly name: string
    readonly ok: boolean
    readonly contract: string
    readonly function: string
    readonly args: ReadonlyArray<string>
    readonly auth: ReadonlyArray<string>
    readonly events?: ReadonlyArray<string>
  }>
}

const recording: Recording = JSON.parse(readFileSync(fileURLToPath(new URL("../recorded/tokens.json", import.meta.url)), "utf8"))
const owner = AccountAddress.make(recording.user)
const tokenNamed = (name: string) => ContractAddress.make(recording.contracts[name]?.address ?? "")
const somebody = (name: string): string => recording.contracts[name]?.address ?? recording.accounts[name] ?? ""

/** The answer of `getLedgerEntries` in a recorded state. */
const answered = (state: Recording["states"][string], key: xdr.LedgerKey): EntryAnswer => {
  const entry = state.entries.find((one) => one.key === key.toXdr("base64"))
  return {
    key,
    latestLedger: state.ledger,
    live: entry === undefined ? Option.none() : Option.some({
      key,
      entry: new xdr.LedgerEntry({
        lastModifiedLedgerSeq: entry.lastModifiedLedgerSeq,
        data: xdr.LedgerEntryData.fromXdr(entry.xdr, "base64"),
        ext: xdr.LedgerEntryExt.v0()
      }),
      latestLedger: state.ledger,
      liveUntilLedger: entry.liveUntilLedgerSeq ?? null
    })
  }
}

/** The address of an argument. */
const spenderIn = (text: string | undefined): string => Either.getOrThrow(address.decode(xdr.ScVal.fromXdr(text ?? "", "base64")))

const getter = /^(\w+)\.allowance\(user, (\w+)\)$/

describe("recorded allowances", () => {
  for (const [name, state] of Object.entries(recording.states)) {
    it(`are read from their entries as the tokens' own getters say: ${name}`, () => {
      const facts = Object.values(state.expected).flatMap((fact) => {
        const [, token = "", spender = ""] = getter.exec(fact.getter) ?? []
        return token === "" ? [] : [{ token, spender, value: BigInt(fact.value) }]
      })
      assert.isAtLeast(facts.length, 8)
      for (const { spender, token, value } of facts) {
        const read = allowanceEntry(answered(state, allowanceKeysOf(tokenNamed(token), owner, somebody(spender))[0]))
        assert.strictEqual(read._tag === "Live" ? read.amount : 0n, value, `${token} to ${spender}`)
        assert.notStrictEqual(read._tag, "Odd")
        assert.strictEqual(allowanceEntry(answered(state, allowanceKeysOf(tokenNamed(token), owner, somebody(spender))[1]))._tag, "Absent")
      }
    })
  }
})

const eventsOf = ({ contract, events = [] }: Recording["calls"][number]) =>
  events.map((text) => {
    const { body } = xdr.ContractEvent.fromXdr(text, "base64")
    return {
      contract: ContractAddress.make(contract),
      id: "",
      ledger: 1,
      topics: body.v0.topics.map((topic) => topic.toXdr("base64")),
      data: body.v0.data.toXdr("base64")
    }
  })

describe("recorded events", () => {
  it("of approvals name token, spender and the last ledger, with three topics and with four", () => {
    const approvals = recording.calls.filter((call) => call.ok && call.function === "approve")
    assert.isAtLeast(approvals.length, 15)
    const counts = new Set<number>()
    for (const call of approvals) {
      const [event, ...more] = eventsOf(call)
      assert.isEmpty(more)
      assert.isDefined(event)
      counts.add(event?.topics.length ?? 0)
      const until = Either.getOrThrow(u32.decode(xdr.ScVal.fromXdr(call.args[3] ?? "", "base64")))
      assert.deepStrictEqual(event === undefined ? null : approvalIn(event), {
        token: ContractAddress.make(call.contract),
        spender: spenderIn(call.args[1]),
        until
      }, call.name)
    }
    assert.deepStrictEqual([...counts].toSorted(), [3, 4])
  })

  it("of transfers are seen, and nothing else passes for one", () => {
    const all = recording.calls.flatMap((call) => (call.ok ? eventsOf(call).map((event) => ({ call, event })) : []))
    const seen = all.filter(({ event }) => movesTokens(event))
    assert.isAtLeast(seen.length, 5)
    assert.deepStrictEqual([...new Set(seen.map(({ call }) => call.function))].toSorted(), ["transfer", "transfer_from"])
  })
})

describe("recorded revocations", () => {
  it("are the call that is built, and ask for it alone", () => {
    const revocations = recording.calls.filter(({ name, ok }) => ok && / revoke/.test(name))
    assert.lengthOf(revocations, 8)
    for (const call of revocations) {
      const built = invocationOf(
        revokeCall(owner, { token: ContractAddress.make(call.contract), spender: spenderIn(call.args[1]) })
      )
      assert.strictEqual(built.functionName.toString(), call.function)
      assert.deepStrictEqual(built.args.map((arg) => arg.toXdr("base64")), [...call.args], call.name)
      assert.lengthOf(call.auth, 1)
      const { rootInvocation } = xdr.SorobanAuthorizationEntry.fromXdr(call.auth[0] ?? "", "base64")
      assert.isEmpty(rootInvocation.subInvocations)
      assert.strictEqual(
        rootInvocation.function.type === "sorobanAuthorizedFunctionTypeContractFn"
          ? rootInvocation.function.contractFn.toXdr("base64")
          : "",
        built.toXdr("base64")
      )
    }
  })
})
