import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { instanceKey } from "../../stellar/ContractKeys.ts"
import { contract, u32 } from "../../stellar/ScValCodec.ts"
import { named, unlistedAmong } from "../CodeGate.ts"
import { inInstance, instanceIn, type LedgerView, requiredInInstance, valueIn } from "../kit/LedgerView.ts"
import { openQuestions } from "../kit/OpenQuestions.ts"
import type { Question } from "../kit/Question.ts"
import type { Place } from "../Place.ts"
import type { Discovery, Finds, Search } from "../reading/Discovery.ts"
import * as Keys from "./Keys.ts"
import type { PairCode } from "./PairCode.ts"
import type { PairFacts, Tokens } from "./PairState.ts"

/** Where pairs come from. */
export interface PairSources {
  /** They list every pair they made. */
  readonly factories: ReadonlyArray<ContractAddress>
  /** They find the pairs of a factory, and list none. */
  readonly routers: ReadonlyArray<ContractAddress>
  readonly code: PairCode
  readonly placeOf: (facts: PairFacts) => Place
}

/** Pairs of one factory that are read. Anyone may open one, at a price. */
const mostPairs = 5_000

/** Pairs by the factory that lists them, from the first one on without a gap. */
type PairsByFactory = ReadonlyMap<ContractAddress, ReadonlyArray<PairFacts>>

/** What one factory says. */
interface FactoryPairs {
  readonly further: ReadonlyArray<Question>
  readonly pairs: ReadonlyArray<PairFacts>
  /** How many of them, from the first, stand without a gap. */
  readonly whole: number
  readonly doubts: ReadonlyArray<string>
  readonly dropped: number
}

/** The tokens of a pair by its instance, regardless of what it runs: its code matters to those who hold shares. */
const tokensOf = (view: LedgerView, pair: ContractAddress) =>
  Either.flatMap(instanceIn(view, pair), (instance) => {
    if (instance === null) return Either.right(null)
    const token = (key: (typeof Keys.inPair)["token0" | "token1"]) => Either.getOrNull(inInstance(pair, instance, key, contract))
    const [first, second] = [token(Keys.inPair.token0), token(Keys.inPair.token1)]
    return Either.right(first === null || second === null ? null : [first, second] as const)
  })

const factsOf = (view: LedgerView, factory: ContractAddress, pair: ContractAddress) => {
  const tokens = tokensOf(view, pair)
  const known: Tokens | null = Either.getOrNull(tokens)
  return { further: openQuestions(tokens), facts: { contract: pair, factory, tokens: known } satisfies PairFacts }
}

/** The pairs of a factory: those learned before, and those it has listed since. */
const pairsOf = (view: LedgerView, code: PairCode, factory: ContractAddress, before: ReadonlyArray<PairFacts>): FactoryPairs => {
  const known: FactoryPairs = { further: [], pairs: before, whole: before.length, doubts: [], dropped: 0 }
  const read = named(view, factory, code.factory)
  // One that is not there lists nothing: the decoder reports it for every account.
  if (Either.isLeft(read)) return { ...known, further: openQuestions(read) }
  const total = requiredInInstance(factory, read.right.instance, Keys.totalPairs, u32)
  if (Either.isLeft(total)) return { ...known, doubts: ["the number of its pairs could not be read"] }
  const tail = Array.from({ length: Math.max(0, Math.min(total.right, mostPairs) - before.length) }, (_, at) => before.length + at)
  const names = tail.map((index) => valueIn(view, factory, Keys.pairAt(index), contract))
  const found = names.map((name) => {
    const pair = Either.getOrNull(name)
    return pair === null ? null : factsOf(view, factory, pair)
  })
  const further = [...names.flatMap(openQuestions), ...found.flatMap((one) => one?.further ?? [])]
  const missing = found.indexOf(null)
  return {
    further,
    pairs: [...before, ...found.flatMap((one) => (one === null ? [] : [one.facts]))],
    whole: before.length + (missing === -1 ? found.length : missing),
    doubts: missing === -1 || further.length > 0 ? [] : ["pairs that it lists could not be decoded"],
    dropped: Math.max(0, total.right - mostPairs)
  }
}

const searchAfter = (sources: PairSources, learned: PairsByFactory): Search => ({
  questions: [...sources.factories, ...sources.routers].map(instanceKey),
  find: (view): Finds => {
    const { code, factories, placeOf, routers } = sources
    const listed = factories.map((factory) => ({ factory, ...pairsOf(view, code, factory, learned.get(factory) ?? []) }))
    const doubts = listed.flatMap((one) => one.doubts)
    return {
      further: listed.flatMap(({ further }) => further),
      places: listed.flatMap(({ pairs }) => pairs.map(placeOf)),
      doubts: [...new Set(doubts)],
      dropped: listed.reduce((sum, { dropped }) => sum + dropped, 0),
      isBlind: doubts.length > 0,
      unlisted: [...unlistedAmong(view, factories, code.factory), ...unlistedAmong(view, routers, code.router)],
      next: searchAfter(sources, new Map(listed.map(({ factory, pairs, whole }) => [factory, pairs.slice(0, whole)])))
    }
  }
})

/** A pair that something names, where a factory knows it as the one of its tokens. */
const confirmed = (view: LedgerView, { factories, placeOf }: PairSources, pair: ContractAddress): Pick<Finds, "further" | "places"> => {
  const tokens = tokensOf(view, pair)
  const known = Either.getOrNull(tokens)
  if (known === null) return { further: openQuestions(tokens), places: [] }
  const answers = factories.map((factory) => ({ factory, made: valueIn(view, factory, Keys.pairOf(known), contract) }))
  return {
    further: answers.flatMap(({ made }) => openQuestions(made)),
    places: answers.flatMap(({ factory, made }) =>
      Either.isRight(made) && made.right === pair ? [placeOf({ contract: pair, factory, tokens: known })] : []
    )
  }
}

/** How pairs are found; null where no factory is known. A factory lists what it made, in order and for good: only what is new is read again. */
export const pairDiscovery = (sources: PairSources): Discovery | null =>
  sources.factories.length === 0 ? null : {
    ...searchAfter(sources, new Map()),
    namedBy: sources.factories,
    counts: [Keys.totalPairs],
    confirm: (view, candidates) => {
      const parts = candidates.map((pair) => confirmed(view, sources, pair))
      return { further: parts.flatMap(({ further }) => further), places: parts.flatMap(({ places }) => places) }
    }
  }
