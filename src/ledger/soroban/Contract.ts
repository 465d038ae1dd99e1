import type { xdr } from "@stellar/stellar-sdk"
import { HostError, hostFail } from "./HostError.ts"
import { asAddress, asBool, asBytes, asI128, asI32, asString, asSymbol, asU128, asU32, asU64, asVec } from "./Values.ts"

/** How a contract keeps data: alone with a life of its own, or together in the instance. */
export interface DataStore {
  readonly get: (key: xdr.ScVal) => xdr.ScVal | undefined
  readonly has: (key: xdr.ScVal) => boolean
  readonly set: (key: xdr.ScVal, value: xdr.ScVal) => void
  readonly remove: (key: xdr.ScVal) => void
}

/** Entries of their own, which pay rent each. */
export interface LivingStore extends DataStore {
  /** Makes an entry live `extendTo` ledgers on unless it lives more than `threshold` anyway. */
  readonly extend: (key: xdr.ScVal, threshold: number, extendTo: number) => void
}

/**
 * What a contract model may do: the host functions of soroban-env that contracts of interest here use. Anything that
 * fails ends the call by throwing a `HostError`.
 */
export interface ContractHost {
  /** The contract that runs. */
  readonly address: xdr.ScAddress
  readonly ledger: {
    readonly sequence: number
    /** Unix seconds. */
    readonly timestamp: bigint
    readonly protocolVersion: number
    readonly networkId: Uint8Array
    /** The last ledger an entry may be made to live in. */
    readonly maxLiveUntil: number
  }
  readonly persistent: LivingStore
  readonly temporary: LivingStore
  readonly instance: DataStore
  /** Extends the life of the instance and of the code. */
  readonly extendInstance: (threshold: number, extendTo: number) => void
  /** Fails unless the address agreed to this call, with its arguments as they were given or with others. */
  readonly requireAuth: (address: xdr.ScAddress, args?: ReadonlyArray<xdr.ScVal>) => void
  /** Agrees, as this contract, to calls the next contract called will make. */
  readonly authorizeAsContract: (invocations: ReadonlyArray<xdr.SorobanAuthorizedInvocation>) => void
  readonly call: (contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>) => xdr.ScVal
  /** As `call`; a failure undoes what the call did and comes back as an error value. */
  readonly tryCall: (contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>) => xdr.ScVal
  /** Creates a contract of its own under a salt of 32 bytes, of code the ledger has, and runs its constructor. */
  readonly deploy: (salt: Uint8Array, codeHash: Uint8Array, ...args: ReadonlyArray<xdr.ScVal>) => xdr.ScAddress
  readonly emit: (topics: ReadonlyArray<xdr.ScVal>, data: xdr.ScVal) => void
  /** Ends the call with an error number of the contract. */
  readonly fail: (code: number) => never
  /** Ends the call as a panic does. */
  readonly trap: () => never
  /** Counts work against the declared instructions; without bound, it is a loop that never ends. */
  readonly charge: (instructions: number) => void
}

const readers = {
  address: asAddress,
  i128: asI128,
  u128: asU128,
  u32: asU32,
  i32: asI32,
  u64: asU64,
  bool: asBool,
  symbol: asSymbol,
  string: asString,
  bytes: asBytes,
  vec: asVec,
  value: (value: xdr.ScVal): xdr.ScVal => value
} as const

export type ArgumentKind = keyof typeof readers

type Argument<Kind extends ArgumentKind> = ReturnType<(typeof readers)[Kind]>

type Arguments<Kinds extends ReadonlyArray<ArgumentKind>> = { readonly [At in keyof Kinds]: Argument<Kinds[At]> }

/** A function of a contract over values as they come. */
export interface ContractFunction<Host extends ContractHost = ContractHost> {
  readonly arity: number
  readonly run: (host: Host, args: ReadonlyArray<xdr.ScVal>) => xdr.ScVal
}

/** Reads arguments by their types; one of another type is an error of the host. */
const decodeArguments = <const Kinds extends ReadonlyArray<ArgumentKind>>(
  kinds: Kinds,
  args: ReadonlyArray<xdr.ScVal>
): Arguments<Kinds> => {
  const decoded = kinds.map((kind, at) => readers[kind](args[at] ?? hostFail("Value", "UnexpectedSize")))
  // Mapping a tuple loses the kind of each place, which the readers have just established.
  return decoded as unknown as Arguments<Kinds>
}

/** The same in compiled code, which traps where an argument is of another type. */
const decodeCompiled = <const Kinds extends ReadonlyArray<ArgumentKind>>(
  host: ContractHost,
  kinds: Kinds,
  args: ReadonlyArray<xdr.ScVal>
): Arguments<Kinds> => {
  try {
    return decodeArguments(kinds, args)
  } catch (error) {
    if (error instanceof HostError) return host.trap()
    throw error
  }
}

/** A function of a compiled contract with the types of its arguments. */
export const contractFunction = <const Kinds extends ReadonlyArray<ArgumentKind>>(
  kinds: Kinds,
  run: (host: ContractHost, args: Arguments<Kinds>) => xdr.ScVal
): ContractFunction => ({
  arity: kinds.length,
  run: (host, args) => run(host, decodeCompiled(host, kinds, args))
})

/** {@link contractFunction} of a contract built into the host: the host's own error of an argument reaches the caller. */
export const builtInFunction = <Host extends ContractHost, const Kinds extends ReadonlyArray<ArgumentKind>>(
  kinds: Kinds,
  run: (host: Host, args: Arguments<Kinds>) => xdr.ScVal
): ContractFunction<Host> => ({
  arity: kinds.length,
  run: (host, args) => run(host, decodeArguments(kinds, args))
})

/** What a contract does, written in TypeScript: it stands in for compiled code the model cannot run. */
export interface ContractModel {
  readonly functions: Readonly<Record<string, ContractFunction>>
  /** Rough instructions a call of it costs before what the host counts for storage, events and calls. */
  readonly instructions?: number
}

/** The contract models a ledger can run. */
export interface Contracts {
  /** `address`: C strkey. `wasmHash`: hex. What is registered by address comes first. */
  readonly find: (address: string, wasmHash: string) => ContractModel | undefined
}

/** A model, and the contracts it stands in for: all with a code, or one alone. */
export interface Registration {
  readonly model: ContractModel
  readonly wasmHashes?: ReadonlyArray<string>
  readonly addresses?: ReadonlyArray<string>
}

export const registerContracts = (registrations: ReadonlyArray<Registration>): Contracts => {
  const byAddress = new Map(registrations.flatMap(({ addresses = [], model }) => addresses.map((address) => [address, model] as const)))
  const byHash = new Map(registrations.flatMap(({ model, wasmHashes = [] }) => wasmHashes.map((hash) => [hash, model] as const)))
  return { find: (address, wasmHash) => byAddress.get(address) ?? byHash.get(wasmHash) }
}

export const noContracts: Contracts = { find: () => undefined }
