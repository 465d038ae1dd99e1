import type { ContractBook } from "../operations/Expected.ts"
import mainnet from "../registry/contracts.mainnet.json" with { type: "json" }
import testnet from "../registry/contracts.testnet.json" with { type: "json" }
import { contractBookOf, type ContractsFile } from "./ContractBook.ts"

const files: Readonly<Record<"mainnet" | "testnet", ContractsFile>> = { mainnet, testnet }

/** The contracts that this version of the package knows of a network. */
export const contractsOf = (network: "mainnet" | "testnet"): ContractBook => contractBookOf(files[network])
