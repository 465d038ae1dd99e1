import { Asset, type xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { asI128, asString, asSymbol, field, lookup, strkeyOf, symbol } from "../../ledger/soroban/Values.ts"

/** What contracts hold of one asset. */
export interface ContractHolding {
  readonly asset: xdr.Asset
  readonly contracts: number
  /** Stroops. */
  readonly amount: bigint
}

const dataIn = (state: LedgerState): ReadonlyArray<xdr.ContractDataEntry> =>
  [...state.entries()].flatMap(({ data }) => (data.type === "contractData" ? [data.contractData] : []))

/** The issued asset that an instance is the contract of; null for any other entry. */
const assetOf = ({ val }: xdr.ContractDataEntry): xdr.Asset | null => {
  if (val.type !== "scvContractInstance" || val.instance.executable.type !== "contractExecutableStellarAsset") return null
  const metadata = (val.instance.storage ?? []).find(({ key }) => key.type === "scvSymbol" && asSymbol(key) === "METADATA")?.val
  const [code = "", issuer] = metadata === undefined ? [] : asString(field(metadata, "name")).split(":")
  return issuer === undefined ? null : new Asset(code, issuer).toXdrObject()
}

const isBalance = ({ key }: xdr.ContractDataEntry): boolean =>
  key.type === "scvVec" && key.vec?.length === 2 && key.vec[0]?.type === "scvSymbol" && asSymbol(key.vec[0]) === "Balance"

/** Balances that the contracts of issued assets keep: those of contracts, for accounts have trustlines. */
export const contractHoldings = (state: LedgerState): ReadonlyArray<ContractHolding> => {
  const data = dataIn(state)
  const held = new Map<string, { readonly asset: xdr.Asset; contracts: number; amount: bigint }>()
  for (const entry of data) {
    const asset = assetOf(entry)
    if (asset !== null) held.set(strkeyOf(entry.contract), { asset, contracts: 0, amount: 0n })
  }
  for (const entry of data) {
    const one = isBalance(entry) ? held.get(strkeyOf(entry.contract)) : undefined
    const amount = entry.val.type === "scvMap" ? lookup(entry.val, symbol("amount")) : undefined
    if (one === undefined || amount === undefined) continue
    one.contracts += 1
    one.amount += asI128(amount)
  }
  return [...held.values()].filter(({ contracts }) => contracts > 0)
}
