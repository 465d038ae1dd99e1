import { type Contracts, registerContracts, type Registration } from "../../ledger/soroban/Contract.ts"
import { AMM_1_CONTRACTS } from "./Amm1.ts"
import { AMM_2_CONTRACTS } from "./Amm2.ts"
import { AMM_3_CONTRACTS } from "./Amm3.ts"
import { CDP_1_CONTRACTS } from "./Cdp1.ts"
import { LEND_1_CONTRACTS } from "./Lend1.ts"
import { TOKEN_CONTRACTS } from "./tokens/TokenFamily.ts"

/** Every contract the sandbox can run besides those of classic assets, by the hash of the code it stands in for. */
export const ALL_CONTRACTS: ReadonlyArray<Registration> = [
  ...TOKEN_CONTRACTS,
  ...AMM_1_CONTRACTS,
  ...AMM_2_CONTRACTS,
  ...AMM_3_CONTRACTS,
  ...LEND_1_CONTRACTS,
  ...CDP_1_CONTRACTS
]

export const sandboxContracts: Contracts = registerContracts(ALL_CONTRACTS)
