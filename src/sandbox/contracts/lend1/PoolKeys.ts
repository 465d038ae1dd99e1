import type { xdr } from "@stellar/stellar-sdk"
import { addressVal, struct, symbol, u32, variant } from "../../../ledger/soroban/Values.ts"

/** Assets a pool lends, in the order of their indexes. */
export const reserveListKey: xdr.ScVal = symbol("ResList")

/** What the instance of a pool keeps. */
export const poolInstanceKeys = {
  config: symbol("Config"),
  backstop: symbol("Backstop"),
  blnd: symbol("BLNDTkn"),
  admin: symbol("Admin"),
  name: symbol("Name")
} as const

export const positionsKey = (user: xdr.ScAddress): xdr.ScVal => variant("Positions", addressVal(user))

export const reserveConfigKey = (asset: xdr.ScAddress): xdr.ScVal => variant("ResConfig", addressVal(asset))

export const reserveDataKey = (asset: xdr.ScAddress): xdr.ScVal => variant("ResData", addressVal(asset))

/** `id`: twice a reserve's index for its debt, one more for its supply. */
export const emissionDataKey = (id: number): xdr.ScVal => variant("EmisData", u32(id))

/** First version only: there the rate of emissions stands apart. */
export const emissionConfigKey = (id: number): xdr.ScVal => variant("EmisConfig", u32(id))

export const userEmissionKey = (user: xdr.ScAddress, id: number): xdr.ScVal =>
  variant("UserEmis", struct({ reserve_id: u32(id), user: addressVal(user) }))

/** Key of an auction, among the temporary entries. `kind` 0: a user is liquidated. */
export const auctionKey = (kind: number, user: xdr.ScAddress): xdr.ScVal =>
  variant("Auction", struct({ auct_type: u32(kind), user: addressVal(user) }))
