import type { xdr } from "@stellar/stellar-sdk"
import { asBool, asI128, asU32, asU64, bool, field, i128, lookup, struct, symbol, u32, u64 } from "../../../ledger/soroban/Values.ts"

/** How an asset is lent. Factors, utilisations and rates with seven decimals. */
export interface ReserveConfig {
  readonly index: number
  readonly decimals: number
  readonly cFactor: number
  readonly lFactor: number
  readonly util: number
  readonly maxUtil: number
  readonly rBase: number
  readonly rOne: number
  readonly rTwo: number
  readonly rThree: number
  readonly reactivity: number
  /** Second version only: the most base units that may be supplied, and whether anything new may be. */
  readonly cap: { readonly supply: bigint; readonly enabled: boolean } | undefined
}

/** Where lending of an asset stands as of `lastTime` (Unix seconds); supplies in shares, the credit in base units. */
export interface ReserveData {
  readonly bRate: bigint
  readonly bSupply: bigint
  readonly backstopCredit: bigint
  readonly dRate: bigint
  readonly dSupply: bigint
  readonly irMod: bigint
  readonly lastTime: bigint
}

export const reserveConfigVal = (config: ReserveConfig): xdr.ScVal =>
  struct({
    c_factor: u32(config.cFactor),
    decimals: u32(config.decimals),
    index: u32(config.index),
    l_factor: u32(config.lFactor),
    max_util: u32(config.maxUtil),
    r_base: u32(config.rBase),
    r_one: u32(config.rOne),
    r_three: u32(config.rThree),
    r_two: u32(config.rTwo),
    reactivity: u32(config.reactivity),
    util: u32(config.util),
    ...(config.cap === undefined ? {} : { enabled: bool(config.cap.enabled), supply_cap: i128(config.cap.supply) })
  })

export const asReserveConfig = (value: xdr.ScVal): ReserveConfig => {
  const number = (name: string): number => asU32(field(value, name))
  const cap = lookup(value, symbol("supply_cap"))
  return {
    index: number("index"),
    decimals: number("decimals"),
    cFactor: number("c_factor"),
    lFactor: number("l_factor"),
    util: number("util"),
    maxUtil: number("max_util"),
    rBase: number("r_base"),
    rOne: number("r_one"),
    rTwo: number("r_two"),
    rThree: number("r_three"),
    reactivity: number("reactivity"),
    cap: cap === undefined ? undefined : { supply: asI128(cap), enabled: asBool(field(value, "enabled")) }
  }
}

export const reserveDataVal = (data: ReserveData): xdr.ScVal =>
  struct({
    b_rate: i128(data.bRate),
    b_supply: i128(data.bSupply),
    backstop_credit: i128(data.backstopCredit),
    d_rate: i128(data.dRate),
    d_supply: i128(data.dSupply),
    ir_mod: i128(data.irMod),
    last_time: u64(data.lastTime)
  })

export const asReserveData = (value: xdr.ScVal): ReserveData => {
  const amount = (name: string): bigint => asI128(field(value, name))
  return {
    bRate: amount("b_rate"),
    bSupply: amount("b_supply"),
    backstopCredit: amount("backstop_credit"),
    dRate: amount("d_rate"),
    dSupply: amount("d_supply"),
    irMod: amount("ir_mod"),
    lastTime: asU64(field(value, "last_time"))
  }
}
