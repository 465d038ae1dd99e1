import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { contractDataKey, instanceKey } from "../../stellar/ContractKeys.ts"
import { named, unlistedAmong } from "../CodeGate.ts"
import { noPositions } from "../HeldPosition.ts"
import { undecoded } from "../kit/Decoding.ts"
import type { KnownCode } from "../kit/KnownCode.ts"
import { allAnswered, type LedgerView, required, valueIn } from "../kit/LedgerView.ts"
import { unavailable } from "../kit/NoExit.ts"
import { openQuestions } from "../kit/OpenQuestions.ts"
import type { Question } from "../kit/Question.ts"
import { part, type Place } from "../Place.ts"
import type { Discovery, Finds, Search } from "../reading/Discovery.ts"
import * as Entries from "./Entries.ts"
import * as Keys from "./Keys.ts"
import type { PoolFacts } from "./Pool.ts"
import { partKeys, partsIn } from "./PoolParts.ts"

const reason = "No pool that a factory lists works with this stake contract, so this service cannot unbond from it."

/** A stake contract of the contracts file with which no known pool works: an account that bonded something there gets a decision point. */
const loneStake = part<{ readonly contract: ContractAddress; readonly key: "stake" }>("stake", {
  keys: ({ contract }, user) => [contractDataKey(contract, Keys.bonding(user))],
  decode: ({ contract }, user, view) =>
    Either.match(valueIn(view, contract, Keys.bonding(user), Entries.Bonding), {
      onLeft: (failure) => undecoded("amm_3", contract, "stake", failure),
      onRight: (bonding) =>
        bonding === null || bonding.stakes.length === 0
          ? noPositions
          : { ...noPositions, unrecognized: [{ protocol: "amm_3", contract, rawType: "stake", reason }] }
    }),
  exit: () => unavailable(reason)
})

/** Where pools come from. */
export interface PoolSources {
  /** They list every pool they made. */
  readonly factories: ReadonlyArray<ContractAddress>
  /** Stakes of the contracts file: those with which no pool works that is listed are read by themselves. */
  readonly stakes: ReadonlyArray<ContractAddress>
  readonly factoryCode: KnownCode<"factory">
  readonly placeOf: (facts: PoolFacts) => Place
}

/** Pools that are read; factories let only their operators make one. */
export const mostPools = 1_000

const listIn = (view: LedgerView, factory: ContractAddress, code: KnownCode<"factory">) =>
  Either.gen(function*() {
    yield* allAnswered(view, [instanceKey(factory), contractDataKey(factory, Keys.poolList)])
    yield* named(view, factory, code)
    return yield* required(view, factory, Keys.poolList, Entries.Contracts)
  })

/**
 * What is known of a pool of the list. Left: queries must be answered first. A pool that does not decode has `parts` null, and the decoder
 * reports it.
 */
const factsOf = (view: LedgerView, contract: ContractAddress): Either.Either<PoolFacts, ReadonlyArray<Question>> => {
  const parts = Either.flatMap(allAnswered(view, partKeys(contract)), () => partsIn(view, contract))
  const tokens = Either.flatMap(parts, ({ stake }) => valueIn(view, stake, Keys.rewardTokens, Entries.Contracts))
  const further = openQuestions(tokens)
  return further.length > 0 ? Either.left(further) : Either.right({
    contract,
    parts: Either.getOrNull(parts),
    rewardTokens: Either.getOrElse(tokens, () => null) ?? []
  })
}

/** What is known of some pools, and the queries to answer first. */
const allFacts = (view: LedgerView, pools: ReadonlyArray<ContractAddress>) => {
  const read = pools.map((pool) => factsOf(view, pool))
  return {
    facts: read.flatMap((one) => (Either.isRight(one) ? [one.right] : [])),
    further: read.flatMap((one) => (Either.isLeft(one) ? one.left : []))
  }
}

/** An operator may upgrade a pool to another share token or stake: what it works with is read in every reading of the list. */
const searchOver = (sources: PoolSources): Search => ({
  questions: sources.factories.flatMap((factory) => [instanceKey(factory), contractDataKey(factory, Keys.poolList)]),
  find: (view): Finds => {
    const { factories, factoryCode, placeOf, stakes } = sources
    const lists = factories.map((factory) => listIn(view, factory, factoryCode))
    const doubts = lists.flatMap((
      list
    ) => (Either.isLeft(list) && list.left._tag !== "Unread" ? ["the list of its pools could not be read"] : []))
    const all = [...new Set(lists.flatMap((list) => Either.getOrElse(list, () => [])))]
    const { facts, further } = allFacts(view, all.slice(0, mostPools))
    const worked = new Set(facts.flatMap(({ parts }) => (parts === null ? [] : [parts.stake])))
    const lone = stakes.filter((stake) => !worked.has(stake))
    return {
      further: [...lists.flatMap(openQuestions), ...further],
      places: [...facts.map(placeOf), ...lone.map((contract) => loneStake({ contract, key: "stake" }))],
      doubts: [...new Set(doubts)],
      dropped: Math.max(0, all.length - mostPools),
      isBlind: doubts.length > 0,
      unlisted: unlistedAmong(view, factories, factoryCode)
    }
  }
})

/** Those candidates that a factory lists. The other pools of its list are not queried. */
const confirmed = (
  view: LedgerView,
  { factories, factoryCode, placeOf }: PoolSources,
  candidates: ReadonlyArray<ContractAddress>
): Pick<Finds, "further" | "places"> => {
  const lists = factories.map((factory) => listIn(view, factory, factoryCode))
  const all = new Set(lists.flatMap((list) => Either.getOrElse(list, () => [])))
  const { facts, further } = allFacts(view, candidates.filter((one) => all.has(one)))
  return { further: [...lists.flatMap(openQuestions), ...further], places: facts.map(placeOf) }
}

/** How pools are found: by the lists that factories keep of their own; null where the file names neither a factory nor a stake. */
export const poolDiscovery = (sources: PoolSources): Discovery | null =>
  sources.factories.length + sources.stakes.length === 0 ? null : {
    ...searchOver(sources),
    namedBy: sources.factories,
    confirm: (view, candidates) => confirmed(view, sources, candidates)
  }
