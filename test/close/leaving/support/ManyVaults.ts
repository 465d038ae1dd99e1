import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import { addressOf, compareValues, strkeyOf, u128 } from "../../../../src/ledger/soroban/Values.ts"
import { contractEntries, dataEntries } from "../../../../src/sandbox/contracts/Deployment.ts"
import { vaultsHash } from "../../../../src/sandbox/contracts/vaults/Vaults.ts"
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
import { Network } from "../../../../src/sandbox/Network.ts"
import { vaultsContracts } from "../../../../src/sandbox/scenarios/VaultsContracts.ts"
import { vaultsIn } from "../../../../src/sandbox/scenarios/VaultsList.ts"
import { keyOfInstance } from "../../../../src/xdr/LedgerKeys.ts"
import { VaultsPair } from "../../../support/scenarios/VaultsPair.ts"

const { vaults } = vaultsContracts
const FAR = 70_000_000

const entriesOf = (vault: Vault) => [
  ...dataEntries(vaults, [vaultKey(vault.account, vault.denomination), writeVault(vault)], "persistent", FAR),
  ...dataEntries(vaults, [vaultIndexKey(vault.account, vault.denomination), u128(vault.index)], "persistent", FAR)
]

/** Raises the count in the list of USD by this many vaults. */
const counted = (state: LedgerState, more: number) => {
  const data = state.get(keyOfInstance(vaults))?.data
  const value = data?.type === "contractData" ? data.contractData.val : null
  if (value?.type !== "scvContractInstance") throw new Error("no vaults")
  const storage = (value.instance.storage ?? []).map(({ key, val }) => {
    if (compareValues(key, infoKey("USD")) !== 0) return [key, val] as const
    const info = readInfo(val)
    return [key, writeInfo({ ...info, totalVaults: info.totalVaults + BigInt(more) })] as const
  })
  return contractEntries(vaults, vaultsHash, storage, FAR)
}

/** Vaults of this many strangers just below that of an account in USD. */
const crowded = (owner: string, more: number) => (state: LedgerState): LedgerState => {
  const list = vaultsIn(state, "USD")
  const place = list.findIndex(({ account }) => strkeyOf(account) === owner)
  const [below, own] = [list[place - 1], list[place]]
  if (below === undefined || own === undefined) throw new Error("it is the lowest")
  const keys = Array.from(
    { length: more },
    (_, at) => ({ account: addressOf(Keypair.random().publicKey()), denomination: "USD", index: own.index - BigInt(more - at) })
  )
  const between = keys.map((key, at): Vault => ({ ...below, ...key, nextKey: keys[at + 1] ?? keyOfVault(own) }))
  return state.set([...[{ ...below, nextKey: keys[0] ?? keyOfVault(own) }, ...between].flatMap(entriesOf), ...counted(state, more)])
}

/** An account with two vaults, one of which stands above the vaults of this many strangers. */
export const VaultsCrowded = (more: number) =>
  Effect.gen(function*() {
    const scene = yield* VaultsPair
    yield* (yield* Network).amend(crowded(scene.source.publicKey(), more))
    return scene
  })
