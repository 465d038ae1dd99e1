import type { xdr } from "@stellar/stellar-sdk"
import { comesBefore } from "./BookOrder.ts"

/** An offer as the ledger stores it. */
export interface BookedOffer {
  readonly entry: xdr.LedgerEntry
  readonly offer: xdr.OfferEntry
}

/**
 * The offers of a pair of assets, best first. Immutable, its versions share storage: a weight-balanced tree (Adams, 1993,
 * with the bounds of Hirai and Yamamoto, 2011), so to add, remove or find an offer takes the logarithm of their number.
 */
export class OfferBook implements Iterable<BookedOffer> {
  static readonly empty = new OfferBook(undefined)

  private readonly root: Tree

  private constructor(root: Tree) {
    this.root = root
  }

  get size(): number {
    return sizeOf(this.root)
  }

  /** The offer that so many others come before. */
  at(index: number): BookedOffer | undefined {
    let node = this.root
    let before = index
    while (node !== undefined) {
      const left = sizeOf(node.left)
      if (before === left) return node.item
      if (before < left) node = node.left
      else {
        before -= left + 1
        node = node.right
      }
    }
    return undefined
  }

  *[Symbol.iterator](): IterableIterator<BookedOffer> {
    const open: Array<Node> = []
    for (let node = this.root; node !== undefined || open.length > 0;) {
      for (; node !== undefined; node = node.left) open.push(node)
      const next = open.pop()
      if (next !== undefined) yield next.item
      node = next?.right
    }
  }

  /** The book with an offer it does not have. */
  plus(item: BookedOffer): OfferBook {
    return new OfferBook(inserted(this.root, item))
  }

  /** The book without the offer of this price and id. */
  minus({ offer }: BookedOffer): OfferBook {
    return new OfferBook(removed(this.root, offer))
  }
}

interface Node {
  readonly left: Tree
  readonly item: BookedOffer
  readonly right: Tree
  /** How many offers are in it. */
  readonly size: number
}

type Tree = Node | undefined

const sizeOf = (tree: Tree): number => tree?.size ?? 0

const joined = (left: Tree, item: BookedOffer, right: Tree): Node => ({ left, item, right, size: sizeOf(left) + 1 + sizeOf(right) })

/** Neither side outweighs the other more than so many times. */
const heaviest = 3
/** From this ratio of the inner to the outer part of a side that is too heavy, the inner part is split. */
const innermost = 2

const weightOf = (tree: Tree): number => sizeOf(tree) + 1

/** One tree of two that were balanced until one offer came or went. */
const balanced = (left: Tree, item: BookedOffer, right: Tree): Node => {
  if (right !== undefined && weightOf(right) > heaviest * weightOf(left)) {
    const inner = right.left
    return inner === undefined || weightOf(inner) < innermost * weightOf(right.right)
      ? joined(joined(left, item, inner), right.item, right.right)
      : joined(joined(left, item, inner.left), inner.item, joined(inner.right, right.item, right.right))
  }
  if (left !== undefined && weightOf(left) > heaviest * weightOf(right)) {
    const inner = left.right
    return inner === undefined || weightOf(inner) < innermost * weightOf(left.left)
      ? joined(left.left, left.item, joined(inner, item, right))
      : joined(joined(left.left, left.item, inner.left), inner.item, joined(inner.right, item, right))
  }
  return joined(left, item, right)
}

const inserted = (tree: Tree, item: BookedOffer): Node => {
  if (tree === undefined) return joined(undefined, item, undefined)
  return comesBefore(item.offer, tree.item.offer)
    ? balanced(inserted(tree.left, item), tree.item, tree.right)
    : balanced(tree.left, tree.item, inserted(tree.right, item))
}

const removed = (tree: Tree, offer: xdr.OfferEntry): Tree => {
  if (tree === undefined) return undefined
  if (comesBefore(offer, tree.item.offer)) return balanced(removed(tree.left, offer), tree.item, tree.right)
  if (comesBefore(tree.item.offer, offer)) return balanced(tree.left, tree.item, removed(tree.right, offer))
  if (tree.right === undefined) return tree.left
  const next = firstOf(tree.right)
  return balanced(tree.left, next, removed(tree.right, next.offer))
}

const firstOf = ({ item, left }: Node): BookedOffer => (left === undefined ? item : firstOf(left))
