import { xdr } from "@stellar/stellar-sdk"
import { type Authenticator, type Credentials, credentialsOf, credentialsXdr, verifyCredentials } from "./Credentials.ts"
import { hostFail } from "./HostError.ts"
import { InvocationTree } from "./InvocationTree.ts"
import { sameAddress, strkeyOf } from "./Values.ts"

/** How the agreements of a call come about. */
export type AuthorizationMode =
  | { readonly _tag: "Enforcing"; readonly entries: ReadonlyArray<xdr.SorobanAuthorizationEntry> }
  | {
    readonly _tag: "Recording"
    /** Whether an agreement may begin below the outermost call. */
    readonly allowNonRoot: boolean
    readonly nonce: () => bigint
    /** Longest a recorded signature may be good for; its nonce is stored that long. */
    readonly maxLiveUntil: number
  }

/** One agreement of one address. */
interface Tracker {
  readonly address: xdr.ScAddress
  /** Absent for the account whose signature on the operation covers its agreement. */
  readonly credentials: Credentials | undefined
  readonly tree: InvocationTree
  verified: boolean
  /** Whether its owner is being asked: until that is answered, it covers nothing. */
  isAsked: boolean
}

/** An agreement a contract gave in its own name for calls further down. */
interface ContractTracker {
  readonly address: xdr.ScAddress
  readonly tree: InvocationTree
}

/** A frame of the call stack: the contract called, or null for the creation of one. */
export type AuthFrame = xdr.ScAddress | null

/**
 * Who agreed to what in one call of the host. A contract agrees to what it calls directly by calling it; everyone else
 * by an entry of the operation, whose tree of calls must match the calls made.
 */
export class Authorization {
  private readonly mode: AuthorizationMode
  private readonly source: xdr.ScAddress
  private readonly frames: Array<AuthFrame> = []
  private trackers: Array<Tracker>
  private contractTrackers: Array<ContractTracker> = []
  /** Trackers by the very address value that began them: how a recording tells two arguments of equal address apart. */
  private byHandle = new Map<xdr.ScAddress, Tracker>()

  /** `source`: the account the operation is of. */
  constructor(mode: AuthorizationMode, source: xdr.ScAddress) {
    this.mode = mode
    this.source = source
    this.trackers = mode._tag === "Enforcing" ? mode.entries.map((entry) => trackerOf(entry, source)) : []
  }

  push(frame: AuthFrame): void {
    this.frames.push(frame)
    for (const { tree } of [...this.trackers, ...this.contractTrackers]) tree.push()
  }

  pop(): void {
    this.frames.pop()
    for (const { tree } of [...this.trackers, ...this.contractTrackers]) tree.pop()
    while (this.contractTrackers.at(-1)?.tree.isEmpty === true) this.contractTrackers.pop()
  }

  /** The state now; calling what it gives back returns to it. */
  snapshot(): () => void {
    const contracts = this.contractTrackers.length
    const undoContracts = this.contractTrackers.map(({ tree }) => tree.snapshot())
    const undoTrackers = this.snapshotTrackers()
    return () => {
      undoTrackers()
      this.contractTrackers.length = contracts
      for (const undo of undoContracts) undo()
    }
  }

  private snapshotTrackers(): () => void {
    if (this.mode._tag === "Recording") {
      const copies = this.trackers.map((tracker) => ({ ...tracker, tree: tracker.tree.copy() }))
      const handles = Array.from(this.byHandle, ([handle, tracker]) => [handle, this.trackers.indexOf(tracker)] as const)
      return () => {
        this.trackers = copies
        this.byHandle = new Map(
          handles.flatMap(([handle, at]) => {
            const tracker = copies[at]
            return tracker === undefined ? [] : [[handle, tracker] as const]
          })
        )
      }
    }
    const undo = this.trackers.map((tracker) => {
      const { verified } = tracker
      const undoTree = tracker.tree.snapshot()
      return () => {
        undoTree()
        tracker.verified = verified
      }
    })
    return () => undo.forEach((each) => each())
  }

  /** Gives the agreement of the contract that runs now to calls its next call will make. */
  addContractAgreements(invocations: ReadonlyArray<xdr.SorobanAuthorizedInvocation>): void {
    const address = this.frames.at(-1) ?? null
    if (address === null) return
    for (const invocation of invocations) this.contractTrackers.push({ address, tree: InvocationTree.of(invocation) })
  }

  /** Fails unless the address agreed to the call that runs now. */
  require(address: xdr.ScAddress, fn: xdr.SorobanAuthorizedFunction, authenticator: Authenticator): void {
    if (this.isContractAgreed(address, fn)) return
    if (this.mode._tag === "Enforcing") this.enforce(address, fn, authenticator)
    else this.record(address, fn, authenticator, this.mode)
  }

  private isContractAgreed(address: xdr.ScAddress, fn: xdr.SorobanAuthorizedFunction): boolean {
    const invoker = this.frames.at(-2)
    if (invoker === undefined) return false
    if (invoker !== null && sameAddress(invoker, address)) return true
    const own = this.frames.at(-1) ?? null
    return this.contractTrackers.some(
      (tracker) =>
        !(own !== null && sameAddress(tracker.address, own)) && sameAddress(tracker.address, address) && tracker.tree.match(fn, true)
    )
  }

  private enforce(address: xdr.ScAddress, fn: xdr.SorobanAuthorizedFunction, authenticator: Authenticator): void {
    const own = this.trackers.filter((tracker) => !tracker.isAsked && sameAddress(tracker.address, address))
    const hasActive = own.some(({ tree }) => tree.isActive && !tree.isFrameMatched)
    const matched = own.find(({ tree }) => tree.match(fn, !hasActive))
    if (matched === undefined) return hostFail("Auth", "InvalidAction", `Unauthorized function call for address ${strkeyOf(address)}`)
    if (matched.verified || matched.credentials === undefined) return
    matched.isAsked = true
    try {
      verifyCredentials(matched.credentials, matched.tree.toXdr(), authenticator)
    } finally {
      matched.isAsked = false
    }
    matched.verified = true
  }

  private record(
    address: xdr.ScAddress,
    fn: xdr.SorobanAuthorizedFunction,
    authenticator: Authenticator,
    mode: Extract<AuthorizationMode, { readonly _tag: "Recording" }>
  ): void {
    const known = this.byHandle.get(address)
    if (known !== undefined) {
      if (known.tree.hasMatch) return known.tree.record(fn)
      this.byHandle.delete(address)
    }
    const active = this.trackers.find(
      (tracker) => sameAddress(tracker.address, address) && tracker.tree.hasMatch && !tracker.tree.isFrameMatched
    )
    if (active !== undefined) return active.tree.record(fn)
    if (!mode.allowNonRoot && this.frames.length !== 1) {
      hostFail(
        "Auth",
        "InvalidAction",
        "[recording authorization only] encountered authorization not tied to the root contract invocation for an address"
      )
    }
    const tracker = this.newRecording(address, fn, authenticator, mode)
    this.trackers.push(tracker)
    this.byHandle.set(address, tracker)
  }

  private newRecording(
    address: xdr.ScAddress,
    fn: xdr.SorobanAuthorizedFunction,
    authenticator: Authenticator,
    mode: Extract<AuthorizationMode, { readonly _tag: "Recording" }>
  ): Tracker {
    const tree = InvocationTree.recorded(fn, this.frames.length)
    if (sameAddress(address, this.source)) return newTracker(address, undefined, tree)
    const nonce = mode.nonce()
    authenticator.consumeNonce(address, nonce, mode.maxLiveUntil)
    const credentials = { address, nonce, expirationLedger: 0, signature: xdr.ScVal.scvVoid(), coversAddress: false }
    return newTracker(address, credentials, tree)
  }

  /** What a recording found: the entries that would let the same call through once they are signed. */
  recorded(coversAddress: boolean): ReadonlyArray<xdr.SorobanAuthorizationEntry> {
    return this.trackers.map(
      ({ credentials, tree }) =>
        new xdr.SorobanAuthorizationEntry({
          credentials: credentialsXdr(credentials, coversAddress),
          rootInvocation: tree.toXdr()
        })
    )
  }

  /** Addresses that will have to sign what a recording found. */
  signers(): ReadonlyArray<xdr.ScAddress> {
    return this.trackers.flatMap(({ address, credentials }) => (credentials === undefined ? [] : [address]))
  }
}

const trackerOf = ({ credentials: signed, rootInvocation }: xdr.SorobanAuthorizationEntry, source: xdr.ScAddress): Tracker => {
  const tree = InvocationTree.of(rootInvocation)
  const credentials = credentialsOf(signed)
  return newTracker(credentials?.address ?? source, credentials, tree)
}

const newTracker = (address: xdr.ScAddress, credentials: Credentials | undefined, tree: InvocationTree): Tracker => ({
  address,
  credentials,
  tree,
  verified: false,
  isAsked: false
})
