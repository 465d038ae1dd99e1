import { assert } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import { asI128, asU128, i128, u128 } from "../../../../src/ledger/soroban/Values.ts"
import { contractEntries, dataEntries } from "../../../../src/sandbox/contracts/Deployment.ts"
import { withInstanceValues } from "../../../../src/sandbox/scenarios/Amm1Entries.ts"
import { keyOfContractData, keyOfInstance } from "../../../../src/xdr/LedgerKeys.ts"

/** A change of the ledger by a party with power over a contract. */
export type Meddling = (state: LedgerState) => LedgerState

const FAR = 70_000_000

/** Upgrades the contract, with its storage, to unlisted code. */
export const upgraded = (contract: xdr.ScAddress): Meddling => (state) => {
  const found = state.get(keyOfInstance(contract))
  const value = found?.data.type === "contractData" ? found.data.contractData.val : null
  if (value?.type !== "scvContractInstance") return assert.fail("no such contract")
  const storage = (value.instance.storage ?? []).map(({ key, val }) => [key, val] as const)
  return state.set(contractEntries(contract, "ab".repeat(32), storage, FAR))
}

/** Changes a value in its instance. */
export const rewritten = (contract: xdr.ScAddress, key: xdr.ScVal, change: (val: xdr.ScVal | null) => xdr.ScVal): Meddling => (state) =>
  withInstanceValues(state, contract, (storage) => {
    const name = key.toXdr("base64")
    storage.set(name, change(storage.get(name) ?? null))
  })

/** Changes a value in an entry of its own. */
export const reentered = (contract: xdr.ScAddress, key: xdr.ScVal, change: (val: xdr.ScVal) => xdr.ScVal): Meddling => (state) => {
  const found = state.get(keyOfContractData(contract, key, "persistent"))
  if (found?.data.type !== "contractData") return assert.fail("there is no such entry")
  return state.set(dataEntries(contract, [key, change(found.data.contractData.val)], "persistent", FAR))
}

/** An amount less this many thousandths of it. */
export const lessBy = (thousandths: bigint) => (val: xdr.ScVal | null): xdr.ScVal => {
  if (val === null) return assert.fail("there is no such amount")
  const rest = (amount: bigint): bigint => (amount * (1_000n - thousandths)) / 1_000n
  return val.type === "scvU128" ? u128(rest(asU128(val))) : i128(rest(asI128(val)))
}
