import { Address, xdr } from "@stellar/stellar-sdk"
import type { SimulatedResources } from "../../../chain/contract-rpc/SimulationAnswer.ts"
import type { AccountAddress, ContractAddress } from "../../../domain/Address.ts"
import { isCodeName } from "../../../stellar/CodeReference.ts"
import { namesAddress } from "../../../stellar/ScAddresses.ts"
import { keyText } from "../../../xdr/LedgerKeys.ts"

/** Entries, and bytes of them, that a transaction may write at most, with room to spare below every network's own limit. */
const mostWritten = 45
const mostBytes = 120_000

/** Stroops an entry more that is written may cost, and each of its bytes; what is not used comes back. */
const perEntry = 20_000n
const perByte = 15n

/** An entry, and how large it is; 0 bytes where there is none. */
export interface MeasuredEntry {
  readonly key: xdr.LedgerKey
  readonly bytes: number
}

/**
 * Entries that a simulation only read and that the same call may write one ledger later: data of the contract that is called (its
 * reward state moves with time), and data about the account in any contract. The likeliest come first.
 */
export const mayBeWritten = (
  { data }: SimulatedResources,
  contract: ContractAddress,
  user: AccountAddress
): ReadonlyArray<xdr.LedgerKey> => {
  const drifting = data.resources.footprint.readOnly.flatMap((key) => {
    if (key.type !== "contractData" || key.contractData.key.type === "scvLedgerKeyContractInstance" || isCodeName(key)) return []
    const own = Address.fromScAddress(key.contractData.contract).toString() === contract
    const users = namesAddress(key.contractData.key, user)
    return own || users ? [{ key, users }] : []
  })
  return [...drifting.filter(({ users }) => users), ...drifting.filter(({ users }) => !users)].map(({ key }) => key)
}

/** As many of these, in their order, as a transaction may write besides what it writes already. */
const fitting = ({ data: { resources } }: SimulatedResources, entries: ReadonlyArray<MeasuredEntry>): ReadonlyArray<MeasuredEntry> => {
  let [written, size] = [resources.footprint.readWrite.length, resources.writeBytes]
  return entries.filter(({ bytes }) => {
    if (written + 1 > mostWritten || size + bytes > mostBytes) return false
    written += 1
    size += bytes
    return true
  })
}

/**
 * Resources with these entries made writable, as many of them as may be, and the fee raised for it. Indexes of archived entries stay
 * right, because keys are only added behind the others.
 */
export const widerFootprint = (simulated: SimulatedResources, drifting: ReadonlyArray<MeasuredEntry>): xdr.SorobanTransactionData => {
  const { data, minResourceFee } = simulated
  const added = fitting(simulated, drifting)
  const moved = new Set(added.map(({ key }) => keyText(key)))
  const bytes = added.reduce((sum, one) => sum + one.bytes, 0)
  const { footprint, ...resources } = data.resources
  return new xdr.SorobanTransactionData({
    ext: data.ext,
    resourceFee: minResourceFee + minResourceFee / 5n + BigInt(added.length) * perEntry + BigInt(bytes) * perByte,
    resources: new xdr.SorobanResources({
      ...resources,
      writeBytes: data.resources.writeBytes + bytes,
      footprint: new xdr.LedgerFootprint({
        readOnly: footprint.readOnly.filter((key) => !moved.has(keyText(key))),
        readWrite: [...footprint.readWrite, ...added.map(({ key }) => key)]
      })
    })
  })
}
