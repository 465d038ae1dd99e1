import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { tree } from "./support/Agreements.ts"
import {
  a,
  addressed,
  b,
  c,
  d,
  framesIn,
  header,
  move,
  noncesOf,
  ok,
  other,
  pay,
  source,
  start,
  take,
  wallet
} from "./support/AuthorizationFrames.ts"
import { contractAt } from "./support/Entries.ts"
import { belowRoot } from "./support/HostErrors.ts"

describe("a recording", () => {
  const longest = header.ledgerSeq + 5_000
  const recording = (allowNonRoot = true) => {
    let nonce = 0n
    const parts = framesIn({ _tag: "Recording", allowNonRoot, nonce: () => ++nonce, maxLiveUntil: longest })
    const shapeOf = ({ function: fn, subInvocations }: xdr.SorobanAuthorizedInvocation): ReadonlyArray<unknown> => [
      fn.type === "sorobanAuthorizedFunctionTypeContractFn" ? String(fn.contractFn.functionName) : fn.type,
      ...subInvocations.map(shapeOf)
    ]
    return { ...parts, shapes: () => parts.authorization.recorded(false).map(({ rootInvocation }) => shapeOf(rootInvocation)) }
  }
  /** The same address as another value. */
  const again = contractAt(8)
  const twice = "HostError: Error(Auth, ExistingValue): frame is already authorized"

  it("makes entries for the source and for others, who use up a nonce and have to sign", () => {
    const { ask, authorization, enter, storage, usedNonces } = recording()
    enter(a)
    assert.deepStrictEqual([ask(wallet, start), ask(source, start), ask(again, pay)], [ok, ok, ok])
    const { sorobanCredentialsAddress, sorobanCredentialsAddressV2, sorobanCredentialsSourceAccount } = xdr.SorobanCredentials
    for (const [coversAddress, make] of [[false, sorobanCredentialsAddress], [true, sorobanCredentialsAddressV2]] as const) {
      assert.deepStrictEqual(
        authorization.recorded(coversAddress).map((each) => each.toJson()),
        ([[make(addressed(wallet, 1n, 0)), start], [sorobanCredentialsSourceAccount(), start], [
          make(addressed(wallet, 2n, 0)),
          pay
        ]] as const)
          .map(([credentials, fn]) => new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation: tree(fn) }).toJson())
      )
    }
    assert.deepStrictEqual(authorization.signers(), [wallet, again])
    assert.deepStrictEqual(usedNonces(), noncesOf(1n, 2n))
    assert.deepStrictEqual(storage.final().map(({ living }) => living?.liveUntil), [longest, longest])
  })

  it("refuses an address twice in one call, unless it comes as another value", () => {
    const { ask, enter, shapes } = recording()
    enter(a)
    assert.deepStrictEqual([ask(wallet, start), ask(wallet, start), ask(again, start)], [ok, twice, ok])
    enter(b)
    assert.deepStrictEqual([ask(again, pay), ask(again, pay)], [ok, twice])
    assert.deepStrictEqual(shapes(), [["start"], ["start", ["pay"]]])
    assert.deepStrictEqual([ask(wallet, pay), shapes()], [ok, [["start", ["pay"]], ["start", ["pay"]]]])
  })

  it("puts calls further down under those of the same address alone", () => {
    const { ask, enter, leave, shapes } = recording()
    enter(a)
    assert.strictEqual(ask(wallet, start), ok)
    enter(b)
    assert.deepStrictEqual([ask(other, pay), ask(again, pay)], [ok, ok])
    leave()
    enter(c)
    assert.deepStrictEqual([ask(contractAt(9), move), ask(again, move)], [ok, ok])
    assert.deepStrictEqual(shapes(), [["start", ["pay"], ["move"]], ["pay"], ["move"]])
  })

  it("begins anew once the first call of an address is over", () => {
    const { ask, enter, leave, shapes } = recording()
    enter(a)
    for (const [address, contract, fn] of [[wallet, b, pay], [wallet, c, move], [again, d, take]] as const) {
      enter(contract)
      assert.strictEqual(ask(address, fn), ok)
      leave()
    }
    assert.deepStrictEqual(shapes(), [["pay"], ["move"], ["take"]])
  })

  it("begins in the outermost call, or further down where that is allowed", () => {
    for (const [allowNonRoot, below] of [[false, belowRoot], [true, ok]] as const) {
      const { ask, enter, shapes } = recording(allowNonRoot)
      enter(a)
      assert.strictEqual(ask(wallet, start), ok)
      enter(b)
      assert.deepStrictEqual([ask(other, pay), ask(wallet, pay)], [below, ok])
      assert.deepStrictEqual(shapes(), [["start", ["pay"]], ...(allowNonRoot ? [["pay"]] : [])])
    }
  })

  it("asks nothing of a contract that agrees by calling", () => {
    const { ask, authorization, enter } = recording(false)
    enter(a, b)
    assert.deepStrictEqual([ask(a, pay), authorization.recorded(false), authorization.signers()], [ok, [], []])
  })

  it("drops what it found in a call that failed, and nothing else", () => {
    const { ask, authorization, enter, failIn, leave, shapes } = recording()
    enter(a)
    assert.strictEqual(ask(wallet, start), ok)
    failIn(b, () => {
      assert.deepStrictEqual([ask(wallet, pay), ask(other, pay)], [ok, ok])
      assert.deepStrictEqual(shapes(), [["start", ["pay"]], ["pay"]])
    })
    assert.deepStrictEqual([shapes(), authorization.signers()], [[["start"]], [wallet]])
    assert.strictEqual(ask(wallet, start), twice)
    enter(c)
    assert.deepStrictEqual([ask(wallet, move), ask(other, move)], [ok, ok])
    leave()
    assert.deepStrictEqual(shapes(), [["start", ["move"]], ["move"]])
  })
})
