import { xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import { dataEntries, withExecutable } from "../../../../src/sandbox/contracts/Deployment.ts"
import { keyOfCodeName, keyOfInstance } from "../../../../src/xdr/LedgerKeys.ts"

/** Lifetime in ledgers of the entries written here. */
const life = 1_000_000

/** The name under which an owner keeps the code of a contract. */
export const referenceTo = (executableOwner: xdr.ScAddress): xdr.ContractExecutableExternalRef =>
  new xdr.ContractExecutableExternalRef({ executableOwner, tag: "pool" })

/** The entry in which an owner keeps it. */
export const nameKeyOf = (owner: xdr.ScAddress): xdr.LedgerKey => keyOfCodeName(referenceTo(owner))

/** The owner names the code of this hash (32 bytes). */
export const keepingCode = (state: LedgerState, owner: xdr.ScAddress, hash: Uint8Array): LedgerState =>
  state.set(dataEntries(owner, [xdr.ScVal.scvExecutableTag("pool"), xdr.ScVal.scvBytes(hash)], "persistent", state.header.ledgerSeq + life))

/** The hash of the code that a contract runs itself. */
export const ownCodeOf = (state: LedgerState, contract: xdr.ScAddress): Uint8Array => {
  const data = state.get(keyOfInstance(contract))?.data
  if (data?.type !== "contractData" || data.contractData.val.type !== "scvContractInstance") throw new Error("no such contract")
  const { executable } = data.contractData.val.instance
  if (executable.type !== "contractExecutableWasm") throw new Error("no code of its own")
  return executable.wasmHash.toBytes()
}

/** A contract runs other code (the hash of it, 32 bytes). */
export const withCode = (state: LedgerState, contract: xdr.ScAddress, hash: Uint8Array): LedgerState =>
  withExecutable(state, contract, xdr.ContractExecutable.contractExecutableWasm(hash))

/** Lets a contract run its code by reference to an owner that keeps the code's hash. */
export const byReference = (state: LedgerState, contract: xdr.ScAddress, owner: xdr.ScAddress): LedgerState =>
  keepingCode(
    withExecutable(state, contract, xdr.ContractExecutable.contractExecutableExternalRef(referenceTo(owner))),
    owner,
    ownCodeOf(state, contract)
  )
