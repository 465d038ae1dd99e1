import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import type { ParseResult } from "effect"
import { Holder, Struct, Symbol, U128 } from "./ContractValue.ts"
import { OptionalVaultKey } from "./VaultKey.ts"
import type { VaultKey } from "./VaultKey.ts"

const VaultValue = Struct({
  account: Holder,
  denomination: Symbol,
  index: U128,
  next_key: OptionalVaultKey,
  total_collateral: U128,
  total_debt: U128
})

/** A vault: collateral locked by an owner, and the stablecoin lent against it. Amounts in base units of their tokens. */
export interface Vault {
  readonly key: VaultKey
  /** The vault above it in the list of its denomination; null for the highest. */
  readonly next: VaultKey | null
  readonly collateral: bigint
  readonly debt: bigint
}

/** Reads the value under a `Vault` key. */
export const decodeVault = (value: xdr.ScVal): Effect.Effect<Vault, ParseResult.ParseError> =>
  Effect.map(Schema.decode(VaultValue)(value), ({ account, denomination, index, next_key, total_collateral, total_debt }) => ({
    key: { account, denomination, index },
    next: next_key,
    collateral: total_collateral,
    debt: total_debt
  }))

/** Reads the value under a `VaultIndex` key. */
export const decodeVaultIndex: (value: xdr.ScVal) => Effect.Effect<bigint, ParseResult.ParseError> = Schema.decode(U128)
