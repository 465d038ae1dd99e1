import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { addressVal, bool, variant } from "../../../ledger/soroban/Values.ts"
import { keepInstance, readKept, USER_LIFE } from "./Kept.ts"

/** Hash of the factory's code, as deployed for pools of the second version. */
export const POOL_FACTORY_V2_HASH = "31328050548831f63d2b72e37bcfd0bb7371b7907135755dbe09ed434d755ca9"

export const deployedKey = (pool: xdr.ScAddress): xdr.ScVal => variant("Contracts", addressVal(pool))

/** Tells which pools are its own. Deploying them is not modelled. */
export const poolFactory: ContractModel = {
  functions: {
    is_pool: contractFunction(["address"], (host, pool) => {
      keepInstance(host)
      return readKept(host, deployedKey(pool), USER_LIFE) ?? bool(false)
    })
  }
}
