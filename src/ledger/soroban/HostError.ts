import { xdr } from "@stellar/stellar-sdk"

/** Which part of the contract host found fault: `ScErrorType` without the contract's own errors. */
export type HostErrorType = "WasmVm" | "Context" | "Storage" | "Object" | "Crypto" | "Events" | "Budget" | "Value" | "Auth"

/** What the fault is: `ScErrorCode`. */
export type HostErrorCode =
  | "ArithDomain"
  | "IndexBounds"
  | "InvalidInput"
  | "MissingValue"
  | "ExistingValue"
  | "ExceededLimit"
  | "InvalidAction"
  | "InternalError"
  | "UnexpectedType"
  | "UnexpectedSize"

/** An error of the host itself, or the number a contract chose for its own. */
export type HostErrorValue =
  | { readonly type: "Contract"; readonly code: number }
  | { readonly type: HostErrorType; readonly code: HostErrorCode }

/**
 * Ends a contract call. It travels up to the caller with the means to go on (`tryCall`), or to the transaction,
 * which then fails. Its message reads as the text a simulation answers with.
 */
export class HostError extends Error {
  override readonly name = "HostError"
  readonly value: HostErrorValue
  /** The contract it was raised in; null outside of any. */
  raisedIn: xdr.ScAddress | null = null

  constructor(value: HostErrorValue, detail?: string) {
    super(`HostError: ${shown(value)}${detail === undefined ? "" : `: ${detail}`}`)
    this.value = value
  }

  /** `Error(Contract, #10)`, `Error(Storage, MissingValue)`. */
  get code(): string {
    return shown(this.value)
  }

  /** Whether a calling contract may go on after it: budget and footprint overruns and faults of the host end the transaction. */
  get isRecoverable(): boolean {
    const { code, type } = this.value
    return code !== "InternalError" && !(code === "ExceededLimit" && (type === "Storage" || type === "Budget"))
  }

  toScVal(): xdr.ScVal {
    const { value } = this
    return xdr.ScVal.scvError(
      value.type === "Contract"
        ? xdr.ScError.sceContract(value.code)
        : xdr.ScError[errorArms[value.type]](xdr.ScErrorCode[`scec${value.code}`])
    )
  }
}

const shown = ({ code, type }: HostErrorValue): string => `Error(${type}, ${typeof code === "number" ? `#${code}` : code})`

const errorArms = {
  WasmVm: "sceWasmVm",
  Context: "sceContext",
  Storage: "sceStorage",
  Object: "sceObject",
  Crypto: "sceCrypto",
  Events: "sceEvents",
  Budget: "sceBudget",
  Value: "sceValue",
  Auth: "sceAuth"
} as const

/** What `work` gives, or `instead` where it ends with an error that can be survived; any other error is thrown on. */
export const surviving = <Result>(work: () => Result, instead: (error: HostError) => Result): Result => {
  try {
    return work()
  } catch (error) {
    if (error instanceof HostError && error.isRecoverable) return instead(error)
    throw error
  }
}

/** Ends the call with an error of the host. */
export const hostFail = (type: HostErrorType, code: HostErrorCode, detail?: string): never => {
  throw new HostError({ type, code }, detail)
}

/** Ends the call with an error number of the contract. */
export const contractFail = (code: number, detail?: string): never => {
  throw new HostError({ type: "Contract", code }, detail)
}
