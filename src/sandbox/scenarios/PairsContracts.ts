import { xdr } from "@stellar/stellar-sdk"
import { sha256 } from "../../ledger/Signatures.ts"
import { contractAddress } from "../../ledger/soroban/Values.ts"

const named = (name: string): xdr.ScAddress => contractAddress(new xdr.ContractId(sha256(Buffer.from(`closeout sandbox amm_2 ${name}`))))

/** Where the contracts of amm_2 are on a sandbox network with a market of pairs: always the same. `plainToken` is no asset of the ledger. */
export const pairsContracts = {
  factory: named("factory"),
  router: named("router"),
  plainToken: named("plain token")
} as const

/** One of many plain tokens, numbered. */
export const numberedToken = (number: number): xdr.ScAddress => named(`plain token ${number}`)
