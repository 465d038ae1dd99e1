import { Address, xdr } from "@stellar/stellar-sdk"
import { keyText } from "../../chain/EntryKeys.ts"
import type { SimulatedResources } from "../../chain/contract-rpc/SimulationAnswer.ts"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"

/** Entries that a transaction may write at most, with room to spare below every network's own limit. */
const mostWritten = 45

/** Stroops an entry more that is written may cost, and each of its bytes; what is not used comes back. */
const perEntry = 20_000n
const perByte = 15n

const names = (value: xdr.ScVal, address: string): boolean => {
  switch (value.type) {
    case "scvAddress":
      return Address.fromScAddress(value.address).toString() === address
    case "scvVec":
      return (value.vec ?? []).some((one) => names(one, address))
    case "scvMap":
      return (value.map ?? []).some(({ key, val }) => names(key, address) || names(val, address))
    default:
      return false
  }
}

/**
 * Entries that a simulation only read and that the same call may write one ledger later: data of the contract that is called (its
 * reward state moves with time), and data about the account in any contract. Those about the account come first.
 */
export const mayBeWritten = (
  { data }: SimulatedResources,
  contract: ContractAddress,
  user: AccountAddress
): ReadonlyArray<xdr.LedgerKey> => {
  const { readOnly, readWrite } = data.resources.footprint
  const drifting = readOnly.flatMap((key) => {
    if (key.type !== "contractData" || key.contractData.key.type === "scvLedgerKeyContractInstance") return []
    const own = Address.fromScAddress(key.contractData.contract).toString() === contract
    const users = names(key.contractData.key, user)
    return own || users ? [{ key, users }] : []
  })
  const inOrder = [...drifting.filter(({ users }) => users), ...drifting.filter(({ users }) => !users)]
  return inOrder.slice(0, Math.max(0, mostWritten - readWrite.length)).map(({ key }) => key)
}

/**
 * Resources with these keys made writable and the fee raised for it. `bytes`: what their entries measure together. Indexes of
 * archived entries stay right, because keys are only added behind the others.
 */
export const widened = (
  { data, minResourceFee }: SimulatedResources,
  keys: ReadonlyArray<xdr.LedgerKey>,
  bytes: number
): xdr.SorobanTransactionData => {
  const moved = new Set(keys.map(keyText))
  const { footprint, ...resources } = data.resources
  const more = BigInt(keys.length) * perEntry + BigInt(bytes) * perByte
  return new xdr.SorobanTransactionData({
    ext: data.ext,
    resourceFee: minResourceFee + minResourceFee / 5n + more,
    resources: new xdr.SorobanResources({
      ...resources,
      writeBytes: data.resources.writeBytes + bytes,
      footprint: new xdr.LedgerFootprint({
        readOnly: footprint.readOnly.filter((key) => !moved.has(keyText(key))),
        readWrite: [...footprint.readWrite, ...keys]
      })
    })
  })
}
