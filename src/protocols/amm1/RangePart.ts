import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { type Decoded, noPositions } from "../HeldPosition.ts"
import { undecoded } from "../kit/Decoding.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import { noExit } from "../kit/NoExit.ts"
import { enrichmentOf } from "../kit/TokenFacts.ts"
import { part } from "../Place.ts"
import type { Venue } from "../TradingPool.ts"
import type { Codes } from "./Code.ts"
import type { RangePoolFacts } from "./Facts.ts"
import * as Keys from "./Keys.ts"
import { leftIn } from "./NotedRewards.ts"
import { leaveRangePool } from "./PoolExit.ts"
import { tradingPool } from "./PoolMarket.ts"
import { rangePoolState, rangesIn } from "./RangePool.ts"
import { rangePosition } from "./Rows.ts"

const holdsNone = (facts: RangePoolFacts, user: AccountAddress, view: LedgerView): boolean =>
  Either.match(rangesIn(view, facts, user), { onLeft: () => false, onRight: (ranges) => ranges === null || ranges.length === 0 })

const decode = (codes: Codes, facts: RangePoolFacts, user: AccountAddress, view: LedgerView): Decoded =>
  Either.match(rangePoolState(view, facts, user, codes), {
    onLeft: (failure) =>
      failure._tag === "UnknownCode" && holdsNone(facts, user, view)
        ? leftIn(view, { pool: facts.contract, user }, failure)
        : undecoded("amm_1", facts.contract, "pool", failure),
    onRight: (state) => {
      if (state === null) return noPositions
      const position = rangePosition(view, state)
      const earned = (position.rewards ?? []).map(({ token }) => token)
      return { ...noPositions, positions: [position], enrichment: enrichmentOf(view, [...new Set([...position.pays, ...earned])]) }
    }
  })

/** All ranges of an account in a concentrated pool, left as a whole. */
export const rangePart = (codes: Codes, venues: ReadonlyMap<ContractAddress, Venue>) =>
  part<RangePoolFacts>("pool", {
    keys: ({ contract }, user) => [contractDataKey(contract, Keys.userRanges(user))],
    decode: (facts, user, view) => decode(codes, facts, user, view),
    exit: (facts, _, context) =>
      Either.match(rangePoolState(context.view, facts, context.user, codes), {
        onLeft: noExit(facts.contract),
        onRight: (state) => (state === null ? { _tag: "Gone" } : leaveRangePool(state, context))
      }),
    reserves: ({ tokens }) => tokens,
    trades: (facts) => tradingPool(codes, venues, facts)
  })
