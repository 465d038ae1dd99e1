import { ledgersPerDay } from "../../../ledger/Header.ts"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"

const life = 30 * ledgersPerDay

/** Every contract of amm_2 keeps its instance for thirty days whenever it is used. */
export const keepInstance = (host: ContractHost): void => host.extendInstance(life - ledgersPerDay, life)
