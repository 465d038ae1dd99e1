import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { address, bool, contract, payloadsOf, struct, symbol, u128, u64, variant } from "../../stellar/ScValCodec.ts"
import type { ScValCodec, ScValMisfit } from "../../stellar/ScValCodec.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import { OptionalVaultKey } from "./VaultKey.ts"
import type { Denomination, VaultKey } from "./VaultKey.ts"

const CoreState = struct({
  admin: address,
  col_token: contract,
  fee: u128,
  oracle: contract,
  panic_mode: bool,
  protocol_manager: address,
  stable_issuer: address,
  treasury: address
})

const StoredCurrency = struct({ active: bool, contract, denomination: symbol })

const VaultsInfo = struct({
  denomination: symbol,
  lowest_key: OptionalVaultKey,
  min_col_rate: u128,
  min_debt_creation: u128,
  opening_col_rate: u128,
  total_col: u128,
  total_debt: u128,
  total_vaults: u64
})

/** What holds for all vaults. */
export interface Core {
  /** The token that all collateral is in. */
  readonly collateralToken: ContractAddress
  /** Share of the collateral kept when a vault is closed. Scale 10^7. */
  readonly fee: bigint
  readonly treasury: string
  readonly oracle: ContractAddress
}

/** What is lent in one denomination. */
export interface Currency {
  /** The token the contract burns when a debt is paid: taken from here and never derived from an issuer. */
  readonly stablecoin: ContractAddress
  /** Whether new vaults may be opened. A debt can be paid either way. */
  readonly active: boolean
}

/** All vaults of one denomination, a list linked upwards by `next`. */
export interface VaultList {
  /** The first; null when the list is empty. */
  readonly lowest: VaultKey | null
  readonly totalVaults: bigint
  /** Anyone may liquidate a vault below this ratio of collateral to debt. Scale 10^7. */
  readonly minimumRatio: bigint
  /** The least debt a vault may have. */
  readonly minimumDebt: bigint
}

/** What is decoded of a setting, or why it does not decode. */
type SettingResult<A> = Either.Either<A, ScValMisfit>

/** What the instance storage of the vaults contract says. Null: it has no such key. */
export interface VaultSettings {
  readonly core: SettingResult<Core | null>
  readonly currency: (denomination: Denomination) => SettingResult<Currency | null>
  readonly list: (denomination: Denomination) => SettingResult<VaultList | null>
  /** Every denomination the contract has heard of. */
  readonly denominations: ReadonlyArray<Denomination>
}

/** Reads the instance storage (`CoreState`, `Currency`, `VaultsInfo`); other keys are the contract's own business. */
export const settingsIn = (instance: xdr.ScContractInstance): VaultSettings => {
  const stored = new Map((instance.storage ?? []).map(({ key, val }) => [xdrBase64(key), val] as const))
  const under = <A>(key: xdr.ScVal, codec: ScValCodec<A>): SettingResult<A | null> => {
    const value = stored.get(xdrBase64(key))
    return value === undefined ? Either.right(null) : codec.decode(value)
  }
  const named = (kind: string): ReadonlyArray<Denomination> =>
    (instance.storage ?? []).flatMap(({ key }) =>
      (payloadsOf(kind, key) ?? []).flatMap((name) =>
        Either.match(symbol.decode(name), {
          onLeft: () => [],
          onRight: (denomination) => [denomination]
        })
      )
    )
  return {
    core: Either.map(
      under(variant("CoreState"), CoreState),
      (core) => core && { collateralToken: core.col_token, fee: core.fee, treasury: core.treasury, oracle: core.oracle }
    ),
    currency: (denomination) =>
      Either.flatMap(under(variant("Currency", symbol.encode(denomination)), StoredCurrency), (currency) =>
        currency === null
          ? Either.right(null)
          : ofDenomination(denomination, currency.denomination, { stablecoin: currency.contract, active: currency.active })),
    list: (denomination) =>
      Either.flatMap(under(variant("VaultsInfo", symbol.encode(denomination)), VaultsInfo), (info) =>
        info === null
          ? Either.right(null)
          : ofDenomination(denomination, info.denomination, {
            lowest: info.lowest_key,
            totalVaults: info.total_vaults,
            minimumRatio: info.min_col_rate,
            minimumDebt: info.min_debt_creation
          })),
    denominations: [...new Set([...named("Currency"), ...named("VaultsInfo")])].toSorted()
  }
}

/** A value of the contract, where it is of the requested denomination. */
const ofDenomination = <A>(requested: Denomination, found: Denomination, value: A): SettingResult<A> =>
  requested === found ? Either.right(value) : Either.left({ path: ["denomination"], expected: requested })
