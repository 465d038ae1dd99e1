import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { InvocationTree } from "../../../src/ledger/soroban/InvocationTree.ts"
import { callOf, tree } from "./support/Agreements.ts"
import { contract } from "./support/Entries.ts"
import { refusalOf } from "./support/HostErrors.ts"

/** The call of a function, by its name. */
const call = (functionName: string) => callOf(contract, functionName)

/** A call agreed to, with the calls below it. */
const agreed = (name: string, ...below: ReadonlyArray<xdr.SorobanAuthorizedInvocation>) => tree(call(name), ...below)

const treeOf = (...agreement: Parameters<typeof agreed>): InvocationTree => InvocationTree.of(agreed(...agreement))

/** Enters a frame that asks for agreement to a call. */
const enter = (tree: InvocationTree, name: string, allowRoot = true): boolean => {
  tree.push()
  return tree.match(call(name), allowRoot)
}

/** The same, in a frame that ends at once. */
const visit = (tree: InvocationTree, name: string): boolean => {
  const matched = enter(tree, name)
  tree.pop()
  return matched
}

const record = (tree: InvocationTree, name: string): void => {
  tree.push()
  tree.record(call(name))
}

const jsonOf = (tree: InvocationTree): unknown => tree.toXdr().toJson()

/** What can be seen of a tree: empty, active, its frame matched, any frame matched. */
const stateOf = (tree: InvocationTree) => [tree.isEmpty, tree.isActive, tree.isFrameMatched, tree.hasMatch]

/** A tree whose root is matched in the current frame is active while that runs, with another one above it and without. */
const endMatchedFrame = (tree: InvocationTree): void => {
  assert.deepStrictEqual(stateOf(tree), [false, true, true, true])
  tree.push()
  assert.deepStrictEqual(stateOf(tree), [false, true, false, true])
  tree.pop()
  assert.deepStrictEqual(stateOf(tree), [false, true, true, true])
  tree.pop()
}

describe("a tree of calls agreed to", () => {
  it("is written in the form in which it was read", () => {
    for (const tree of [agreed("root"), agreed("root", agreed("a", agreed("b"), agreed("c")), agreed("d"))]) {
      assert.deepStrictEqual(jsonOf(InvocationTree.of(tree)), tree.toJson())
    }
  })

  it("begins with no frame, and is active from its root's match to the end of that frame", () => {
    const tree = treeOf("root")
    assert.deepStrictEqual(stateOf(tree), [true, false, false, false])
    tree.push()
    assert.deepStrictEqual(stateOf(tree), [false, false, false, false])
    assert.isTrue(tree.match(call("root"), true))
    endMatchedFrame(tree)
    assert.deepStrictEqual(stateOf(tree), [true, false, false, false])
  })

  it("stays active just as long when its root is matched below the first frame", () => {
    const tree = treeOf("root")
    tree.push()
    assert.isTrue(enter(tree, "root"))
    endMatchedFrame(tree)
    assert.deepStrictEqual(stateOf(tree), [false, false, false, false])
  })

  it("agrees to its root where that is allowed, and to no other call", () => {
    const tree = treeOf("root", agreed("a"))
    tree.push()
    assert.isFalse(tree.match(call("root"), false))
    assert.isFalse(tree.match(call("a"), true))
    assert.deepStrictEqual(stateOf(tree), [false, false, false, false])
    assert.isTrue(tree.match(call("root"), true))
  })

  it("agrees to its root once", () => {
    const tree = treeOf("root")
    assert.deepStrictEqual([visit(tree, "root"), visit(tree, "root")], [true, false])
  })

  it("agrees to nothing more in a frame that is matched", () => {
    const tree = treeOf("root", agreed("a"))
    assert.isTrue(enter(tree, "root"))
    assert.isFalse(tree.match(call("a"), true))
    assert.isTrue(enter(tree, "a"), "the call is still good in a frame of its own")
  })

  it("agrees to what is below the root in any order, each as often as it is there", () => {
    const tree = treeOf("root", agreed("a"), agreed("b"), agreed("a"))
    enter(tree, "root")
    assert.deepStrictEqual(["b", "a", "c", "a", "b", "a"].map((name) => visit(tree, name)), [true, true, false, true, false, false])
  })

  it("agrees to what is below its root even where a root may not be matched", () => {
    const tree = treeOf("root", agreed("a"))
    enter(tree, "root")
    assert.isTrue(enter(tree, "a", false))
    assert.deepStrictEqual(stateOf(tree), [false, true, true, true])
  })

  it("agrees to what is below the call matched last, whatever frames lie between", () => {
    const tree = treeOf("root", agreed("a", agreed("wrong")), agreed("b", agreed("c", agreed("d"))))
    tree.push()
    assert.isTrue(enter(tree, "root"))
    tree.push()
    assert.isTrue(enter(tree, "b"))
    assert.isFalse(enter(tree, "wrong"))
    assert.isFalse(enter(tree, "a"))
    assert.isTrue(enter(tree, "c"))
    assert.isFalse(enter(tree, "b"))
    assert.isTrue(enter(tree, "d"))
  })

  it("agrees to what is below the one above again once a call is over", () => {
    const tree = treeOf("root", agreed("a", agreed("b")), agreed("c"))
    enter(tree, "root")
    enter(tree, "a")
    assert.isFalse(visit(tree, "c"))
    tree.pop()
    assert.isFalse(visit(tree, "b"))
    assert.isTrue(visit(tree, "c"))
  })
})

describe("what was used of a tree", () => {
  const agreement: Parameters<typeof agreed> = ["root", agreed("a", agreed("b")), agreed("c"), agreed("d")]

  it("is unused again from a snapshot on, and stays used before it", () => {
    const tree = treeOf(...agreement)
    enter(tree, "root")
    assert.isTrue(visit(tree, "c"))
    enter(tree, "a")
    const undo = tree.snapshot()
    assert.deepStrictEqual([visit(tree, "b"), visit(tree, "b")], [true, false])
    tree.pop()
    assert.isTrue(visit(tree, "d"))
    undo()
    assert.deepStrictEqual(["c", "a", "d", "d"].map((name) => visit(tree, name)), [false, false, true, false])
    assert.deepStrictEqual(stateOf(tree), [false, true, true, true])
  })

  it("may be undone more than once", () => {
    const tree = treeOf(...agreement)
    enter(tree, "root")
    const undo = tree.snapshot()
    for (const _ of [1, 2]) {
      enter(tree, "a")
      assert.deepStrictEqual([visit(tree, "b"), visit(tree, "b")], [true, false])
      tree.pop()
      undo()
    }
  })

  it("leaves the root's frame matched when undone, and the root free for another frame", () => {
    const tree = treeOf("root")
    tree.push()
    const undo = tree.snapshot()
    assert.isTrue(tree.match(call("root"), true))
    undo()
    assert.deepStrictEqual(stateOf(tree), [false, false, true, true])
    tree.pop()
    assert.isTrue(enter(tree, "root"))
    assert.deepStrictEqual(stateOf(tree), [false, true, true, true])
  })

  it("begins anew where the frame of the root is over as well", () => {
    const tree = treeOf("root")
    tree.push()
    const undo = tree.snapshot()
    assert.isTrue(visit(tree, "root"))
    undo()
    assert.isTrue(enter(tree, "root"))
    assert.isTrue(tree.isActive)
  })

  it("does not make a tree active again whose root stays used", () => {
    const tree = treeOf("root")
    enter(tree, "root")
    const undo = tree.snapshot()
    tree.pop()
    undo()
    assert.isFalse(tree.isActive)
  })
})

describe("a recorded tree", () => {
  it("begins with its root used, in the frame at a given depth", () => {
    const tree = InvocationTree.recorded(call("root"), 2)
    assert.deepStrictEqual(jsonOf(tree), agreed("root").toJson())
    assert.deepStrictEqual(stateOf(tree), [false, true, true, true])
    tree.push()
    tree.pop()
    assert.deepStrictEqual(stateOf(tree), [false, true, true, true])
    tree.pop()
    assert.deepStrictEqual(stateOf(tree), [false, false, false, false])
    tree.pop()
    assert.deepStrictEqual(stateOf(tree), [true, false, false, false])
  })

  it("grows by the calls below the one matched last", () => {
    const tree = InvocationTree.recorded(call("root"), 2)
    record(tree, "a")
    assert.deepStrictEqual(stateOf(tree), [false, true, true, true])
    tree.pop()
    tree.push()
    record(tree, "b")
    record(tree, "c")
    tree.pop()
    record(tree, "d")
    record(tree, "e")
    const grown = agreed("root", agreed("a"), agreed("b", agreed("c"), agreed("d", agreed("e"))))
    assert.deepStrictEqual(jsonOf(tree), grown.toJson())
  })

  it("counts its calls as used", () => {
    const tree = InvocationTree.recorded(call("root"), 1)
    record(tree, "a")
    tree.pop()
    assert.isFalse(visit(tree, "a"))
  })

  it("takes one call of a frame, and none outside of its root", () => {
    const tree = InvocationTree.recorded(call("root"), 1)
    assert.strictEqual(
      refusalOf(() => tree.record(call("a"))),
      "HostError: Error(Auth, ExistingValue): frame is already authorized"
    )
    tree.pop()
    assert.strictEqual(
      refusalOf(() => record(tree, "a")),
      "HostError: Error(Auth, InternalError): unexpected missing authorized invocation"
    )
    assert.deepStrictEqual(jsonOf(tree), agreed("root").toJson())
  })
})

describe("a copy of a tree", () => {
  it("goes on by itself from where the tree was", () => {
    const tree = InvocationTree.recorded(call("root"), 1)
    record(tree, "a")
    const copy = tree.copy()
    assert.deepStrictEqual(stateOf(copy), [false, true, true, true])
    record(copy, "b")
    assert.deepStrictEqual(jsonOf(copy), agreed("root", agreed("a", agreed("b"))).toJson())
    assert.deepStrictEqual(jsonOf(tree), agreed("root", agreed("a")).toJson())
    for (const _ of [1, 2, 3]) copy.pop()
    assert.deepStrictEqual([stateOf(copy), stateOf(tree)], [[true, false, false, false], [false, true, true, true]])
  })

  it("uses up calls of its own", () => {
    const tree = treeOf("root", agreed("a"))
    const copy = tree.copy()
    assert.deepStrictEqual([enter(copy, "root"), enter(copy, "a")], [true, true])
    assert.deepStrictEqual(stateOf(tree), [true, false, false, false])
    assert.deepStrictEqual([enter(tree, "root"), enter(tree, "a")], [true, true])
  })

  it("is not active where the tree is over", () => {
    const tree = treeOf("root")
    assert.isTrue(visit(tree, "root"))
    assert.isFalse(tree.copy().isActive)
  })
})
