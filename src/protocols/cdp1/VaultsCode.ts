import type { contract as sdk, xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { gate, offers, specIn, wasmHashIn } from "../CodeGate.ts"
import type { GateFailure } from "../CodeGate.ts"
import type { KnownCode } from "../kit/KnownCode.ts"
import { instanceIn } from "../kit/LedgerView.ts"
import type { LedgerView } from "../kit/LedgerView.ts"

/**
 * What the vaults contract can do: `vaults` opens and closes vaults; `woundDown` only lets its operators remove what is left, so
 * that a vault can be seen but not closed by its owner.
 */
export type VaultsKind = "vaults" | "woundDown"

/** What a vaults contract may run. */
export interface VaultsCode {
  readonly known: KnownCode<VaultsKind>
  /** Beside that, code that declares what the decoder relies on. */
  readonly byInterface: boolean
}

/** The functions a decoder relies on, and how many arguments they take. */
const vaultFunctions = { pay_debt: 4, get_vault: 2, get_vaults_info: 1, get_currency: 1 }

/** The vaults contract with code that is understood. */
export interface VaultsContract {
  readonly address: ContractAddress
  readonly kind: VaultsKind
  readonly wasmHash: string
  readonly instance: xdr.ScContractInstance
  /** What the code declares; null when its hash was enough to know it. */
  readonly spec: sdk.Spec | null
}

/** Passes code known by its hash, else by the functions it declares. */
export const vaultsContract = (
  view: LedgerView,
  address: ContractAddress,
  { byInterface, known }: VaultsCode
): Either.Either<VaultsContract, GateFailure> =>
  Either.match(gate(view, address, known), {
    onRight: (gated) => Either.right({ ...gated, spec: null }),
    onLeft: (failure) => (failure._tag === "UnknownCode" && byInterface ? byDeclaration(view, address) : Either.left(failure))
  })

const byDeclaration = (view: LedgerView, address: ContractAddress): Either.Either<VaultsContract, GateFailure> =>
  Either.gen(function*() {
    const instance = yield* instanceIn(view, address)
    const wasmHash = instance === null ? null : yield* wasmHashIn(view, instance)
    const unknown = Either.left<GateFailure>({ _tag: "UnknownCode", contract: address, wasmHash })
    if (instance === null || wasmHash === null) return yield* unknown
    const spec = yield* specIn(view, { wasmHash })
    const kind = spec === null ? null : kindOf(spec)
    return kind === null ? yield* unknown : { address, kind, wasmHash, instance, spec }
  })

const kindOf = (spec: sdk.Spec): VaultsKind | null => {
  if (offers(spec, vaultFunctions)) return "vaults"
  const names = new Set(spec.funcs().map((one) => one.name.toString()))
  return names.has("evict") && names.has("upgrade") && !names.has("pay_debt") ? "woundDown" : null
}
