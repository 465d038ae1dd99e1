import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import type { StateChange } from "../../../../src/chain/contract-rpc/SimulationAnswer.ts"
import { tokenCallProblem } from "../../../../src/close/leaving/simulation/TokenSafety.ts"
import { addressOf, addressVal, i128, struct, symbol, u32, variant } from "../../../../src/ledger/soroban/Values.ts"
import type { ContractCall } from "../../../../src/operations/ContractCall.ts"
import { keyOf } from "../../../../src/xdr/LedgerKeys.ts"
import { agreed, changed, invocation, leave, left, moved, own, pool, stranger, token, user } from "../support/Simulating.ts"

const balance = (of: string, before: bigint, after: bigint): StateChange =>
  changed(token, variant("Balance", addressVal(addressOf(of))), i128(before), i128(after))

const spender = addressVal(addressOf(pool))

/** An allowance of someone to someone; null: there is none. */
const allowanceOf = (from: xdr.ScVal, to: string, before: bigint | null, after: bigint | null): StateChange => {
  const value = (amount: bigint) => struct({ amount: i128(amount), live_until_ledger: u32(99) })
  const key = variant("Allowance", struct({ from, spender: addressVal(addressOf(to)) }))
  return changed(token, key, before === null ? null : value(before), after === null ? null : value(after))
}

const allowance = (after: bigint): StateChange => allowanceOf(own, pool, 5n, after)

/** The account's own entry, and with another flag. */
const account = (lumens: bigint, flags = 0): xdr.LedgerEntry => {
  const entry = moved(user, lumens, lumens).after!
  if (entry.data.type === "account") Object.assign(entry.data.account, { flags })
  return entry
}

const change = (before: xdr.LedgerEntry, after: xdr.LedgerEntry): StateChange => ({ key: keyOf(after), before, after })

const sending: ContractCall = {
  ...leave,
  contract: token,
  function: "transfer",
  args: [own, addressVal(addressOf(stranger)), i128(5n)],
  holds: [{ token, amount: 5n }],
  recipients: [stranger]
}

const revoking: ContractCall = {
  ...leave,
  contract: token,
  function: "approve",
  args: [own, addressVal(addressOf(pool)), i128(0n), u32(0)]
}

const sent = [balance(user, 5n, 0n), balance(stranger, 0n, 5n)]

const problemOf = (
  call: ContractCall,
  changes: ReadonlyArray<StateChange>,
  auth: ReadonlyArray<xdr.SorobanAuthorizationEntry> = [agreed(invocation(call))],
  ownBooks = false
) => tokenCallProblem({ call, user, token, assets: new Map(), ownBooks }, { auth: [...auth], changes: [...changes] })

describe("a call of a token whose code is not known", () => {
  it("is made where it moves exactly its amount, or ends exactly its allowance", () => {
    assert.isNull(problemOf(sending, sent))
    assert.isNull(problemOf(revoking, [allowance(0n)]))
  })

  it("is refused where the account's authorisation is not asked for: anybody could make it", () => {
    for (const [call, changes] of [[sending, sent], [revoking, [allowance(0n)]]] as const) {
      assert.match(problemOf(call, changes, []) ?? "", /requires no authorisation/)
    }
  })

  it("is refused where it also changes what another contract keeps of the account", () => {
    for (const [call, changes] of [[sending, sent], [revoking, [allowance(0n)]]] as const) {
      const elsewhere = changed(pool, variant("Balance", own), i128(5n), i128(4n))
      for (const other of [left, elsewhere]) {
        assert.strictEqual(problemOf(call, [...changes, other]), `it would change the allowance of ${pool}`)
      }
    }
  })

  it("is refused as a revocation where it changes what the account holds, up or down, or leaves a part of the allowance", () => {
    for (const after of [4n, 6n]) {
      assert.match(problemOf(revoking, [allowance(0n), balance(user, 5n, after)]) ?? "", /change the account's balance of the token/)
    }
    assert.match(problemOf(revoking, [allowance(1n)]) ?? "", /not change the allowance/)
  })

  it("is refused as a transfer that takes another amount, or of which less arrives", () => {
    for (const after of [1n, -1n]) {
      const problem = problemOf(sending, [balance(user, 5n, after), balance(stranger, 0n, 5n)])
      assert.strictEqual(problem, `it would take ${5n - after} base units from the account to transfer 5`)
    }
    for (const arrives of [4n, 6n]) {
      const problem = problemOf(sending, [balance(user, 5n, 0n), balance(stranger, 0n, arrives)])
      assert.strictEqual(problem, `${arrives} of the 5 base units would reach ${stranger}`)
    }
    assert.match(problemOf(sending, [balance(stranger, 0n, 5n)]) ?? "", /it would take 0 base units/)
    assert.match(problemOf(sending, [balance(user, 5n, 0n)]) ?? "", /0 of the 5 base units/)
  })

  it("is refused where it shows nothing, or changes anything else of the account's", () => {
    const others: ReadonlyArray<readonly [StateChange, RegExp]> = [
      [change(account(1n), account(1n, 9)), /it would change the account itself \(account\)/],
      [moved(user, 2n, 1n), /it would move native of the account/],
      [allowanceOf(own, pool, 1n, 2n), new RegExp(`it would leave ${pool} an allowance of ${token}`)]
    ]
    for (const [call, changes] of [[sending, sent], [revoking, [allowance(0n)]]] as const) {
      assert.strictEqual(problemOf(call, []), "its simulation does not show what it would change")
      for (const [other, problem] of others) assert.match(problemOf(call, [...changes, other]) ?? "", problem)
      assert.isNull(problemOf(call, [...changes, moved(stranger, 2n, 1n), moved(user, 1n, 1n)]))
    }
  })

  it("is refused as a revocation of an allowance of others, of one that was none, and of one that cannot be read", () => {
    const unchanged = /not change the allowance/
    assert.isNull(problemOf(revoking, [allowanceOf(own, pool, 5n, null)]))
    assert.match(problemOf(revoking, [allowanceOf(own, stranger, 5n, null)]) ?? "", unchanged)
    assert.match(problemOf(revoking, [allowanceOf(addressVal(addressOf(stranger)), pool, 5n, null)]) ?? "", unchanged)
    assert.match(problemOf(revoking, [allowanceOf(own, pool, null, 0n)]) ?? "", unchanged)
    const elsewhere = changed(pool, variant("Allowance", struct({ from: own, spender })), i128(5n), null)
    assert.match(problemOf(revoking, [elsewhere]) ?? "", unchanged)
    const odd = changed(token, variant("Allowance", struct({ from: own, spender })), i128(5n), u32(0))
    assert.isNotNull(problemOf(revoking, [odd]))
  })
})

describe("a call of a token that keeps books of its own", () => {
  const booked = (call: ContractCall, ...changes: ReadonlyArray<StateChange>) => problemOf(call, changes, undefined, true)
  const book = changed(token, symbol("Book"), i128(1n), i128(2n))
  const account = moved(stranger, 2n, 1n)

  it("is made where it changes them", () => {
    assert.isNull(booked(sending, account, book))
    assert.isNull(booked(revoking, account, book))
  })

  it("is refused where it changes nothing of the token", () => {
    const foreign = changed(pool, symbol("Book"), i128(1n), i128(2n))
    assert.strictEqual(booked(sending, account, foreign), "it would not move anything")
    assert.strictEqual(booked(revoking, account, foreign), "it would not change the allowance")
  })

  it("is judged by balances of the usual form where it moves such", () => {
    assert.isNull(booked(sending, ...sent))
    assert.match(booked(sending, balance(user, 5n, 1n), balance(stranger, 0n, 5n)) ?? "", /it would take 4 base units/)
    assert.match(booked(sending, book, balance(stranger, 0n, 5n)) ?? "", /it would take 0 base units/)
  })
})

describe("a call of a protocol that converts such a token", () => {
  it("changes nothing about the account in another contract than the token", () => {
    const gone = changed(pool, variant("Stake", addressVal(addressOf(stranger))), i128(1n), null)
    assert.isNull(problemOf(leave, [gone, changed(token, variant("Book", own), i128(1n), i128(2n))], []))
    assert.strictEqual(problemOf(leave, [gone, left], []), `it would change the allowance of ${pool}`)
    assert.match(problemOf(leave, [gone, moved(stranger, 1n, 2n)], []) ?? "", /it would pay native/)
  })
})
