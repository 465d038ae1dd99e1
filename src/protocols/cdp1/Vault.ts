import { Either } from "effect"
import { address, struct, symbol, u128 } from "../../stellar/ScValCodec.ts"
import type { ScValCodec } from "../../stellar/ScValCodec.ts"
import { OptionalVaultKey } from "./VaultKey.ts"
import type { VaultKey } from "./VaultKey.ts"

const VaultStruct = struct({
  account: address,
  denomination: symbol,
  index: u128,
  next_key: OptionalVaultKey,
  total_collateral: u128,
  total_debt: u128
})

/** A vault: collateral locked by an owner, and the stablecoin lent against it. Amounts in base units of their tokens. */
export interface Vault {
  readonly key: VaultKey
  /** The vault above it in the list of its denomination; null for the highest. */
  readonly next: VaultKey | null
  readonly collateral: bigint
  readonly debt: bigint
}

/** The value under a `Vault` key. */
export const Vault: ScValCodec<Vault> = {
  decode: (value) =>
    Either.map(VaultStruct.decode(value), ({ account, denomination, index, next_key, total_collateral, total_debt }) => ({
      key: { account, denomination, index },
      next: next_key,
      collateral: total_collateral,
      debt: total_debt
    })),
  encode: ({ collateral, debt, key, next }) =>
    VaultStruct.encode({ ...key, next_key: next, total_collateral: collateral, total_debt: debt })
}
