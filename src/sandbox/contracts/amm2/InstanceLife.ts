import type { ContractHost } from "../../../ledger/soroban/Contract.ts"

export const DAY = 17_280

const LIFE = 30 * DAY

/** Every contract of amm_2 keeps its instance for thirty days whenever it is used. */
export const keepInstance = (host: ContractHost): void => host.extendInstance(LIFE - DAY, LIFE)
