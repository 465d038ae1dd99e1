import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { instanceKey } from "../../stellar/ContractKeys.ts"
import { named } from "../CodeGate.ts"
import { noPositions } from "../HeldPosition.ts"
import { undecoded } from "../kit/Decoding.ts"
import type { KnownCode } from "../kit/KnownCode.ts"
import { enrichmentOf } from "../kit/TokenFacts.ts"
import { part } from "../Place.ts"
import { sharesKey } from "./Keys.ts"
import { leavePair } from "./LeavePair.ts"
import type { PairCode } from "./PairCode.ts"
import { pairVenues, tradingPair } from "./PairMarket.ts"
import { pairPosition } from "./PairRows.ts"
import { type PairFacts, pairState } from "./PairState.ts"

/** Shares of one pair. Anyone may open a pair, so one key tells whether an account has anything there. */
export const pairPart = (
  code: PairCode,
  { factories, routers }: { readonly factories: ReadonlyArray<ContractAddress>; readonly routers: ReadonlyArray<ContractAddress> }
) => {
  const venues = pairVenues(code, factories, routers)
  return part<PairFacts>("pair", {
    keys: ({ contract }, user) => [sharesKey(contract, user)],
    decode: (facts, user, view) =>
      Either.match(pairState(view, code, facts, user), {
        // Shares are left through a router: which code it runs is then known as soon as what they are worth.
        onLeft: (failure) =>
          undecoded(
            "amm_2",
            facts.contract,
            "pair",
            failure._tag === "Unread" ? { ...failure, questions: [...failure.questions, ...routers.map(instanceKey)] } : failure
          ),
        onRight: (state) =>
          state === null ? noPositions : {
            ...noPositions,
            positions: [pairPosition(view, state, user)],
            enrichment: enrichmentOf(view, [...state.tokens, facts.contract])
          }
      }),
    exit: (facts, _, context) => leavePair(code, routers, facts, context),
    reserves: ({ tokens }) => tokens ?? [],
    shares: ({ contract }) => [contract],
    trades: (facts) => tradingPair(code, venues, facts)
  })
}

/** A factory itself. The pairs of one that is missing or not a contract are unknown, so this is reported for every account. */
export const factoryItself = (code: KnownCode<"factory">) =>
  part<{ readonly contract: ContractAddress; readonly key: "itself" }>("factory", {
    keys: ({ contract }) => [instanceKey(contract)],
    decode: ({ contract }, _, view) =>
      Either.match(named(view, contract, code), {
        onLeft: (failure) => undecoded("amm_2", contract, "factory", failure),
        onRight: () => noPositions
      }),
    exit: () => ({ _tag: "Gone" })
  })
