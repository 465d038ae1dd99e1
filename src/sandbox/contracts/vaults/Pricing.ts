import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asI128, asU64, field, symbol, variant } from "../../../ledger/soroban/Values.ts"
import { VaultsError } from "./VaultsError.ts"
import type { CoreState } from "./VaultValues.ts"

/** A function that depends on a price fails if the price is older than this many seconds. */
const freshFor = 1_200n

/** What the oracle says one unit of collateral is worth in a denomination, scale 10^7, and when (Unix seconds). */
export const priceOf = (host: ContractHost, { oracle }: CoreState, denomination: string) => {
  const answer = host.call(oracle, "lastprice", addressVal(host.address), variant("Other", symbol(denomination)))
  if (answer.type === "scvVoid") return host.trap()
  return { price: asI128(field(answer, "price")), timestamp: asU64(field(answer, "timestamp")) }
}

/** As `priceOf`; stops the call while the protocol is paused or the price is old. */
export const freshPriceOf = (host: ContractHost, core: CoreState, denomination: string): bigint => {
  const { price, timestamp } = priceOf(host, core, denomination)
  const oldest = host.ledger.timestamp > freshFor ? host.ledger.timestamp - freshFor : 0n
  if (core.panicMode || timestamp < oldest) host.fail(VaultsError.PanicModeEnabled)
  return price
}
