import { textMemo } from "../fibers/TextMemo.ts"

/**
 * A 32-bit hash that depends on every UTF-16 unit of a text. FNV-1a over the units; the high bits are then folded into the low ones. Names
 * of entries have a hundred units or more and recur often, so recent hashes are cached.
 */
export const textHash = textMemo(16_384, (text): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 16)
})

/**
 * An immutable map whose versions share storage: a hash trie of 32 ways (Bagwell, "Ideal Hash Trees", 2001). To read
 * or to change an entry takes the branches on its path, about log32 of the size; all others belong to both versions.
 * Entries that are put together copy each branch once.
 * Values are listed by the hashes of their keys, then by keys: the same entries give the same order, however they came.
 */
export class PersistentMap<Value extends {}> {
  /** `hashOf`: 32 bits of a key, the same for the same key. Keys that share a hash are kept, but told apart one by one. */
  static empty<Value extends {}>(hashOf: (key: string) => number = textHash): PersistentMap<Value> {
    return new PersistentMap<Value>(hashOf, undefined, 0)
  }

  readonly size: number
  private readonly hashOf: (key: string) => number
  private readonly root: Node<Value> | undefined

  private constructor(hashOf: (key: string) => number, root: Node<Value> | undefined, size: number) {
    this.hashOf = hashOf
    this.root = root
    this.size = size
  }

  get(key: string): Value | undefined {
    return find(this.root, this.hashOf(key), key)
  }

  values(): ReadonlyArray<Value> {
    const found: Array<Value> = []
    eachLeaf(this.root, ({ value }) => void found.push(value))
    return found
  }

  /** What this map has under the keys of another of the same hash, in the order of that one. */
  under(keys: PersistentMap<{}>): ReadonlyArray<Value> {
    const found: Array<Value> = []
    eachLeaf(keys.root, ({ hash, key }) => {
      const value = find(this.root, hash, key)
      if (value !== undefined) found.push(value)
    })
    return found
  }

  /** A map with the changes applied in order; undefined removes a key. */
  with(changes: Iterable<readonly [string, Value | undefined]>): PersistentMap<Value> {
    let { root, size } = this
    const owner: Owner = {}
    for (const [key, value] of changes) {
      const hash = this.hashOf(key)
      const known = find(root, hash, key)
      if (known === value) continue
      size += Number(value !== undefined) - Number(known !== undefined)
      root = value === undefined
        ? without(root, 0, { hash, key }, owner)
        : put(root, 0, { _tag: "Leaf", hash, key, value, next: undefined }, owner)
    }
    return root === this.root ? this : new PersistentMap(this.hashOf, root, size)
  }
}

/** An entry, and after it those whose keys have the same hash, by key. */
interface Leaf<Value> {
  readonly _tag: "Leaf"
  readonly hash: number
  readonly key: string
  readonly value: Value
  readonly next: Chain<Value>
}

type Chain<Value> = Leaf<Value> | undefined

/** Some changes that are made together: what they made may be changed in place until they are done, for no one else has it yet. */
interface Owner {}

/** What lies under each digit of a hash; the branches below go by the next higher digit. */
interface Branch<Value> {
  readonly _tag: "Branch"
  /** The changes that made it. */
  readonly owner: Owner
  /** A bit for each digit that something lies under. */
  present: number
  /** One node for each of these bits, from the lowest. */
  readonly nodes: Array<Node<Value>>
}

type Node<Value> = Leaf<Value> | Branch<Value>

const digitBits = 5

/** The bit for the digit of a hash that begins `shift` bits up. */
const bitAt = (hash: number, shift: number): number => 1 << ((hash >>> shift) & 31)

/** Where the node of a bit is, or belongs, among the nodes of a branch. */
const placeOf = (present: number, bit: number): number => countBits(present & (bit - 1))

const countBits = (bits: number): number => {
  const twos = bits - ((bits >>> 1) & 0x55555555)
  const fours = (twos & 0x33333333) + ((twos >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

const eachLeaf = <Value>(root: Node<Value> | undefined, seen: (leaf: Leaf<Value>) => void): void => {
  if (root?._tag === "Branch") { for (const node of root.nodes) eachLeaf(node, seen) }
  else for (let leaf: Chain<Value> = root; leaf !== undefined; leaf = leaf.next) seen(leaf)
}

const find = <Value>(root: Node<Value> | undefined, hash: number, key: string): Value | undefined => {
  let node = root
  for (let shift = 0; node?._tag === "Branch"; shift += digitBits) {
    const bit = bitAt(hash, shift)
    node = (node.present & bit) === 0 ? undefined : node.nodes[placeOf(node.present, bit)]
  }
  for (let leaf: Chain<Value> = node; leaf !== undefined; leaf = leaf.next) if (leaf.key === key) return leaf.value
  return undefined
}

/** A branch that some changes may change in place, in the place of a node. */
const owned = <Value>(node: Node<Value>, shift: number, owner: Owner): Branch<Value> => {
  if (node._tag === "Leaf") return { _tag: "Branch", owner, present: bitAt(node.hash, shift), nodes: [node] }
  return node.owner === owner ? node : { ...node, owner, nodes: node.nodes.slice() }
}

/** The node with an entry, which stands alone yet, added or put in the place of the one under its key. */
const put = <Value>(node: Node<Value> | undefined, shift: number, entry: Leaf<Value>, owner: Owner): Node<Value> => {
  if (node === undefined) return entry
  if (node._tag === "Leaf" && node.hash === entry.hash) return linked(node, entry)
  const branch = owned(node, shift, owner)
  const bit = bitAt(entry.hash, shift)
  const at = placeOf(branch.present, bit)
  if ((branch.present & bit) === 0) {
    branch.present |= bit
    branch.nodes.splice(at, 0, entry)
  } else branch.nodes[at] = put(branch.nodes[at], shift + digitBits, entry, owner)
  return branch
}

const linked = <Value>(leaf: Chain<Value>, entry: Leaf<Value>): Leaf<Value> => {
  if (leaf === undefined || entry.key < leaf.key) return followedBy(entry, leaf)
  return leaf.key === entry.key ? followedBy(entry, leaf.next) : followedBy(leaf, linked(leaf.next, entry))
}

const followedBy = <Value>(leaf: Leaf<Value>, next: Chain<Value>): Leaf<Value> => (leaf.next === next ? leaf : { ...leaf, next })

/** The node without a key it has. */
const without = <Value>(
  node: Node<Value> | undefined,
  shift: number,
  gone: Pick<Leaf<Value>, "hash" | "key">,
  owner: Owner
): Node<Value> | undefined => {
  if (node?._tag !== "Branch") return unlinked(node, gone.key)
  const { nodes, present } = node
  const bit = bitAt(gone.hash, shift)
  const at = placeOf(present, bit)
  const left = without(nodes[at], shift + digitBits, gone, owner)
  const kept = left === undefined ? nodes.toSpliced(at, 1) : nodes.with(at, left)
  const [first] = kept
  return kept.length === 1 && first?._tag === "Leaf"
    ? first
    : { _tag: "Branch", owner, present: left === undefined ? present & ~bit : present, nodes: kept }
}

const unlinked = <Value>(leaf: Chain<Value>, key: string): Chain<Value> =>
  leaf === undefined || leaf.key === key ? leaf?.next : { ...leaf, next: unlinked(leaf.next, key) }
