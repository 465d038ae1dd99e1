import { xdr } from "@stellar/stellar-sdk"
import { sha256 } from "../../ledger/Signatures.ts"
import { contractAddress } from "../../ledger/soroban/Values.ts"

const named = (name: string): xdr.ScAddress => contractAddress(new xdr.ContractId(sha256(Buffer.from(`closeout sandbox amm_3 ${name}`))))

/** A pool with the token of its shares and the contract that holds them for rewards. */
export interface PoolContracts {
  readonly pool: xdr.ScAddress
  readonly shareToken: xdr.ScAddress
  readonly stake: xdr.ScAddress
}

/** A pool by a name of its own. */
export const poolNamed = (name: string): PoolContracts => ({
  pool: named(`${name} pool`),
  shareToken: named(`${name} share token`),
  stake: named(`${name} stake`)
})

/** Where the contracts of amm_3 are on a sandbox network with its pools: always the same. */
export const stakedPoolsContracts = {
  factory: named("factory"),
  /** Its withdrawal takes five arguments. */
  five: poolNamed("five argument"),
  /** Its withdrawal takes six. */
  six: poolNamed("six argument"),
  stable: poolNamed("stable")
} as const
