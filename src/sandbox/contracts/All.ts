import { type Contracts, registerContracts, type Registration } from "../../ledger/soroban/Contract.ts"
import { amm1ShareToken, AMM_1_SHARE_TOKEN_HASH } from "./Amm1ShareToken.ts"
import { AMM_3_CONTRACTS } from "./Amm3.ts"
import { CDP_1_CONTRACTS } from "./Cdp1.ts"
import { EXAMPLE_TOKEN_HASH, exampleToken } from "./ExampleToken.ts"
import { LEND_1_CONTRACTS } from "./Lend1.ts"

/** Every contract the sandbox can run besides those of classic assets, by the hash of the code it stands in for. */
export const ALL_CONTRACTS: ReadonlyArray<Registration> = [
  { model: exampleToken, wasmHashes: [EXAMPLE_TOKEN_HASH] },
  { model: amm1ShareToken, wasmHashes: [AMM_1_SHARE_TOKEN_HASH] },
  ...LEND_1_CONTRACTS,
  ...CDP_1_CONTRACTS,
  ...AMM_3_CONTRACTS
]

export const sandboxContracts: Contracts = registerContracts(ALL_CONTRACTS)
