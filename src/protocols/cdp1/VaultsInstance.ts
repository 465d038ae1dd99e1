import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Either, Schema } from "effect"
import { ParseResult } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { Bool, Contract, Holder, Row, Struct, Symbol, Tag, U128, U64 } from "./ContractValue.ts"
import { OptionalVaultKey } from "./VaultKey.ts"
import type { Denomination, VaultKey } from "./VaultKey.ts"

const CoreState = Struct({
  admin: Holder,
  col_token: Contract,
  fee: U128,
  oracle: Contract,
  panic_mode: Bool,
  protocol_manager: Holder,
  stable_issuer: Holder,
  treasury: Holder
})

const CurrencyValue = Struct({ active: Bool, contract: Contract, denomination: Symbol })

const VaultsInfo = Struct({
  denomination: Symbol,
  lowest_key: OptionalVaultKey,
  min_col_rate: U128,
  min_debt_creation: U128,
  opening_col_rate: U128,
  total_col: U128,
  total_debt: U128,
  total_vaults: U64
})

/** One denomination as the contract keeps it. */
export interface Currency {
  readonly denomination: Denomination
  /** The token the contract burns when a debt is paid: taken from here and never derived from an issuer. */
  readonly stablecoin: ContractAddress
  /** Whether new vaults may be opened; paying a debt works either way. */
  readonly active: boolean
  /** Null while the denomination has never had conditions, and so no vaults. */
  readonly list: VaultsList | null
}

/** All vaults of one denomination. */
export interface VaultsList {
  /** The first of the list, which ascends by index; null when it is empty. */
  readonly lowest: VaultKey | null
  readonly totalVaults: bigint
  /** A vault below this ratio of collateral to debt can be liquidated by anybody. Scale 10^7. */
  readonly minimumRatio: bigint
  /** The least debt a vault may have. */
  readonly minimumDebt: bigint
}

/** What the instance of the vaults contract says. */
export interface VaultsInstance {
  /** SHA-256 of the code, hex; null when it is no plain code (a stellar asset, or a reference elsewhere). */
  readonly wasmHash: string | null
  readonly collateralToken: ContractAddress
  /** Share of the collateral kept when a vault is closed. Scale 10^7. */
  readonly fee: bigint
  readonly treasury: string
  readonly oracle: ContractAddress
  readonly currencies: ReadonlyMap<Denomination, Currency>
}

const CoreStateKey = Row(Tag("CoreState"))
const CurrencyKey = Row(Tag("Currency"), Symbol)
const VaultsInfoKey = Row(Tag("VaultsInfo"), Symbol)

/** The code of a contract, from its instance: hex of its hash, or null. */
export const wasmHashOf = (instance: xdr.ScContractInstance): string | null =>
  instance.executable.type === "contractExecutableWasm" ? Buffer.from(instance.executable.wasmHash.toBytes()).toString("hex") : null

/** Reads an instance. Keys of other kinds are the contract's business; the ones read here must be whole. */
export const decodeInstance = (value: xdr.ScVal): Effect.Effect<VaultsInstance, ParseResult.ParseError> =>
  Effect.gen(function*() {
    if (value.type !== "scvContractInstance") return yield* misfit(value, "a contract instance")
    const stored = value.instance.storage ?? []
    const under = <A>(key: Schema.Schema<A, xdr.ScVal>): ReadonlyArray<readonly [A, xdr.ScVal]> =>
      stored.flatMap((entry) => Either.match(Schema.decodeEither(key)(entry.key), { onLeft: () => [], onRight: (name) => [[name, entry.val] as const] }))
    const cores = under(CoreStateKey)
    const core = yield* Schema.decode(CoreState)(cores[0]?.[1] ?? (yield* misfit(value, "an instance with a CoreState")))
    const lists = new Map<Denomination, VaultsList>()
    for (const [[, denomination], raw] of under(VaultsInfoKey)) {
      const info = yield* Schema.decode(VaultsInfo)(raw)
      if (info.denomination !== denomination) return yield* misfit(raw, `the vaults of ${denomination}`)
      lists.set(denomination, {
        lowest: info.lowest_key,
        totalVaults: info.total_vaults,
        minimumRatio: info.min_col_rate,
        minimumDebt: info.min_debt_creation
      })
    }
    const currencies = new Map<Denomination, Currency>()
    for (const [[, denomination], raw] of under(CurrencyKey)) {
      const currency = yield* Schema.decode(CurrencyValue)(raw)
      if (currency.denomination !== denomination) return yield* misfit(raw, `the currency ${denomination}`)
      currencies.set(denomination, {
        denomination,
        stablecoin: currency.contract,
        active: currency.active,
        list: lists.get(denomination) ?? null
      })
    }
    return {
      wasmHash: wasmHashOf(value.instance),
      collateralToken: core.col_token,
      fee: core.fee,
      treasury: core.treasury,
      oracle: core.oracle,
      currencies
    }
  })

const misfit = (value: xdr.ScVal, expected: string) =>
  new ParseResult.ParseError({ issue: new ParseResult.Type(Schema.String.ast, value.type, expected) })
