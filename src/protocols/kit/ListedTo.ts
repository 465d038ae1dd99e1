import type { ContractAddress } from "../../domain/Address.ts"
import type { ContractAddresses } from "../../registry/ContractAddresses.ts"

/**
 * The ledger up to which a contracts file lists everything that these contracts deployed; 0 where it does not claim so of each of them.
 */
export const listedTo = ({ listedTo: claimed = {} }: Pick<ContractAddresses["Type"], "listedTo">, contracts: ReadonlyArray<ContractAddress>): number =>
  contracts.length === 0 ? 0 : Math.min(...contracts.map((contract) => claimed[contract] ?? 0))
