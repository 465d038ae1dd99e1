import { assert, describe, it } from "@effect/vitest"
import { Address, Asset, Keypair, xdr } from "@stellar/stellar-sdk"
import { type CallerFacts, meaningOf } from "../../../src/close/leaving/simulation/FailedCall.ts"
import { AccountAddress, ContractAddress } from "../../../src/domain/Address.ts"
import { AssetId, native } from "../../../src/domain/Asset.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { LedgerState } from "../../../src/ledger/LedgerState.ts"
import type { ContractCall } from "../../../src/operations/ContractCall.ts"

describe("a call that moves more of a token than there is", () => {
  const [usd, eur] = ["USD", "EUR"].map((code) => AssetId.make(`${code}:${Keypair.random().publicKey()}`))
  const [first, second] = [1, 2].map((byte) => ContractAddress.make(Address.contract(Buffer.alloc(32, byte)).toString()))
  if (usd === undefined || eur === undefined || first === undefined || second === undefined) throw new Error("nothing to test with")
  const call: ContractCall = {
    contract: first,
    function: "leave",
    args: [],
    payouts: [{ token: first, expected: 5n }, { token: second, expected: 5n }],
    holds: [{ token: first, amount: 3n }, { token: second, amount: 4n }],
    subCalls: [],
    recipients: []
  }
  const facts: CallerFacts = {
    user: AccountAddress.make(Keypair.random().publicKey()),
    ledgerState: LedgerState.make({
      ledgerVersion: 28,
      ledgerSeq: 9,
      closeTime: 1n,
      baseFee: 100,
      baseReserve: 5_000_000,
      idPool: 0n,
      flags: 0
    }),
    assets: new Map([[first, usd], [second, eur]]),
    spendable: () => 3n
  }
  const failed = { _tag: "Failed", reason: "HostError: Error(Contract, #10)" } as const
  const meaning = (tag: "Short" | "CannotReceive", changes: Partial<ContractCall> = {}) =>
    meaningOf({ problem: () => ({ _tag: tag }) }, { ...call, ...changes }, failed, facts)

  it("names the one that the account lacks, with figures", () => {
    assert.deepStrictEqual(meaning("Short"), { _tag: "Short", token: second, needed: 4n, held: 3n })
    assert.strictEqual(meaning("Short", { holds: [{ token: first, amount: 3n }] })._tag, "Failed")
    assert.strictEqual(meaning("Short", { holds: [] })._tag, "Failed")
  })

  it("names the one that has no room, or the only one", () => {
    assert.deepStrictEqual(meaning("CannotReceive"), { _tag: "CannotReceive", asset: usd })
    assert.deepStrictEqual(meaning("CannotReceive", { payouts: [{ token: second, expected: 5n }] }), { _tag: "CannotReceive", asset: eur })
    assert.strictEqual(meaning("CannotReceive", { payouts: [] })._tag, "Failed")
  })

  it("names the one without room, though another comes first, and never lumens", () => {
    const [code, issuer] = usd.split(":")
    const line = newEntry(xdr.LedgerEntryData.trustline(
      new xdr.TrustLineEntry({
        accountId: Keypair.fromPublicKey(facts.user).xdrPublicKey(),
        asset: new Asset(code!, issuer!).toTrustLineXdrObject(),
        balance: 0n,
        limit: 5n,
        flags: 1,
        ext: xdr.TrustLineEntryExt.v0()
      })
    ))
    const withRoom = { ...facts, ledgerState: facts.ledgerState.set([line]) }
    const told = (assets: CallerFacts["assets"]) =>
      meaningOf({ problem: () => ({ _tag: "CannotReceive" }) }, call, failed, { ...withRoom, assets })
    assert.deepStrictEqual(told(facts.assets), { _tag: "CannotReceive", asset: eur })
    assert.deepStrictEqual(told(new Map([[first, native], [second, eur]])), { _tag: "CannotReceive", asset: eur })
    assert.strictEqual(told(new Map([[first, native], [second, native]]))._tag, "Failed")
    assert.strictEqual(told(new Map())._tag, "Failed")
    const one = { ...call, payouts: [{ token: first, expected: 5n }] }
    const ofOne = (asset: AssetId) =>
      meaningOf({ problem: () => ({ _tag: "CannotReceive" }) }, one, failed, { ...withRoom, assets: new Map([[first, asset]]) })
    assert.deepStrictEqual(ofOne(usd), { _tag: "CannotReceive", asset: usd })
    assert.strictEqual(ofOne(native)._tag, "Failed")
    assert.strictEqual(told(new Map([[first, usd], [second, usd]]))._tag, "Failed")
  })

  it("is told in words where nothing of the account's lacks", () => {
    assert.deepStrictEqual(meaning("Short", { holds: [] }), {
      _tag: "Failed",
      reason: "The account, or the contract that pays, holds less of a token than the call moves. (HostError: Error(Contract, #10))"
    })
    assert.deepStrictEqual(meaning("CannotReceive", { payouts: [] }), {
      _tag: "Failed",
      reason: "The account cannot receive a token that the call pays: no trustline, no authorisation, or too low a limit. " +
        "(HostError: Error(Contract, #10))"
    })
  })

  it("is what its protocol says of the number of its error", () => {
    const codes: Array<number> = []
    const told = meaningOf(
      {
        problem: (_, code) => {
          codes.push(code)
          return { _tag: "Changed" }
        }
      },
      call,
      failed,
      facts
    )
    assert.deepStrictEqual([told, codes], [{ _tag: "Changed", reason: failed.reason }, [10]])
    const unavailable = { _tag: "Unavailable", reason: "It is stopped." } as const
    assert.deepStrictEqual(meaningOf({ problem: () => unavailable }, call, failed, facts), unavailable)
  })

  it("is told in words where neither its protocol nor anyone knows the error", () => {
    const unknown = {
      _tag: "Failed",
      reason: "The contract rejects the call with its own error, which this service does not know. (HostError: Error(Contract, #10))"
    }
    for (const protocol of [undefined, {}, { problem: () => null }]) {
      assert.deepInclude<object>(meaningOf(protocol, call, failed, facts), unknown)
    }
  })

  it.each([
    ["Error(Budget, ExceededLimit)", "The call needs more resources than one transaction may use."],
    ["Error(WasmVm, InvalidAction)", "The contract aborted the call without a reason. It may hold less than it must pay."],
    ["Error(Storage, MissingValue)", "An entry that the contract needs is not on the ledger."],
    ["Error(Auth, InvalidAction)", "The contract requires an authorisation that the account alone cannot give."]
  ])("is not asked of a protocol when the host itself failed it: %s", (error, words) => {
    const failed = { _tag: "Failed", reason: `HostError: ${error}` } as const
    assert.deepStrictEqual(meaningOf({ problem: () => ({ _tag: "Changed" }) }, call, failed, facts), {
      _tag: "Failed",
      reason: `${words} (HostError: ${error})`
    })
    const odd = { _tag: "Failed", reason: "no words" } as const
    assert.deepStrictEqual(meaningOf({ problem: () => ({ _tag: "Changed" }) }, call, odd, facts), odd)
  })
})
