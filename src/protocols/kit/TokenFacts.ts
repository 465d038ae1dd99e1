import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import type { DefiPositionsResult } from "../../domain/Position.ts"
import { instanceKey } from "../../stellar/ContractKeys.ts"
import { string, struct, symbol, u32 } from "../../stellar/ScValCodec.ts"
import { inInstance, instanceIn } from "./LedgerView.ts"
import type { LedgerView } from "./LedgerView.ts"

/** What a token says of itself, for display only. */
export interface TokenFacts {
  readonly symbol: string | null
  readonly decimals: number | null
}

const Metadata = struct({ decimal: u32, name: string, symbol: string })

/** Text of a stranger's contract is shown only when it is short and printable. */
const shown = (text: string): string | null => (/^[\x21-\x7e][\x20-\x7e]{0,31}$/.test(text) ? text : null)

/** From the token's instance (`METADATA`), as asset contracts and the soroban-examples family keep it; unknown where it is kept otherwise. */
export const tokenFacts = (view: LedgerView, token: ContractAddress): TokenFacts => {
  const instance = Either.getOrElse(instanceIn(view, token), () => null)
  const metadata = instance === null
    ? null
    : Either.getOrElse(inInstance(token, instance, symbol.encode("METADATA"), Metadata), () => null)
  return metadata === null
    ? { symbol: null, decimals: null }
    : { symbol: shown(metadata.symbol === "native" ? "XLM" : metadata.symbol), decimals: metadata.decimal <= 38 ? metadata.decimal : null }
}

/** The key that `tokenFacts` reads. */
export const tokenFactsKey = instanceKey

/** The enrichment of tokens; nothing here knows a price. */
export const enrichmentOf = (view: LedgerView, tokens: ReadonlyArray<ContractAddress>): DefiPositionsResult["enrichment"] =>
  Object.fromEntries(tokens.map((token) => [token, { ...tokenFacts(view, token), priceLumens: null, priceSource: null }]))
