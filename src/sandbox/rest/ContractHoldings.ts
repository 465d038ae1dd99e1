import { Asset, type xdr } from "@stellar/stellar-sdk"
import { objectMemo } from "../../fibers/ObjectMemo.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { asI128, asString, asSymbol, field, lookup, strkeyOf, symbol } from "../../ledger/soroban/Values.ts"

/** What contracts hold of one asset. */
export interface ContractHolding {
  readonly asset: xdr.Asset
  readonly contracts: number
  /** Stroops. */
  readonly amount: bigint
}

/** The issued asset that an instance is the contract of; null for any other entry. */
const assetOf = ({ val }: xdr.ContractDataEntry): xdr.Asset | null => {
  if (val.type !== "scvContractInstance" || val.instance.executable.type !== "contractExecutableStellarAsset") return null
  const metadata = (val.instance.storage ?? []).find(({ key }) => key.type === "scvSymbol" && asSymbol(key) === "METADATA")?.val
  const [code = "", issuer] = metadata === undefined ? [] : asString(field(metadata, "name")).split(":")
  return issuer === undefined ? null : new Asset(code, issuer).toXdrObject()
}

const isBalance = ({ key }: xdr.ContractDataEntry): boolean =>
  key.type === "scvVec" && key.vec?.length === 2 && key.vec[0]?.type === "scvSymbol" && asSymbol(key.vec[0]) === "Balance"

/** What an entry of a contract tells of issued assets. */
type AssetFact =
  | { readonly _tag: "AssetContract"; readonly contract: string; readonly asset: xdr.Asset }
  | { readonly _tag: "ContractBalance"; readonly contract: string; readonly amount: bigint }
  | { readonly _tag: "Other" }

const read = (entry: xdr.ContractDataEntry): AssetFact => {
  const asset = assetOf(entry)
  if (asset !== null) return { _tag: "AssetContract", contract: strkeyOf(entry.contract), asset }
  const amount = isBalance(entry) && entry.val.type === "scvMap" ? lookup(entry.val, symbol("amount")) : undefined
  return amount?.type !== "scvI128"
    ? { _tag: "Other" }
    : { _tag: "ContractBalance", contract: strkeyOf(entry.contract), amount: asI128(amount) }
}

/** Entries never change, and each ledger has most of those before it: each is read once. */
const factIn = objectMemo(read)

/** Balances that the contracts of issued assets keep: those of contracts, for accounts have trustlines. */
export const contractHoldings = (state: LedgerState): ReadonlyArray<ContractHolding> => {
  const held = new Map<string, { readonly asset: xdr.Asset; contracts: number; amount: bigint }>()
  const balances: Array<Extract<AssetFact, { readonly _tag: "ContractBalance" }>> = []
  for (const { data } of state.entries()) {
    const fact = data.type === "contractData" ? factIn(data.contractData) : null
    if (fact?._tag === "AssetContract") held.set(fact.contract, { asset: fact.asset, contracts: 0, amount: 0n })
    if (fact?._tag === "ContractBalance") balances.push(fact)
  }
  for (const { amount, contract } of balances) {
    const one = held.get(contract)
    if (one === undefined) continue
    one.contracts += 1
    one.amount += amount
  }
  return [...held.values()].filter(({ contracts }) => contracts > 0)
}
