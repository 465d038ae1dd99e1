import { xdr } from "@stellar/stellar-sdk"
import { sha256 } from "../../ledger/Signatures.ts"
import { contractAddress } from "../../ledger/soroban/Values.ts"

/** A contract of amm_1 by a name of its own. */
export const amm1Contract = (name: string): xdr.ScAddress =>
  contractAddress(new xdr.ContractId(sha256(Buffer.from(`closeout sandbox amm_1 ${name}`))))

/** Where the contracts of amm_1 are on a sandbox network with its pools: always the same. */
export const amm1ContractsAt = {
  router: amm1Contract("router"),
  plane: amm1Contract("plane"),
  boostFeed: amm1Contract("boost feed"),
  constantProduct: amm1Contract("constant product pool"),
  constantProductShare: amm1Contract("share of the constant product pool"),
  gauge: amm1Contract("gauge of the constant product pool"),
  stable: amm1Contract("stable pool"),
  stableShare: amm1Contract("share of the stable pool"),
  concentrated: amm1Contract("concentrated pool")
} as const
