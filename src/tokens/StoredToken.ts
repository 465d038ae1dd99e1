import { xdr } from "@stellar/stellar-sdk"
import { Option } from "effect"
import type { EntryAnswer } from "../chain/EntryAnswer.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { AssetId } from "../domain/Asset.ts"
import { assetIn } from "../stellar/AssetTokens.ts"
import { codeOf } from "../stellar/CodeReference.ts"
import { contractDataKey, instanceKey, underHolder } from "../stellar/ContractKeys.ts"
import { account, symbol } from "../stellar/ScValCodec.ts"
import { storedAmount } from "../stellar/StoredAmount.ts"
import { metadataIn, type TokenName } from "./TokenName.ts"

/** What stands under the key of a balance, as most tokens keep it. */
export type StoredBalance =
  | { readonly _tag: "Absent" }
  /** Base units, never negative. The value of an archived entry is its last one: a transaction that moves it restores it. */
  | { readonly _tag: "Amount"; readonly amount: bigint; readonly modified: number }
  /** Something that is no balance of a known form. */
  | { readonly _tag: "Odd" }

/** What the ledger has of a token contract. */
export type StoredToken =
  /** No such contract. */
  | { readonly _tag: "Nothing" }
  /** It stands for an asset of the ledger: balances in it are those of accounts and trustlines. */
  | { readonly _tag: "Asset"; readonly asset: AssetId }
  | {
    readonly _tag: "Token"
    /** SHA-256 of its wasm (hex); null where someone else decides which code runs, and where its instance cannot be read. */
    readonly code: string | null
    readonly balance: StoredBalance
    /** Null where its instance has no metadata of the common form. */
    readonly names: TokenName | null
  }

const balanceOf = underHolder<AccountAddress>((holder) => xdr.ScVal.scvVec([symbol.encode("Balance"), account.encode(holder)]))

/** What is queried for a token: its instance, and the balance of a holder as most tokens keep it. */
export const tokenKeys = (token: ContractAddress, holder: AccountAddress): readonly [instance: xdr.LedgerKey, balance: xdr.LedgerKey] => [
  instanceKey(token),
  contractDataKey(token, balanceOf(holder))
]

/** The balance in a stored value, base units; null where it is of no known form or negative. */
export const balanceIn = (value: xdr.ScVal): bigint | null => {
  const amount = storedAmount(value)
  return amount === null || amount < 0n ? null : amount
}

const valueIn = (answer: EntryAnswer): { readonly value: xdr.ScVal; readonly modified: number } | null =>
  Option.match(answer.live, {
    onNone: () => null,
    onSome: ({ entry }) =>
      entry?.data.type === "contractData" ? { value: entry.data.contractData.val, modified: entry.lastModifiedLedgerSeq } : null
  })

const storedBalance = (answer: EntryAnswer): StoredBalance => {
  const found = valueIn(answer)
  if (found === null) return { _tag: "Absent" }
  const amount = balanceIn(found.value)
  return amount === null ? { _tag: "Odd" } : { _tag: "Amount", amount, modified: found.modified }
}

/** What the answers to `tokenKeys` say. */
export const storedToken = (token: ContractAddress, passphrase: string, instance: EntryAnswer, balance: EntryAnswer): StoredToken => {
  const value = valueIn(instance)?.value
  if (value === undefined) return { _tag: "Nothing" }
  // In a form of a newer protocol: the contract exists, and its getter is called.
  if (value.type !== "scvContractInstance") return { _tag: "Token", code: null, balance: storedBalance(balance), names: null }
  const asset = assetIn(token, value.instance, passphrase)
  if (asset !== null) return { _tag: "Asset", asset }
  const code = codeOf(value.instance)
  return {
    _tag: "Token",
    code: code._tag === "Wasm" ? code.hash : null,
    balance: storedBalance(balance),
    names: metadataIn(value.instance)
  }
}
