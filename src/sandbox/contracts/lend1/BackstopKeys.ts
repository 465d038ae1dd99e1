import type { xdr } from "@stellar/stellar-sdk"
import { addressVal, struct, symbol, variant } from "../../../ledger/soroban/Values.ts"

/** What the instance of the backstop keeps. */
export const backstopInstanceKeys = {
  blnd: symbol("BLNDTkn"),
  token: symbol("BToken"),
  emitter: symbol("Emitter"),
  poolFactory: symbol("PoolFact"),
  usdc: symbol("USDCTkn")
} as const

/** Pools that get emissions. */
export const rewardZoneKey: xdr.ScVal = symbol("RZ")

const ofUser = (tag: string, pool: xdr.ScAddress, user: xdr.ScAddress): xdr.ScVal =>
  variant(tag, struct({ pool: addressVal(pool), user: addressVal(user) }))

export const userBalanceKey = (pool: xdr.ScAddress, user: xdr.ScAddress): xdr.ScVal => ofUser("UserBalance", pool, user)

export const userBackstopEmissionKey = (pool: xdr.ScAddress, user: xdr.ScAddress): xdr.ScVal => ofUser("UEmisData", pool, user)

export const poolBalanceKey = (pool: xdr.ScAddress): xdr.ScVal => variant("PoolBalance", addressVal(pool))

/** Of the first version: until when a pool's backstop earns, and how much a second. */
export const backstopEmissionConfigKey = (pool: xdr.ScAddress): xdr.ScVal => variant("BEmisCfg", addressVal(pool))

export const backstopEmissionKey = (pool: xdr.ScAddress): xdr.ScVal => variant("BEmisData", addressVal(pool))
