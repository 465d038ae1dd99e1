import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asI128, asU32, field, i128, mapOf, struct, u32 } from "../../../ledger/soroban/Values.ts"
import { readAndExtend, userLife, writeAndExtend } from "./ExtendedEntries.ts"
import { positionsKey } from "./PoolKeys.ts"

/** Shares by reserve index. Nothing is kept under an index that has none. */
export type Shares = ReadonlyMap<number, bigint>

/** What a user has in a pool, in shares: of debt, of supply that backs debt, of supply that does not. */
export interface Positions {
  readonly liabilities: Shares
  readonly collateral: Shares
  readonly supply: Shares
}

export const noPositions: Positions = { liabilities: new Map(), collateral: new Map(), supply: new Map() }

const sharesVal = (shares: Shares): xdr.ScVal => mapOf(Array.from(shares, ([index, amount]) => [u32(index), i128(amount)] as const))

const asShares = (value: xdr.ScVal): Shares =>
  new Map(value.type === "scvMap" ? (value.map ?? []).map(({ key, val }) => [asU32(key), asI128(val)]) : [])

export const positionsVal = ({ collateral, liabilities, supply }: Positions): xdr.ScVal =>
  struct({ collateral: sharesVal(collateral), liabilities: sharesVal(liabilities), supply: sharesVal(supply) })

export const asPositions = (value: xdr.ScVal): Positions => ({
  collateral: asShares(field(value, "collateral")),
  liabilities: asShares(field(value, "liabilities")),
  supply: asShares(field(value, "supply"))
})

export const readPositions = (host: ContractHost, user: xdr.ScAddress): Positions => {
  const value = readAndExtend(host, positionsKey(user), userLife)
  return value === undefined ? noPositions : asPositions(value)
}

export const writePositions = (host: ContractHost, user: xdr.ScAddress, positions: Positions): void =>
  writeAndExtend(host, positionsKey(user), positionsVal(positions), userLife)

/** Shares with those of one index changed; none are taken out. */
export const withShares = (shares: Shares, index: number, amount: bigint): Shares => {
  const others = Array.from(shares).filter(([other]) => other !== index)
  return new Map(amount === 0n ? others : [...others, [index, amount]])
}

/** Positions that count towards the most a user may have: plain supply does not. */
export const countedPositions = ({ collateral, liabilities }: Positions): number => collateral.size + liabilities.size
