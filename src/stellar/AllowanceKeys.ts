import { Address, type xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../domain/Address.ts"
import { variantIn } from "./ScValCodec.ts"

/** Whose tokens somebody may take; null where it cannot be made out. */
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
): string | null => (value?.type === "scvAddress" ? Address.fromScAddress(value.address).toString() : null)

/** Who stands in the key of an allowance, in either of the two forms tokens keep it in. */
export const partiesIn = (key: xdr.ScVal): Parties => {
  const parties = variantIn(key, "Allowance")
  return { owner: addressText(fieldOf(parties, "from", "owner")), spender: addressText(fieldOf(parties, "spender")) }
}

/** The keys of allowances that an account gave. */
export const allowanceKeysIn = (keys: ReadonlyArray<xdr.LedgerKey>, owner: AccountAddress): ReadonlyArray<xdr.LedgerKey> =>
  keys.filter((key) => key.type === "contractData" && partiesIn(key.contractData.key).owner === owner)
