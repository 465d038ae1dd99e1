import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asAddress, struct, symbol, u128, variant, vec, voidVal } from "../../../ledger/soroban/Values.ts"
import { writeAndExtend } from "./ExtendedEntries.ts"
import { stored } from "./Instance.ts"

export const planeHash = "3ccf1b046599742d419c8616c0f2d3c0d2342c40de2148c155f45806cfd4a7d4"

const planeKey = variant("Plane")

const planeDataKey = (pool: xdr.ScAddress): xdr.ScVal => variant("PoolData", addressVal(pool))

/** What a pool tells the plane, from which routes are computed: its parameters, and what it holds. */
export interface PlaneData {
  readonly type: string
  readonly parameters: ReadonlyArray<bigint>
  readonly reserves: ReadonlyArray<bigint>
}

const numbers = (values: ReadonlyArray<bigint>): xdr.ScVal => vec(...values.map(u128))

/** Has a pool tell the plane how it stands. */
export const tellPlane = (host: ContractHost, { parameters, reserves, type }: PlaneData): void => {
  host.call(stored(host, planeKey, asAddress), "update", addressVal(host.address), symbol(type), numbers(parameters), numbers(reserves))
}

/** The contract that keeps how every pool stands. */
export const plane: ContractModel = {
  instructions: 1_000_000,
  functions: {
    update: contractFunction(["address", "symbol", "value", "value"], (host, [pool, type, parameters, reserves]) => {
      host.requireAuth(pool)
      writeAndExtend(host, planeDataKey(pool), struct({ init_args: parameters, pool_type: symbol(type), reserves }))
      return voidVal
    })
  }
}
