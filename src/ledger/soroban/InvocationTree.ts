import { xdr } from "@stellar/stellar-sdk"
import { hostFail } from "./HostError.ts"

/** One call someone agreed to, with the calls it may lead to. */
interface Node {
  readonly fn: xdr.SorobanAuthorizedFunction
  readonly id: string
  readonly children: Array<Node>
  used: boolean
}

/** How a frame of the call stack was matched: not, by the root, or by the child at an index of the last match. */
type Match = "unmatched" | "root" | number

const idOfFunction = (fn: xdr.SorobanAuthorizedFunction): string => fn.toXdr("base64")

const nodeOf = ({ function: fn, subInvocations }: xdr.SorobanAuthorizedInvocation): Node => ({
  fn,
  id: idOfFunction(fn),
  children: subInvocations.map(nodeOf),
  used: false
})

const newNode = (fn: xdr.SorobanAuthorizedFunction): Node => ({ fn, id: idOfFunction(fn), children: [], used: true })

const toXdr = ({ children, fn }: Node): xdr.SorobanAuthorizedInvocation =>
  new xdr.SorobanAuthorizedInvocation({ function: fn, subInvocations: children.map(toXdr) })

const usage = (node: Node): Array<boolean> => [node.used, ...node.children.flatMap(usage)]

const setUsage = (node: Node, values: Iterator<boolean>): void => {
  node.used = values.next().value === true
  for (const child of node.children) setUsage(child, values)
}

const clone = (node: Node): Node => ({ ...node, children: node.children.map(clone) })

/**
 * A tree of calls agreed to, followed along the call stack: each call that asks for the agreement must be the root, or
 * a child of the call matched last further up. A call is good for one use.
 */
export class InvocationTree {
  static of(invocation: xdr.SorobanAuthorizedInvocation): InvocationTree {
    return new InvocationTree(nodeOf(invocation), [], undefined)
  }

  /** A tree that is found out while a call runs, begun by a frame of the stack as its root. */
  static recorded(fn: xdr.SorobanAuthorizedFunction, depth: number): InvocationTree {
    const stack: Array<Match> = Array.from({ length: depth }, (_, at) => (at === depth - 1 ? "root" : "unmatched"))
    return new InvocationTree(newNode(fn), stack, depth - 1)
  }

  private root: Node
  private stack: Array<Match>
  /** Frame in which the root was used up; the tree is done with when that frame ends. */
  private rootFrame: number | undefined
  private isDone = false

  private constructor(root: Node, stack: Array<Match>, rootFrame: number | undefined) {
    this.root = root
    this.stack = stack
    this.rootFrame = rootFrame
  }

  toXdr(): xdr.SorobanAuthorizedInvocation {
    return toXdr(this.root)
  }

  push(): void {
    this.stack.push("unmatched")
  }

  pop(): void {
    this.stack.pop()
    if (this.rootFrame !== undefined && this.rootFrame >= this.stack.length) this.isDone = true
  }

  get isEmpty(): boolean {
    return this.stack.length === 0
  }

  get isActive(): boolean {
    return this.root.used && !this.isDone
  }

  get isFrameMatched(): boolean {
    return this.stack.at(-1) !== undefined && this.stack.at(-1) !== "unmatched"
  }

  get hasMatch(): boolean {
    return this.stack.some((match) => match !== "unmatched")
  }

  /** Matches the current frame, if the tree agrees to its call at this place. */
  match(fn: xdr.SorobanAuthorizedFunction, allowRoot: boolean): boolean {
    if (this.isFrameMatched) return false
    const id = idOfFunction(fn)
    const last = this.last()
    if (last === undefined) {
      if (this.root.used || !allowRoot || this.root.id !== id) return false
      this.root.used = true
      this.rootFrame = this.stack.length - 1
      this.stack[this.stack.length - 1] = "root"
      return true
    }
    const at = last.children.findIndex((child) => !child.used && child.id === id)
    const child = last.children[at]
    if (child === undefined) return false
    child.used = true
    this.stack[this.stack.length - 1] = at
    return true
  }

  /** Adds the current frame's call under the one matched last. */
  record(fn: xdr.SorobanAuthorizedFunction): void {
    if (this.isFrameMatched) hostFail("Auth", "ExistingValue", "frame is already authorized")
    const last = this.last() ?? hostFail("Auth", "InternalError", "unexpected missing authorized invocation")
    last.children.push(newNode(fn))
    this.stack[this.stack.length - 1] = last.children.length - 1
  }

  /** What has been used so far, to return to. */
  snapshot(): () => void {
    const used = usage(this.root)
    return () => {
      setUsage(this.root, used[Symbol.iterator]())
      if (!this.root.used) {
        this.rootFrame = undefined
        this.isDone = false
      }
    }
  }

  copy(): InvocationTree {
    const copy = new InvocationTree(clone(this.root), [...this.stack], this.rootFrame)
    copy.isDone = this.isDone
    return copy
  }

  private last(): Node | undefined {
    if (!this.stack.includes("root")) return undefined
    return this.stack.reduce<Node>((node, match) => {
      if (typeof match !== "number") return node
      return node.children[match] ?? hostFail("Auth", "InternalError", "a matched call is gone")
    }, this.root)
  }
}
