import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Draft } from "../../src/ledger/Draft.ts"
import { FrozenKeys } from "../../src/ledger/Frozen.ts"
import { defineOperation } from "../../src/ledger/Operation.ts"
import { operationRules } from "../../src/ledger/Operations.ts"
import { bump, pay, xlm } from "./support/Bodies.ts"
import { idOf, World } from "./support/World.ts"

const world = new World()
const source = idOf(world.account())
const context = { source, soroban: undefined }
const noneFrozen = FrozenKeys.of(Draft.of(world.state))

describe("the rules of operations", () => {
  it("stop at a body of another kind, which no transaction has", () => {
    assert.throws(() => operationRules.payment.check(bump(1n), context), "not a payment operation")
  })

  it("stop at a result that the kind has no code for", () => {
    const odd = defineOperation<"bumpSequence">({
      kind: "bumpSequence",
      codes: { bumpSequenceSuccess: xdr.BumpSequenceResult.bumpSequenceSuccess } as never,
      threshold: "low",
      check: () => "badSeq",
      apply: () => "success"
    })
    assert.throws(() => odd.check(bump(1n), context), "no result code badSeq of bumpSequence")
  })

  it("of inflation ask for the low threshold, look at no frozen key, and support no ledger", () => {
    const { apply, check, isSupported, threshold, touchesFrozen } = operationRules.inflation
    const body = xdr.OperationBody.inflation()
    assert.strictEqual(threshold(body), "low")
    assert.isFalse(isSupported(world.header))
    assert.strictEqual(check(body, context)?.type, "opNotSupported")
    const draft = Draft.of(world.state)
    const applied = apply(body, {
      ...context,
      draft,
      header: world.header,
      frozen: noneFrozen,
      transactionSource: source,
      transactionSequence: 1n,
      index: 0,
      highestSequence: () => undefined
    })
    assert.strictEqual(applied.type, "opNotSupported")
    assert.isFalse(touchesFrozen(body, context, noneFrozen))
    assert.isFalse(touchesFrozen(pay(world.account(), xlm, 1n), context, noneFrozen))
  })
})
