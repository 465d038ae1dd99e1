import { Either } from "effect"
import { noPositions } from "../HeldPosition.ts"
import { undecoded } from "../kit/Decoding.ts"
import { noExit } from "../kit/NoExit.ts"
import { enrichmentOf } from "../kit/TokenFacts.ts"
import { part } from "../Place.ts"
import type { PoolCode } from "./Code.ts"
import { leavePool } from "./LeavePool.ts"
import { hasPosition, heldKeys, type PoolFacts, poolState } from "./Pool.ts"
import { tradingPool } from "./PoolMarket.ts"
import { partKeys, partsIn } from "./PoolParts.ts"
import { poolPosition } from "./Rows.ts"

/** Shares of an account in one pool, in the wallet and in its stake, left as a whole. */
export const poolPart = (code: PoolCode) =>
  part<PoolFacts>("pool", {
    keys: ({ contract, parts }, user) =>
      parts === null
        ? partKeys(contract)
        : heldKeys(parts, user),
    decode: (facts, user, view) =>
      Either.match(poolState(view, code, facts, user), {
        onLeft: (failure) => undecoded("amm_3", facts.contract, "pool", failure),
        onRight: (pool) =>
          pool === null ? noPositions : {
            ...noPositions,
            positions: hasPosition(pool) ? [poolPosition(view, pool)] : [],
            unrecognized: pool.unread,
            enrichment: enrichmentOf(view, [...new Set([...pool.tokens, ...(pool.staked?.rewards ?? []).map(({ token }) => token)])])
          }
      }),
    exit: (facts, _, context) =>
      Either.match(poolState(context.view, code, facts, context.user), {
        onLeft: noExit(facts.contract),
        onRight: (pool) => (pool === null ? { _tag: "Gone" } : leavePool(pool, context))
      }),
    // What could not be made out is read for every account, and blocks it unless others make it out.
    ground: ({ contract, parts }) => ({
      text: `works with ${JSON.stringify(parts)}`,
      keys: partKeys(contract),
      mayChange: true,
      isToldIn: (view) => JSON.stringify(Either.getOrNull(partsIn(view, contract))) === JSON.stringify(parts)
    }),
    shares: ({ parts }) => (parts === null ? [] : [parts.shareToken]),
    trades: (facts) => tradingPool(code, facts)
  })
