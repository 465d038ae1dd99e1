import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { effectProblem } from "../../../src/close/leaving/simulation/CallEffects.ts"
import { problemIn } from "../../../src/close/leaving/simulation/FailedCall.ts"
import { AssetId, native } from "../../../src/domain/Asset.ts"
import { authorizationProblem, invocationOf } from "../../../src/operations/ContractCall.ts"
import { Vault } from "../../../src/protocols/cdp1/Vault.ts"
import { knownDenominations } from "../../../src/protocols/cdp1/VaultKey.ts"
import { scVal } from "../../ledger/soroban/Recording.ts"
import { changesOf } from "../support/Recorded.ts"
import { balanceIn, contractNamed, leave, ledgerOf, protocolOf, read, recording, stateNamed, user } from "./RecordedVaults.ts"

describe("positions in the recorded states", () => {
  for (const [name, state] of Object.entries(recording.states)) {
    it.effect(`${name}: what the contract's own getter answers, to the unit`, () =>
      Effect.gen(function*() {
        const reading = yield* read(ledgerOf(state))
        assert.deepStrictEqual(reading.unrecognized, [])
        for (const denomination of knownDenominations) {
          const fact = state.expected[`vaults.getVault(user,${denomination})`] ?? assert.fail("no fact")
          const position = reading.positions.find(({ key }) => key === denomination)
          if (fact.xdr === undefined) {
            assert.strictEqual(fact.error, "Error(Contract, #500)")
            assert.isUndefined(position)
            continue
          }
          const value = Vault.decode(scVal(fact.xdr))
          assert(value._tag === "Right")
          const { collateral, debt } = value.right
          const row = position?.rows[0] ?? assert.fail("no row")
          assert(row.positionType === "cdp")
          assert.strictEqual(row.collateralAmount, `${collateral}`)
          assert.strictEqual(row.debtAmount, `${debt}`)
          assert.deepStrictEqual(position?.owes, [{ token: contractNamed(denomination === "USD" ? "usdx" : "eurx"), amount: debt }])
          assert.deepStrictEqual(position?.pays, [contractNamed("xlm")])
        }
      }))
  }

  it.effect("are shown in their own units, with the tokens explained", () =>
    Effect.gen(function*() {
      const { enrichment, positions, trips } = yield* read(ledgerOf(stateNamed("open")))
      assert.deepStrictEqual(positions.map(({ key, rows }) => [key, rows.map(({ display }) => display)]), [
        ["USD", [{
          pool: "USD vault",
          asset: "XLM",
          amount: "3582.0000000",
          collateralAmount: "3582.0000000",
          yieldPct: null,
          yieldKind: null,
          detail: "Owes 120.0000000 USDx."
        }]],
        ["EUR", [{
          pool: "EUR vault",
          asset: "XLM",
          amount: "2487.5000000",
          collateralAmount: "2487.5000000",
          yieldPct: null,
          yieldKind: null,
          detail: "Owes 100.0000000 EURx."
        }]]
      ])
      assert.deepStrictEqual(Object.keys(enrichment).toSorted(), ["xlm", "usdx", "eurx"].map(contractNamed).toSorted())
      assert.deepStrictEqual(enrichment[contractNamed("usdx")], { symbol: "USDx", decimals: 7, priceLumens: null, priceSource: null })
      assert.deepStrictEqual(trips, [7, 3], "one trip more than without positions")
    }))

  it.effect("cost one trip when there are none", () =>
    Effect.map(read(ledgerOf(stateNamed("none"))), ({ trips }) => assert.deepStrictEqual(trips, [7])))
})

const recordedExits = [["exit 1: pay_debt USD in full, prev_key = the vault below", "USD"], [
  "exit 2: pay_debt EUR in full, lowest vault, prev_key None",
  "EUR"
]] as const

const callNamed = (name: string) => recording.calls.find((call) => call.name === name) ?? assert.fail(`no call ${name}`)

describe("leaving recorded vaults", () => {
  it("these two, a partial payment, and one with an index nobody compares are all that was recorded to succeed", () => {
    assert.deepStrictEqual(recording.calls.filter(({ ok }) => ok).map(({ name }) => name), [
      "pay_debt USD: prev_key with a wrong index",
      "partial pay_debt USD (dry): position in the list changes, new_prev_key needed",
      ...recordedExits.map(([name]) => name)
    ])
  })

  for (const [name, denomination] of recordedExits) {
    const recorded = callNamed(name)

    it.effect(`${denomination}: the recorded call, byte for byte, with its authorisation and what it moves`, () =>
      Effect.gen(function*() {
        const { exit } = yield* leave(ledgerOf(stateNamed(recorded.state)), denomination)
        assert(exit._tag === "Calls", JSON.stringify(exit, (_, value) => typeof value === "bigint" ? `${value}` : value))
        assert.strictEqual(exit.calls.length, 1)
        assert.isNull(exit.unlocksAt)
        const [call] = exit.calls
        assert.strictEqual(call.contract, recorded.contract)
        assert.strictEqual(call.function, recorded.function)
        assert.deepStrictEqual(call.args.map((arg) => arg.toXdr("base64")), recorded.args)
        const auth = (recorded.auth ?? []).map((entry) => xdr.SorobanAuthorizationEntry.fromXdr(entry, "base64"))
        assert.strictEqual(auth.length, 1)
        assert.isNull(authorizationProblem(call, user, auth))
        // The real contract's effects equal the call's declaration.
        const assets = new Map([
          [contractNamed("xlm"), native],
          ...["USDx", "EURx"].map((code) =>
            [contractNamed(code.toLowerCase()), AssetId.make(`${code}:${recording.accounts["issuer"]}`)] as const
          )
        ])
        assert.isNull(effectProblem({ call, user, changes: changesOf(recorded), assets }))
        assert.strictEqual(
          auth[0]?.rootInvocation.function.toXdr("base64"),
          xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invocationOf(call)).toXdr("base64")
        )
        const lumens = change(recorded, (data) => (data.type === "account" && isUser(data.account.accountId) ? data.account.balance : null))
        assert.deepStrictEqual(call.payouts, [{ token: contractNamed("xlm"), expected: lumens }])
        const stablecoin = change(
          recorded,
          (data) => (data.type === "trustline" && isUser(data.trustLine.accountId) ? data.trustLine.balance : null)
        )
        assert.deepStrictEqual(call.holds, [{ token: contractNamed(denomination === "USD" ? "usdx" : "eurx"), amount: -stablecoin }])
        assert.deepStrictEqual(call.recipients, [recording.accounts["treasury"] ?? assert.fail("no treasury")])
      }))
  }

  it.effect("in the first state both vaults can be left, in either order", () =>
    Effect.gen(function*() {
      for (const [name, denomination] of recordedExits) {
        const { exit } = yield* leave(ledgerOf(stateNamed("open")), denomination)
        assert(exit._tag === "Calls")
        assert.deepStrictEqual(exit.calls[0].args.map((arg) => arg.toXdr("base64")), callNamed(name).args)
      }
    }))

  it.effect("a unit too little of the stablecoin: the figures", () =>
    Effect.gen(function*() {
      const ledger = ledgerOf(stateNamed("shortOfStablecoin"))
      assert.strictEqual(balanceIn(ledger)(contractNamed("usdx")), 1_199_999_999n)
      const { exit } = yield* leave(ledger, "USD")
      assert.deepStrictEqual(exit, {
        _tag: "Refused",
        refusal: { _tag: "RepayAssetShort", token: contractNamed("usdx"), needed: 1_200_000_000n, held: 1_199_999_999n }
      })
    }))

  it.effect("a vault that was left is gone", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* leave(ledgerOf(stateNamed("usdClosed")), "USD")).exit, { _tag: "Gone" })
      assert.strictEqual((yield* leave(ledgerOf(stateNamed("usdClosed")), "EUR")).exit._tag, "Calls")
      for (const denomination of knownDenominations) {
        assert.deepStrictEqual((yield* leave(ledgerOf(stateNamed("emptied")), denomination)).exit, { _tag: "Gone" })
      }
    }))
})

const isUser = (accountId: xdr.PublicKey): boolean => xdr.ScAddress.scAddressTypeAccount(accountId).toXdr("base64") === userAddress

const userAddress = xdr.ScAddress.scAddressTypeAccount(xdr.PublicKey.fromXdr(accountXdr(), "base64")).toXdr("base64")

function accountXdr(): string {
  const account = stateNamed("open").entries.map((entry) => xdr.LedgerEntryData.fromXdr(entry.xdr, "base64")).find(({ type }) =>
    type === "account"
  )
  assert(account?.type === "account")
  return account.account.accountId.toXdr("base64")
}

/** The change of a balance by a recorded call. */
const change = (recorded: (typeof recording.calls)[number], balance: (data: xdr.LedgerEntryData) => bigint | null): bigint => {
  for (const { after, before } of recorded.stateChanges ?? []) {
    const [was, is] = [before, after].map((entry) => entry === null ? null : balance(xdr.LedgerEntry.fromXdr(entry, "base64").data))
    if (was !== null && was !== undefined && is !== null && is !== undefined) return is - was
  }
  return assert.fail("no such change")
}

describe("recorded failures", () => {
  const { problem } = protocolOf()

  const expected: Readonly<Record<string, string | null>> = {
    "pay_debt USD: prev_key None although the vault is not the lowest": "Changed",
    "pay_debt USD: prev_key is the vault above, not the one below": "Changed",
    "pay_debt USD: prev_key of the other denomination": "Changed",
    "pay_debt USD: vault_key with a wrong index": "Changed",
    "pay_debt USD: one unit above the debt": "Changed",
    "pay_debt USD: new_prev_key given on a full payment": "Changed",
    "pay_debt USD: partial payment leaving less than the minimum debt": "Changed",
    "pay_debt EUR: prev_key Some although the vault is the lowest": "Changed",
    "pay_debt: three arguments": null,
    "pay_debt: amount as i128": null,
    "pay_debt USD: balance one unit short": "Short",
    "withdraw_collateral one day after the last oracle price": "Unavailable",
    "pay_debt USD again": "Changed"
  }

  it("are each told apart by what to do next, and those of the host itself are left to its words", () => {
    const failed = recording.calls.filter(({ ok }) => !ok)
    const meaning = ({ args, contract, errorCode, function: name }: (typeof failed)[number]) => {
      const call = {
        contract: contractNamed("vaults"),
        function: name,
        args: args.map(scVal),
        payouts: [],
        holds: [],
        subCalls: [],
        recipients: []
      }
      assert.strictEqual(contract, call.contract)
      return problemIn(protocolOf(), call, `HostError: ${errorCode}\n\nEvent log`)?._tag ?? null
    }
    assert.deepStrictEqual(Object.fromEntries(failed.map((call) => [call.name, meaning(call)])), expected)
  })

  it("a stablecoin without a line, or frozen, is not a payout that cannot be received", () => {
    for (const code of [11, 13]) {
      const found = problem?.({ contract: contractNamed("vaults"), function: "pay_debt" }, code)
      assert(found?._tag === "Unavailable")
      assert.match(found.reason, /stablecoin/)
    }
    assert.isNull(problem?.({ contract: contractNamed("vaults"), function: "pay_debt" }, 999))
  })

  it.effect("and none of their calls is what is built for the same state", () =>
    Effect.gen(function*() {
      for (const call of recording.calls.filter(({ function: name, ok }) => !ok && name === "pay_debt")) {
        for (const denomination of knownDenominations) {
          const { exit } = yield* leave(ledgerOf(stateNamed(call.state)), denomination)
          if (exit._tag === "Calls") assert.notDeepEqual(exit.calls[0].args.map((arg) => arg.toXdr("base64")), call.args.slice())
        }
      }
    }))
})
