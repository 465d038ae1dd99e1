import { xdr } from "@stellar/stellar-sdk"
import { sha256 } from "../../ledger/Signatures.ts"
import { contractAddress } from "../../ledger/soroban/Values.ts"

const named = (name: string): xdr.ScAddress => contractAddress(new xdr.ContractId(sha256(Buffer.from(`closeout sandbox lend_1 ${name}`))))

/** Where the contracts of lend_1 are on a sandbox network with a lending market: always the same. */
export const lendingContracts = {
  pool: named("pool"),
  backstop: named("backstop"),
  comet: named("comet"),
  poolFactory: named("pool factory"),
  emitter: named("emitter"),
  oracle: named("oracle")
} as const
