import * as xdr from "@stellar/stellar-sdk/xdr"
import { Either, Schema } from "effect"
import { ContractAddress } from "../domain/Address.ts"
import { xdrHex } from "../xdr/XdrBytes.ts"
import { contractDataKey } from "./ContractKeys.ts"
import { nameOfAddress } from "./ScAddresses.ts"

/** What an instance says of the code that runs: the SHA-256 of its wasm (hex), where its owner keeps that (CAP-85), or that it is no wasm. */
export type CodeOf =
  | { readonly _tag: "Wasm"; readonly hash: string }
  | { readonly _tag: "Named"; readonly key: xdr.LedgerKey }
  | { readonly _tag: "Asset" }
  /** A reference to something that no contract keeps. */
  | { readonly _tag: "Unknown" }

export const codeOf = ({ executable }: xdr.ScContractInstance): CodeOf => {
  switch (executable.type) {
    case "contractExecutableWasm":
      return { _tag: "Wasm", hash: xdrHex(executable.wasmHash) }
    case "contractExecutableStellarAsset":
      return { _tag: "Asset" }
    case "contractExecutableExternalRef": {
      const { executableOwner, tag } = executable.externalRef
      const owner = nameOfAddress(executableOwner)
      return Schema.is(ContractAddress)(owner)
        ? { _tag: "Named", key: contractDataKey(owner, xdr.ScVal.scvExecutableTag(tag)) }
        : { _tag: "Unknown" }
    }
  }
}

/** Whether a key is of an entry in which an owner says which code runs for others. */
export const isCodeName = (key: xdr.LedgerKey): boolean => key.type === "contractData" && key.contractData.key.type === "scvExecutableTag"

/** The hash (hex) in such an entry, or why there is none. */
export const namedCode = (data: xdr.LedgerEntryData): Either.Either<string, string> => {
  const value = data.type === "contractData" ? data.contractData.val : null
  return value?.type === "scvBytes" && value.bytes.toBytes().length === 32
    ? Either.right(Buffer.from(value.bytes.toBytes()).toString("hex"))
    : Either.left("not the hash of code")
}
