import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import {
  archivedIndexes,
  declaredResources,
  diskReads,
  envelopeSize,
  isRestore,
  sorobanDataOf
} from "../../../src/ledger/soroban/Resources.ts"
import { keyOfAccount, keyOfCode } from "../../../src/xdr/LedgerKeys.ts"
import { bump, extend, restore } from "../support/Bodies.ts"
import { idOf, World } from "../support/World.ts"
import { ample, withResources } from "./support/ContractWorld.ts"
import { keyNamed } from "./support/Entries.ts"
import { transactionOf } from "./support/Operations.ts"

const world = new World()
const [pair, other] = [world.account(), world.account()]
const code = keyOfCode(new Uint8Array(32))
const [stored, lent] = [keyNamed("a"), keyNamed("a", "temporary")]

const data = ample([keyOfAccount(idOf(pair)), code], [stored, keyOfAccount(idOf(other)), lent])
const restored = withResources(data, { archived: [0, 2], instructions: 11, diskReadBytes: 12, writeBytes: 13 })

const transaction = (bodies: ReadonlyArray<xdr.OperationBody>, ext: xdr.TransactionExt) => transactionOf(pair, bodies, ext)

const plain = xdr.TransactionExt.v0()

describe("declared resources", () => {
  it("are what a transaction carries, if it does", () => {
    assert.strictEqual(sorobanDataOf(transaction([restore], xdr.TransactionExt.sorobanData(data))), data)
    assert.isUndefined(sorobanDataOf(transaction([bump(1n)], plain)))
  })

  it("name the archived entries, if there are any", () => {
    assert.deepStrictEqual([archivedIndexes(data), archivedIndexes(restored)], [[], [0, 2]])
  })

  it("read classic entries and archived ones from disk; a restore reads all it writes", () => {
    assert.deepStrictEqual([diskReads(data, false), diskReads(restored, false)], [2, 4])
    assert.deepStrictEqual([diskReads(data, true), diskReads(restored, true)], [3, 3])
    assert.deepStrictEqual([diskReads(ample([code], [stored]), false), diskReads(ample([code], []), true)], [0, 0])
  })

  it("are counted for the fee", () => {
    const counted = { instructions: 11, diskReadBytes: 12, writeBytes: 13, writeEntries: 3, transactionSize: 14 }
    assert.deepStrictEqual(declaredResources(restored, false, 14), { ...counted, diskReadEntries: 4 })
    assert.deepStrictEqual(declaredResources(restored, true, 14), { ...counted, diskReadEntries: 3 })
  })
})

describe("a transaction", () => {
  it("restores where its first operation does", () => {
    const operations = [[restore], [restore, extend(1)], [extend(1), restore], [extend(1)], []]
    assert.deepStrictEqual(operations.map((bodies) => isRestore(transaction(bodies, plain))), [true, true, false, false, false])
  })

  it("is as large as its envelope, each signature included", () => {
    const tx = transaction([bump(1n)], plain)
    const signature = new xdr.DecoratedSignature({ hint: new Uint8Array(4), signature: new Uint8Array(64) })
    const sizes = [[], [signature], [signature, signature]].map((signatures) => envelopeSize(tx, signatures))
    // Four bytes of the envelope's type, four of the number of signatures.
    const bare = 4 + tx.toXdr().length + 4
    assert.deepStrictEqual(sizes, [bare, bare + 72, bare + 144])
  })
})
