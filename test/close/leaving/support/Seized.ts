import { assert } from "@effect/vitest"
import { type Asset, type Keypair, xdr } from "@stellar/stellar-sdk"
import { withFields } from "../../../../src/ledger/entries/Account.ts"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import { addressOf, compareValues, u128 } from "../../../../src/ledger/soroban/Values.ts"
import { contractEntries, dataEntries } from "../../../../src/sandbox/contracts/Deployment.ts"
import { poolV2Hash } from "../../../../src/sandbox/contracts/lend1/LendingPool.ts"
import { asPoolConfig, poolConfigVal } from "../../../../src/sandbox/contracts/lend1/PoolConfig.ts"
import { poolInstanceKeys, positionsKey, reserveDataKey } from "../../../../src/sandbox/contracts/lend1/PoolKeys.ts"
import { asPositions, type Positions, positionsVal } from "../../../../src/sandbox/contracts/lend1/Positions.ts"
import { asReserveData, reserveDataVal } from "../../../../src/sandbox/contracts/lend1/ReserveEntries.ts"
import { vaultsHash } from "../../../../src/sandbox/contracts/vaults/Vaults.ts"
import { indexOf } from "../../../../src/sandbox/contracts/vaults/VaultsStore.ts"
import {
  infoKey,
  keyOfVault,
  readInfo,
  type Vault,
  vaultIndexKey,
  vaultKey,
  writeInfo,
  writeVault
} from "../../../../src/sandbox/contracts/vaults/VaultValues.ts"
import { lendingContracts } from "../../../../src/sandbox/scenarios/LendingContracts.ts"
import { vaultsContracts } from "../../../../src/sandbox/scenarios/VaultsContracts.ts"
import type { Denomination } from "../../../../src/sandbox/scenarios/VaultsEntries.ts"
import { vaultsIn } from "../../../../src/sandbox/scenarios/VaultsList.ts"
import { accountKey, keyOfContractData, keyOfInstance } from "../../../../src/xdr/LedgerKeys.ts"

const far = 70_000_000

/** A change of positions by others. */
export type Deed = (state: LedgerState) => LedgerState

const storageOf = (state: LedgerState, contract: xdr.ScAddress): ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]> => {
  const data = state.get(keyOfInstance(contract))?.data
  assert(data?.type === "contractData" && data.contractData.val.type === "scvContractInstance")
  return (data.contractData.val.instance.storage ?? []).map(({ key, val }) => [key, val] as const)
}

/** Another status of the lending pool. */
export const withStatus = (status: number): Deed => (state) =>
  state.set(contractEntries(
    lendingContracts.pool,
    poolV2Hash,
    storageOf(state, lendingContracts.pool).map(([key, val]) =>
      [key, compareValues(key, poolInstanceKeys.config) === 0 ? poolConfigVal({ ...asPoolConfig(val), status }) : val] as const
    ),
    far
  ))

/** Others borrow the whole supply of an asset in the lending pool. */
export const lentOut = (asset: Asset, passphrase: string): Deed => (state) => {
  const { pool } = lendingContracts
  const key = reserveDataKey(addressOf(asset.contractId(passphrase)))
  const data = state.get(keyOfContractData(pool, key, "persistent"))?.data
  assert(data?.type === "contractData")
  const reserve = asReserveData(data.contractData.val)
  return state.set(
    dataEntries(pool, [key, reserveDataVal({ ...reserve, dSupply: (reserve.bSupply * reserve.bRate) / reserve.dRate })], "persistent", far)
  )
}

/** Takes over an account's entry in the lending pool, or a part of it. */
export const seizedInPool = (owner: Keypair, change: (positions: Positions) => Positions): Deed => (state) => {
  const { pool } = lendingContracts
  const data = state.get(keyOfContractData(pool, positionsKey(addressOf(owner.publicKey())), "persistent"))?.data
  assert(data?.type === "contractData")
  return state.set(
    dataEntries(
      pool,
      [positionsKey(addressOf(owner.publicKey())), positionsVal(change(asPositions(data.contractData.val)))],
      "persistent",
      far
    )
  )
}

/** Adds stroops to an account. */
const paid = (owner: Keypair, amount: bigint): Deed => (state) => {
  const found = state.get(accountKey(owner.publicKey()))
  assert(found?.data.type === "account")
  const { account } = found.data
  return state.set([
    new xdr.LedgerEntry({ ...found, data: xdr.LedgerEntryData.account(withFields(account, { balance: account.balance + amount })) })
  ])
}

/** Links a denomination's vaults anew; omitted ones are gone. */
const relinked = (denomination: Denomination, kept: ReadonlyArray<Omit<Vault, "nextKey">>): Deed => (state) => {
  const { vaults } = vaultsContracts
  const ordered = kept.toSorted((left, right) => (left.index < right.index ? -1 : 1))
  const gone = vaultsIn(state, denomination).filter((one) =>
    !kept.some(({ account }) => compareValues(xdr.ScVal.scvAddress(account), xdr.ScVal.scvAddress(one.account)) === 0)
  )
  const lowestKey = ordered[0] === undefined ? null : keyOfVault({ ...ordered[0], nextKey: null })
  const without = state.delete(
    gone.flatMap(({ account }) =>
      [vaultKey(account, denomination), vaultIndexKey(account, denomination)].map((key) => keyOfContractData(vaults, key, "persistent"))
    )
  )
  return without.set([
    ...contractEntries(
      vaults,
      vaultsHash,
      storageOf(state, vaults).map(([key, val]) =>
        [key, compareValues(key, infoKey(denomination)) === 0 ? writeInfo({ ...readInfo(val), lowestKey }) : val] as const
      ),
      far
    ),
    ...ordered.flatMap((vault, at) => {
      const next = ordered[at + 1]
      return [
        ...dataEntries(
          vaults,
          [
            vaultKey(vault.account, denomination),
            writeVault({ ...vault, nextKey: next === undefined ? null : keyOfVault({ ...next, nextKey: null }) })
          ],
          "persistent",
          far
        ),
        ...dataEntries(vaults, [vaultIndexKey(vault.account, denomination), u128(vault.index)], "persistent", far)
      ]
    })
  ])
}

/** Removes this share (numerator of four) of a vault's debt and as much collateral; the rest of the collateral is paid back. */
export const vaultSeized = (owner: Keypair, denomination: Denomination, quarters: 2n | 4n, refund: bigint): Deed => (state) => {
  const own = xdr.ScVal.scvAddress(addressOf(owner.publicKey()))
  const kept = vaultsIn(state, denomination).flatMap((vault) => {
    if (compareValues(xdr.ScVal.scvAddress(vault.account), own) !== 0) return [vault]
    if (quarters === 4n) return []
    const [totalCollateral, totalDebt] = [
      vault.totalCollateral - (vault.totalCollateral * quarters) / 5n,
      vault.totalDebt - (vault.totalDebt * quarters) / 4n
    ]
    return [{ ...vault, totalCollateral, totalDebt, index: indexOf(totalCollateral, totalDebt) }]
  })
  return paid(owner, refund)(relinked(denomination, kept)(state))
}
