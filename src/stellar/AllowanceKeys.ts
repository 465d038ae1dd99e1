import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import { contractDataKey } from "./ContractKeys.ts"
import { nameOfAddress } from "./ScAddresses.ts"
import { address, i128, struct, variant, variantIn } from "./ScValCodec.ts"

/** Whose tokens someone may take; null where it cannot be made out. */
interface Parties {
  readonly owner: string | null
  readonly spender: string | null
}

/** The value of a symbol of a map by the first of its names that is there. */
export const fieldOf = (value: xdr.ScVal | null, ...names: ReadonlyArray<string>): xdr.ScVal | undefined =>
  value?.type === "scvMap"
    ? (value.map ?? []).find(({ key }) => key.type === "scvSymbol" && names.includes(key.sym.toString()))?.val
    : undefined

const addressText = (
  value: xdr.ScVal | undefined
): string | null => (value?.type === "scvAddress" ? nameOfAddress(value.address) : null)

/** Who stands in the key of an allowance, in either of the two forms tokens keep it in. */
export const partiesIn = (key: xdr.ScVal): Parties => {
  const parties = variantIn(key, "Allowance")
  return { owner: addressText(fieldOf(parties, "from", "owner")), spender: addressText(fieldOf(parties, "spender")) }
}

/** The keys of allowances that an account gave. */
export const allowanceKeysIn = (keys: ReadonlyArray<xdr.LedgerKey>, owner: AccountAddress): ReadonlyArray<xdr.LedgerKey> =>
  keys.filter((key) => key.type === "contractData" && partiesIn(key.contractData.key).owner === owner)

const FromSpender = struct({ from: address, spender: address })
const OwnerSpender = struct({ owner: address, spender: address })

/** Under which keys a token may keep what an owner lets a spender take: as the contracts of assets and most others do, and as a later family does. */
export const allowanceKeysOf = (
  token: ContractAddress,
  owner: AccountAddress,
  spender: string
): readonly [fromSpender: xdr.LedgerKey, ownerSpender: xdr.LedgerKey] => [
  contractDataKey(token, variant("Allowance", FromSpender.encode({ from: owner, spender })), "temporary"),
  contractDataKey(token, variant("Allowance", OwnerSpender.encode({ owner, spender })), "temporary")
]

/** What the entry of an allowance says. */
export interface StoredAllowance extends Parties {
  readonly token: string
  /** Base units; null where it cannot be made out, which is never taken for nothing. */
  readonly amount: bigint | null
  /** The last ledger in which it is live, regardless of what becomes of its entry; null where it cannot be made out. */
  readonly until: number | null
}

/** What an entry lets a spender take, in either of the forms tokens keep it in; null for one that is no allowance. */
export const storedAllowance = (entry: xdr.LedgerEntry | null): StoredAllowance | null => {
  if (entry?.data.type !== "contractData") return null
  const { contract, key, val } = entry.data.contractData
  if (variantIn(key, "Allowance") === null) return null
  const [amount, until] = [fieldOf(val, "amount"), fieldOf(val, "live_until_ledger", "expiration_ledger")]
  return {
    ...partiesIn(key),
    token: nameOfAddress(contract),
    amount: amount === undefined ? null : Either.getOrNull(i128.decode(amount)),
    until: until?.type === "scvU32" ? until.u32 : null
  }
}
