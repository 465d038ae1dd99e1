import { Address, xdr } from "@stellar/stellar-sdk"
import { Schema } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { Holder, Row, Struct, Symbol, Tag, U128 } from "./ContractValue.ts"

/** What the contract calls a currency, for instance `USD`: not the code of the asset it lends. */
export type Denomination = string

/** The denominations the contract was written for; its instance may hold more. */
export const knownDenominations: ReadonlyArray<Denomination> = ["USD", "EUR", "GBP"]

/** Names one vault. `index` is its collateral over its debt and changes with them; the owner and the denomination stay. */
export const VaultKey = Struct({ account: Holder, denomination: Symbol, index: U128 })
export type VaultKey = typeof VaultKey.Type

const None = Row(Tag("None"))

const Some = Row(Tag("Some"), VaultKey)

/** The contract's own option type, which is not the host's: `["None"]` or `["Some", key]`. Null stands for none. */
export const OptionalVaultKey: Schema.Schema<VaultKey | null, xdr.ScVal> = Schema.transform(
  Schema.Union(None, Some),
  Schema.NullOr(Schema.typeSchema(VaultKey)),
  {
    strict: true,
    decode: (variant) => (variant[0] === "Some" ? variant[1] : null),
    encode: (key) => (key === null ? ["None"] as const : ["Some", key] as const)
  }
)

export const sameVault = (left: VaultKey, right: VaultKey): boolean =>
  left.account === right.account && left.denomination === right.denomination && left.index === right.index

const VaultDataKey = Row(Tag("Vault"), Row(Holder, Symbol))

const VaultIndexDataKey = Row(Tag("VaultIndex"), Struct({ denomination: Symbol, user: Holder }))

const persistent = (contract: ContractAddress, key: xdr.ScVal): xdr.LedgerKey =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: new Address(contract).toScAddress(),
      key,
      durability: xdr.ContractDataDurability.persistent
    })
  )

/** Where the vault of an owner in one denomination is kept: there is at most one. */
export const vaultKey = (contract: ContractAddress, owner: AccountAddress | ContractAddress, denomination: Denomination): xdr.LedgerKey =>
  persistent(contract, Schema.encodeSync(VaultDataKey)(["Vault", [owner, denomination]]))

/** Where the index of that vault is kept beside it. */
export const vaultIndexKey = (contract: ContractAddress, owner: AccountAddress | ContractAddress, denomination: Denomination): xdr.LedgerKey =>
  persistent(contract, Schema.encodeSync(VaultIndexDataKey)(["VaultIndex", { denomination, user: owner }]))

/** The instance of a contract: its code and the settings it keeps. */
export const instanceKey = (contract: ContractAddress): xdr.LedgerKey => persistent(contract, xdr.ScVal.scvLedgerKeyContractInstance())
