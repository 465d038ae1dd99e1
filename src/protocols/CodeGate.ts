import { contract as sdk, type xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { ContractAddress } from "../domain/Address.ts"
import { objectMemo } from "../fibers/ObjectMemo.ts"
import type { ContractCall } from "../operations/ContractCall.ts"
import { codeOf, namedCode } from "../stellar/CodeReference.ts"
import { codeKey } from "../stellar/ContractKeys.ts"
import { type DeclaredKind, kindDeclared } from "./kit/Declaration.ts"
import type { KnownCode } from "./kit/KnownCode.ts"
import { instanceIn, unreadable } from "./kit/LedgerView.ts"
import type { LedgerView, Unusable } from "./kit/LedgerView.ts"

/** A contract whose code is known. */
export interface GatedContract<Kind extends string> {
  readonly address: ContractAddress
  readonly kind: Kind
  /** 64 hex characters. */
  readonly wasmHash: string
  /** Its code is not listed, and known by what it declares. */
  readonly byInterface: boolean
  readonly instance: xdr.ScContractInstance
}

/** Why a contract is neither read nor called. */
export type GateFailure =
  | Unusable
  /** There is no such contract in the ledger that was read. */
  | { readonly _tag: "NoContract"; readonly contract: ContractAddress }
  /** Its code is not one that a decoder was written for; `wasmHash` null: its executable is not wasm of its own. */
  | { readonly _tag: "UnknownCode"; readonly contract: ContractAddress; readonly wasmHash: string | null }

/**
 * SHA-256 of the wasm a contract runs, in hex; null for an asset contract. Where its code is kept by someone else (CAP-85) that entry is
 * read; null where there is none.
 */
export const wasmHashIn = (view: LedgerView, instance: xdr.ScContractInstance): Either.Either<string | null, Unusable> => {
  const code = codeOf(instance)
  if (code._tag === "Wasm") return Either.right(code.hash)
  if (code._tag !== "Named") return Either.right(null)
  const { key } = code
  const state = view.state(key)
  if (state._tag === "Unread") return Either.left({ _tag: "Unread", questions: [key] })
  if (state._tag === "Absent") return Either.right(null)
  if (state._tag === "Unreadable") return Either.left(unreadable(key))
  return Either.mapLeft(namedCode(state.data), (reason): Unusable => ({ _tag: "Undecodable", key, reason }))
}

/**
 * Lets a contract pass whose code is known, and tells which it is: by its hash, else, where a contract of the file names it as its own, by
 * what the code declares (`declared`).
 */
export const gate = <Kind extends string>(
  view: LedgerView,
  address: ContractAddress,
  known: KnownCode<Kind>,
  declared: ReadonlyArray<DeclaredKind<Kind>> = []
): Either.Either<GatedContract<Kind>, GateFailure> =>
  Either.gen(function*() {
    const instance = yield* instanceIn(view, address)
    if (instance === null) return yield* Either.left<GateFailure>({ _tag: "NoContract", contract: address })
    const wasmHash = yield* wasmHashIn(view, instance)
    const unknown = Either.left<GateFailure>({ _tag: "UnknownCode", contract: address, wasmHash })
    if (wasmHash === null) return yield* unknown
    const kind = known.get(wasmHash)
    if (kind !== undefined) return { address, kind, wasmHash, byInterface: false, instance }
    const spec = declared.length === 0 ? null : yield* specIn(view, { wasmHash })
    const shown = spec === null ? null : kindDeclared(spec, declared)
    return shown === null ? yield* unknown : { address, kind: shown, wasmHash, byInterface: true, instance }
  })

/** A factory or router that the contracts file names. */
export interface NamedContract {
  readonly instance: xdr.ScContractInstance
  /** Whether it runs code that the file lists. */
  readonly isListed: boolean
}

/**
 * A factory or router of the contracts file, accepted with any code. The operator vouches for it by the file, and what it lists is decoded
 * by the shape of its entries.
 */
export const named = (view: LedgerView, address: ContractAddress, known: KnownCode<string>): Either.Either<NamedContract, GateFailure> =>
  Either.gen(function*() {
    const instance = yield* instanceIn(view, address)
    if (instance === null) return yield* Either.left<GateFailure>({ _tag: "NoContract", contract: address })
    const wasmHash = yield* wasmHashIn(view, instance)
    return { instance, isListed: wasmHash !== null && known.has(wasmHash) }
  })

/** Those contracts of the file that exist in the ledger and run code that the file does not list. */
export const unlistedAmong = (
  view: LedgerView,
  contracts: ReadonlyArray<ContractAddress>,
  known: KnownCode<string>
): ReadonlyArray<ContractAddress> =>
  contracts.filter((contract) => {
    const read = named(view, contract, known)
    return Either.isRight(read) && !read.right.isListed
  })

/** What code declares, parsed once for each entry that was read: every position of a protocol may need it in every round. */
const specOf = objectMemo((entry: xdr.ContractCodeEntry): sdk.Spec | null =>
  Either.getOrNull(Either.try(() => sdk.Spec.fromWasm(entry.code)))
)

/** The functions of a contract as its code declares them; null when the code carries no declaration, or was not found. */
export const specIn = (view: LedgerView, { wasmHash }: { readonly wasmHash: string }): Either.Either<sdk.Spec | null, Unusable> => {
  const key = codeKey(wasmHash)
  const state = view.state(key)
  if (state._tag === "Unread") return Either.left({ _tag: "Unread", questions: [key] })
  const { data } = state._tag === "Present" ? state : { data: null }
  return Either.right(data?.type === "contractCode" ? specOf(data.contractCode) : null)
}

/** Whether every one of these functions is there and takes that many arguments. */
export const offers = (spec: sdk.Spec, functions: Readonly<Record<string, number>>): boolean => {
  const declared = new Map(spec.funcs().map((one) => [one.name.toString(), one.inputs.length]))
  return Object.entries(functions).every(([name, count]) => declared.get(name) === count)
}

/**
 * Why a call does not fit what the contract's code declares, or null when it fits: the function is there, takes that many
 * arguments, and each argument is of the declared type, width included.
 */
export const callProblem = (spec: sdk.Spec, call: Pick<ContractCall, "function" | "args">): string | null => {
  const declared = spec.funcs().find((one) => one.name.toString() === call.function)
  if (declared === undefined) return `the contract has no function ${call.function}`
  if (declared.inputs.length !== call.args.length) {
    return `${call.function} takes ${declared.inputs.length} arguments, not ${call.args.length}`
  }
  for (const [index, input] of declared.inputs.entries()) {
    const arg = call.args[index]
    if (arg === undefined || !fits(spec, arg, input.type)) {
      return `argument ${input.name.toString()} of ${call.function} is not of its declared type`
    }
  }
  return null
}

/** A value is of a type when taking it apart and putting it together as that type gives the same value. */
const fits = (spec: sdk.Spec, value: xdr.ScVal, type: xdr.ScSpecTypeDef): boolean =>
  Either.getOrElse(
    Either.try(() => spec.nativeToScVal(spec.scValToNative(value, type), type).toXdr("base64") === value.toXdr("base64")),
    () => false
  )
