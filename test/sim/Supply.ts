import type { xdr } from "@stellar/stellar-sdk"
import { type AssetId, native } from "../../src/domain/Asset.ts"
import { asI128, field, strkeyOf } from "../../src/ledger/soroban/Values.ts"
import type { TransactionRecord } from "../../src/sandbox/network/LedgerRecord.ts"
import { plainAddress } from "../../src/sandbox/network/TransactionFacts.ts"
import { assetIdOf, sdkAsset } from "../../src/stellar/Assets.ts"

/** Assets by the address of their contract. */
export type AssetContracts = Map<string, AssetId>

const isBalance = ({ key, val }: xdr.ContractDataEntry): boolean =>
  val.type === "scvMap" && key.type === "scvVec" && key.vec?.[0]?.type === "scvSymbol" && String(key.vec[0].sym) === "Balance"

/** An entry's amounts of the ledger's assets, in base units. */
export const heldIn = ({ data }: xdr.LedgerEntry, contracts: AssetContracts): ReadonlyArray<readonly [AssetId, bigint]> => {
  switch (data.type) {
    case "account":
      return [[native, data.account.balance]]
    case "trustline": {
      const asset = assetIdOf(data.trustLine.asset)
      return asset === null ? [] : [[asset, data.trustLine.balance]]
    }
    case "claimableBalance":
      return [[assetIdOf(data.claimableBalance.asset), data.claimableBalance.amount]]
    case "liquidityPool": {
      const { params, reserveA, reserveB } = data.liquidityPool.body.constantProduct
      return [[assetIdOf(params.assetA), reserveA], [assetIdOf(params.assetB), reserveB]]
    }
    case "contractData": {
      const asset = contracts.get(strkeyOf(data.contractData.contract))
      return asset === undefined || !isBalance(data.contractData) ? [] : [[asset, asI128(field(data.contractData.val, "amount"))]]
    }
    default:
      return []
  }
}

const assetsOf = ({ type }: xdr.LedgerEntryData): ReadonlyArray<AssetId> => (type === "account" ? [native] : [])

/** Adds the contract of a new asset. */
export const learn = ({ data }: xdr.LedgerEntry, contracts: AssetContracts, passphrase: string): void => {
  const [asset] = data.type === "trustline" ? [assetIdOf(data.trustLine.asset)] : assetsOf(data)
  if (asset === undefined || asset === null || [...contracts.values()].includes(asset)) return
  contracts.set(sdkAsset(asset).contractId(passphrase), asset)
}

const received = ({ body }: xdr.Operation): ReadonlyArray<xdr.MuxedAccount> => {
  switch (body.type) {
    case "payment":
      return [body.paymentOp.destination]
    case "pathPaymentStrictReceive":
      return [body.pathPaymentStrictReceiveOp.destination]
    case "pathPaymentStrictSend":
      return [body.pathPaymentStrictSendOp.destination]
    default:
      return []
  }
}

/** The issuer whose assets a call may mint or burn, by the called contract. */
export type Minters = ReadonlyMap<string, string>

const mintedBy = ({ body }: xdr.Operation, minters: Minters): ReadonlyArray<string> => {
  const called = body.type === "invokeHostFunction" ? body.invokeHostFunctionOp.hostFunction : null
  const issuer = called?.type === "hostFunctionTypeInvokeContract"
    ? minters.get(strkeyOf(called.invokeContract.contractAddress))
    : undefined
  return issuer === undefined ? [] : [issuer]
}

/**
 * Accounts whose own assets transactions may have minted or burned: their sources, their payees, and the issuers behind minting contracts.
 */
export const actorsIn = (transactions: ReadonlyArray<TransactionRecord>, minters: Minters): ReadonlySet<string> =>
  new Set(transactions.flatMap(({ facts: { source, transaction } }) => [
    source,
    ...transaction.operations.flatMap((operation) => [
      ...(operation.sourceAccount === null ? [] : [plainAddress(operation.sourceAccount)]),
      ...received(operation).map(plainAddress),
      ...mintedBy(operation, minters)
    ])
  ]))

/** The issuer in the name of an asset; null for lumens. */
export const issuerIn = (asset: AssetId): string | null => /G[A-Z2-7]{55}/.exec(asset)?.[0] ?? null
