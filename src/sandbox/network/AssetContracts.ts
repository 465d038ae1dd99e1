import type { xdr } from "@stellar/stellar-sdk"
import type { AppliedTransaction } from "../../ledger/Apply.ts"
import { heldAsset } from "../../ledger/Asset.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { sha256 } from "../../ledger/Signatures.ts"
import { assetContractId } from "../../ledger/soroban/ContractEntries.ts"
import { contractAddress } from "../../ledger/soroban/Values.ts"
import { keyOfInstance } from "../../xdr/LedgerKeys.ts"
import { assetContractEntries } from "../contracts/Deployment.ts"

/** Ledgers for which a contract that the sandbox deploys is paid. */
const life = 3_000_000

/** Whether the contract of an asset is there, archived or not. */
const isDeployed = (state: LedgerState, asset: xdr.Asset, passphrase: string): boolean =>
  state.get(keyOfInstance(contractAddress(assetContractId(asset, sha256(Buffer.from(passphrase)))))) !== undefined

/** A ledger in which each of the assets has its contract, at the address that follows from asset and passphrase. One that is there stays as it is. */
export const withAssetContracts = (state: LedgerState, assets: ReadonlyArray<xdr.Asset>, passphrase: string): LedgerState => {
  const missing = assets.filter((asset) => !isDeployed(state, asset, passphrase))
  const until = state.header.ledgerSeq + life
  return missing.length === 0 ? state : state.set(missing.flatMap((asset) => assetContractEntries(asset, passphrase, until)))
}

const heldIn = ({ data }: xdr.LedgerEntry): ReadonlyArray<xdr.Asset> => {
  if (data.type === "claimableBalance") return [data.claimableBalance.asset]
  return data.type === "trustline" && data.trustLine.asset.type !== "assetTypePoolShare" ? [heldAsset(data.trustLine.asset)] : []
}

/** The assets that transactions brought someone to hold: those of the trustlines and claimable balances they made. */
export const assetsTakenUp = (transactions: ReadonlyArray<AppliedTransaction>): ReadonlyArray<xdr.Asset> =>
  transactions
    .flatMap(({ meta }) => meta.operations.flat())
    .flatMap((change) => (change.type === "ledgerEntryCreated" ? heldIn(change.created) : []))
