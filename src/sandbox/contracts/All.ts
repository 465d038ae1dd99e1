import { type Contracts, registerContracts, type Registration } from "../../ledger/soroban/Contract.ts"
import { amm1Contracts } from "./Amm1.ts"
import { amm2Contracts } from "./Amm2.ts"
import { amm3Contracts } from "./Amm3.ts"
import { cdp1Contracts } from "./Cdp1.ts"
import { lend1Contracts } from "./Lend1.ts"
import { tokenContracts } from "./tokens/TokenFamily.ts"

/** Every contract the sandbox can run besides those of classic assets, by the hash of the code it stands in for. */
export const allContracts: ReadonlyArray<Registration> = [
  ...tokenContracts,
  ...amm1Contracts,
  ...amm2Contracts,
  ...amm3Contracts,
  ...lend1Contracts,
  ...cdp1Contracts
]

export const sandboxContracts: Contracts = registerContracts(allContracts)
