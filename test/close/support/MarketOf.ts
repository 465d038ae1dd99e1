import type { LedgerApi } from "../../../src/chain/LedgerApi.ts"
import type { MarketApi } from "../../../src/close/market/MarketSource.ts"

/** A ledger API as the market of one request, without earlier caches. */
export const marketOf = ({ offersBetween, strictReceivePaths, strictSendPaths }: LedgerApi["Type"]): MarketApi => ({
  offersBetween,
  strictReceivePaths,
  strictSendPaths
})
