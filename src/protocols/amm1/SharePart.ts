import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { instanceKey } from "../../stellar/ContractKeys.ts"
import { type Decoded, noPositions } from "../HeldPosition.ts"
import { undecoded } from "../kit/Decoding.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import { noExit } from "../kit/NoExit.ts"
import { enrichmentOf } from "../kit/TokenFacts.ts"
import { part } from "../Place.ts"
import type { Venue } from "../TradingPool.ts"
import type { Codes } from "./Code.ts"
import type { SharePoolFacts } from "./Facts.ts"
import * as Keys from "./Keys.ts"
import { leftIn } from "./NotedRewards.ts"
import { leaveSharePool } from "./PoolExit.ts"
import { tradingPool } from "./PoolMarket.ts"
import { sharePosition } from "./Rows.ts"
import { sharePoolState, sharesIn, shareTokenIn } from "./SharePool.ts"

/** Whether the account holds no shares. Code that strangers gave a pool then does not concern the account. */
const holdsNone = (facts: SharePoolFacts, user: AccountAddress, view: LedgerView): boolean =>
  Either.match(sharesIn(view, facts, user), { onLeft: () => false, onRight: (shares) => shares === null || shares === 0n })

const decode = (codes: Codes, facts: SharePoolFacts, user: AccountAddress, view: LedgerView): Decoded =>
  Either.match(sharePoolState(view, facts, user, codes), {
    onLeft: (failure) =>
      failure._tag === "UnknownCode" && holdsNone(facts, user, view)
        ? leftIn(view, { pool: facts.contract, user }, failure)
        : undecoded("amm_1", facts.contract, "pool", failure),
    onRight: (state) => {
      if (state === null) return noPositions
      const position = sharePosition(view, state, user)
      const earned = (position.rewards ?? []).map(({ token }) => token)
      return { ...noPositions, positions: [position], enrichment: enrichmentOf(view, [...new Set([...position.pays, ...earned])]) }
    }
  })

/** Shares of a pool in the wallet, and what they have earned in it. */
export const sharePart = (codes: Codes, venues: ReadonlyMap<ContractAddress, Venue>) =>
  part<SharePoolFacts>("pool", {
    keys: ({ shareToken }, user) => [Keys.balanceKey(shareToken, user)],
    decode: (facts, user, view) => decode(codes, facts, user, view),
    exit: (facts, _, context) =>
      Either.match(sharePoolState(context.view, facts, context.user, codes), {
        onLeft: noExit(facts.contract),
        onRight: (state) => (state === null ? { _tag: "Gone" } : leaveSharePool(state, context))
      }),
    reserves: ({ tokens }) => tokens,
    ground: ({ contract, shareToken }) => ({
      text: `shares are ${shareToken}`,
      keys: [instanceKey(contract)],
      isToldIn: (view) => Either.getOrNull(shareTokenIn(view, contract)) === shareToken
    }),
    shares: ({ shareToken }) => [shareToken],
    trades: (facts) => tradingPool(codes, venues, facts)
  })
