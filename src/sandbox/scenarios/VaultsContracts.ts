import { xdr } from "@stellar/stellar-sdk"
import { sha256 } from "../../ledger/Signatures.ts"
import { contractAddress } from "../../ledger/soroban/Values.ts"

const digest = (name: string): Uint8Array => sha256(Buffer.from(`closeout sandbox cdp_1 ${name}`))

const named = (name: string): xdr.ScAddress => contractAddress(new xdr.ContractId(digest(name)))

/** Where the contracts of cdp_1 are on a sandbox network with a market of vaults: always the same. */
export const vaultsContracts = {
  vaults: named("vaults"),
  oracle: named("oracle")
} as const

/** The hash (hex) of what the vaults contract runs once its operators have wound it down. No model stands in for it: nothing in it can be called. */
export const woundDownHash = Buffer.from(digest("wound down code")).toString("hex")
