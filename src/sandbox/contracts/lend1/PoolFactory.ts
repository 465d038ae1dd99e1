import type { xdr } from "@stellar/stellar-sdk"
import { sha256 } from "../../../ledger/Signatures.ts"
import { contractFunction, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asBytes, bool, field, i128, string, strkeyOf, symbol, u32, variant } from "../../../ledger/soroban/Values.ts"
import { extendInstance, readAndExtend, userLife, writeAndExtend } from "./ExtendedEntries.ts"

/** Hash of the factory's code, as deployed for pools of the second version. */
export const poolFactoryV2Hash = "31328050548831f63d2b72e37bcfd0bb7371b7907135755dbe09ed434d755ca9"

export const deployedKey = (pool: xdr.ScAddress): xdr.ScVal => variant("Contracts", addressVal(pool))

/** What the instance keeps of the pools to come: their code, backstop and reward token. */
export const poolMetaKey: xdr.ScVal = symbol("PoolMeta")

const invalidPool = 1300
const wholeRate = 10_000_000
const positions = { fewest: 2, most: 60 } as const

/** Deploys pools, announces them, and tells which are its own. The address of a pool is not the one the real factory would give it. */
export const poolFactory: ContractModel = {
  functions: {
    deploy: contractFunction(
      ["address", "string", "bytes", "address", "u32", "u32", "i128"],
      (host, [admin, name, salt, oracle, backstopRate, maxPositions, minCollateral]) => {
        host.requireAuth(admin)
        extendInstance(host)
        const meta = host.instance.get(poolMetaKey) ?? host.trap()
        if (backstopRate >= wholeRate || maxPositions < positions.fewest || maxPositions > positions.most || minCollateral < 0n) {
          return host.fail(invalidPool)
        }
        const pool = host.deploy(
          sha256(Buffer.concat([salt, Buffer.from(strkeyOf(admin))])),
          asBytes(field(meta, "pool_hash")),
          addressVal(admin),
          string(name),
          addressVal(oracle),
          u32(backstopRate),
          u32(maxPositions),
          i128(minCollateral),
          field(meta, "backstop"),
          field(meta, "blnd_id")
        )
        writeAndExtend(host, deployedKey(pool), bool(true), userLife)
        host.emit([symbol("deploy")], addressVal(pool))
        return addressVal(pool)
      }
    ),
    is_pool: contractFunction(["address"], (host, [pool]) => {
      extendInstance(host)
      return readAndExtend(host, deployedKey(pool), userLife) ?? bool(false)
    })
  }
}
