import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { contractDataKey, instanceKey } from "../../stellar/ContractKeys.ts"
import { contract, u128 } from "../../stellar/ScValCodec.ts"
import { named, unlistedAmong } from "../CodeGate.ts"
import type { KnownCode } from "../kit/KnownCode.ts"
import { inInstance, instanceIn, type LedgerView, required, requiredInInstance, type Unusable, valueIn } from "../kit/LedgerView.ts"
import { openQuestions } from "../kit/OpenQuestions.ts"
import type { Question } from "../kit/Question.ts"
import type { Place } from "../Place.ts"
import type { Discovery, Finds, Search } from "../reading/Discovery.ts"
import * as Entries from "./Entries.ts"
import type { RangePoolFacts, SharePoolFacts } from "./Facts.ts"
import * as Keys from "./Keys.ts"

export type Facts = SharePoolFacts | RangePoolFacts

/** Where pools come from. */
export interface PoolSources {
  readonly router: ContractAddress
  readonly code: KnownCode<"router">
  readonly placeOf: (facts: Facts) => Place
}

/** Pools that are read. Anyone may open one, at a price. */
export const mostPools = 3_000

/** What was learned of a router's pools: sets of tokens are only added to, and what is known of a pool does not change. */
interface RouterPools {
  readonly sets: ReadonlyArray<ReadonlyArray<ContractAddress>>
  readonly pools: ReadonlyMap<ContractAddress, Facts>
}

interface NamedPool {
  readonly pool: ContractAddress
  readonly listed: NonNullable<Facts["listed"]>
  readonly type: number
  readonly tokens: ReadonlyArray<ContractAddress>
}

/** The results of many reads: the values, the queries to answer first, and how many did not decode. */
interface ReadResults<A> {
  readonly found: ReadonlyArray<A>
  readonly further: ReadonlyArray<Question>
  readonly blind: number
}

const sifted = <A>(reads: ReadonlyArray<Either.Either<A, Unusable>>): ReadResults<A> => ({
  found: reads.flatMap((read) => (Either.isRight(read) ? [read.right] : [])),
  further: reads.flatMap(openQuestions),
  blind: reads.filter((read) => Either.isLeft(read) && read.left._tag !== "Unread").length
})

const missing = (key: xdr.LedgerKey): Either.Either<never, Unusable> => Either.left({ _tag: "Undecodable", key, reason: "not there" })

/** How many sets of tokens the router has pools of. */
const countIn = (view: LedgerView, router: ContractAddress): Either.Either<bigint, Unusable> =>
  Either.flatMap(instanceIn(view, router), (instance) =>
    instance === null
      ? missing(instanceKey(router))
      : Either.map(inInstance(router, instance, Keys.setCount, u128), (count) => count ?? 0n))

/** Token sets that were added since. A missing set counts as `blind`. */
const setsSince = (
  view: LedgerView,
  router: ContractAddress,
  known: number,
  count: bigint
): ReadResults<ReadonlyArray<ContractAddress>> => {
  const last = count > BigInt(mostPools) ? mostPools : Number(count)
  const indexes = Array.from({ length: Math.max(0, last - known) }, (_, index) => BigInt(known + index))
  return sifted(indexes.map((index) =>
    Either.flatMap(
      valueIn(view, router, Keys.tokensSet(index), Entries.Tokens),
      (tokens) => tokens === null ? missing(contractDataKey(router, Keys.tokensSet(index))) : Either.right(tokens)
    )
  ))
}

const poolsIn = (view: LedgerView, router: ContractAddress, sets: RouterPools["sets"]): ReadResults<ReadonlyArray<NamedPool>> =>
  sifted(sets.map((tokens) =>
    Either.map(
      // A set that is listed has at least one pool: where the entry is not shown, it is archived or hidden.
      required(view, router, Keys.setPools(tokens), Entries.SetPools),
      (pools) =>
        pools.map(([index, { address, pool_type }]): NamedPool => ({
          pool: address,
          listed: { router, index },
          type: pool_type,
          tokens
        }))
    )
  ))

/** What is kept of a pool once and for all, by its instance. Its code is looked at where something is held in it. */
const factsOf = (view: LedgerView, { listed, pool, tokens, type }: NamedPool): Either.Either<Facts, Unusable> =>
  Either.gen(function*() {
    const instance = yield* instanceIn(view, pool)
    if (instance === null) return yield* missing(instanceKey(pool))
    const reward = yield* inInstance(pool, instance, Keys.Instance.rewardToken, contract)
    const gauges = (yield* inInstance(pool, instance, Keys.Instance.gauges, Entries.Gauges)) ?? []
    const beside = [...new Set([...(reward === null ? [] : [reward]), ...gauges.flat()])]
    const hasGauges = gauges.length > 0
    if (type === 3) {
      const tickSpacing = yield* requiredInInstance(pool, instance, Keys.Instance.tickSpacing, Entries.tickSpacing)
      return { contract: pool, listed, type: "concentrated", tokens, beside, hasGauges, tickSpacing }
    }
    const shareToken = yield* requiredInInstance(pool, instance, Keys.Instance.share, contract)
    if (type !== 1 && type !== 2) return yield* missing(instanceKey(pool))
    return { contract: pool, listed, type: type === 1 ? "constant_product" : "stable", tokens, beside, hasGauges, shareToken }
  })

const noFinds: Finds = { further: [], places: [], doubts: [], dropped: 0 }

const clause = (count: number, what: string): ReadonlyArray<string> => (count === 0 ? [] : [`${what}: ${count}`])

/** Why the router's list may be incomplete; nothing where the router exists, with any code. */
const doubtAbout = (
  view: LedgerView,
  { code, router }: PoolSources
): { readonly doubts: ReadonlyArray<string>; readonly further: ReadonlyArray<Question> } => {
  const read = named(view, router, code)
  const further = openQuestions(read)
  return { further, doubts: Either.isLeft(read) && further.length === 0 ? ["the router that lists pools could not be read"] : [] }
}

const searchAfter = (sources: PoolSources, learned: RouterPools): Search => ({
  questions: [
    instanceKey(sources.router),
    ...learned.sets.map((tokens) => contractDataKey(sources.router, Keys.setPools(tokens)))
  ],
  find: (view): Finds => {
    const { code, placeOf, router } = sources
    const about = doubtAbout(view, sources)
    const count = countIn(view, router)
    const further = [...about.further, ...openQuestions(count)]
    if (further.length > 0) return { ...noFinds, further }
    const more = setsSince(view, router, learned.sets.length, Either.getOrElse(count, () => BigInt(learned.sets.length)))
    const sets = [...learned.sets, ...more.found]
    const named = poolsIn(view, router, sets)
    if (more.further.length + named.further.length > 0) return { ...noFinds, further: [...more.further, ...named.further] }
    const fresh = named.found.flat().filter(({ pool }) => !learned.pools.has(pool))
    const facts = sifted(fresh.map((one) => factsOf(view, one)))
    if (facts.further.length > 0) return { ...noFinds, further: facts.further }
    const pools = new Map([...learned.pools, ...facts.found.map((one) => [one.contract, one] as const)])
    const doubts = [
      ...about.doubts,
      ...(Either.isLeft(count) ? ["the number of its sets of tokens could not be read"] : []),
      ...clause(more.blind + named.blind, "entries of its list of pools could not be read"),
      ...clause(facts.blind, "pools that it lists could not be decoded and are not read")
    ]
    const read = [...pools.values()].slice(0, mostPools)
    const beyond = Either.getOrElse(count, () => 0n) - BigInt(mostPools)
    return {
      further: [],
      places: read.map(placeOf),
      doubts,
      // A set has at least one pool.
      dropped: pools.size - read.length + (beyond > 0n ? Number(beyond) : 0),
      isBlind: doubts.length > 0,
      unlisted: unlistedAmong(view, [router], code),
      // A list with a gap is read from the start again.
      next: searchAfter(sources, more.blind > 0 ? { sets: learned.sets, pools } : { sets, pools })
    }
  }
})

const together = (finds: ReadonlyArray<Finds>): Finds => ({
  further: finds.flatMap(({ further }) => further),
  places: finds.flatMap(({ places }) => places),
  doubts: [...new Set(finds.flatMap(({ doubts }) => doubts))],
  dropped: finds.reduce((sum, { dropped }) => sum + dropped, 0),
  isBlind: finds.some(({ isBlind = false }) => isBlind),
  unlisted: finds.flatMap(({ unlisted = [] }) => unlisted)
})

const searchAll = (searches: ReadonlyArray<Search>): Search => ({
  questions: searches.flatMap(({ questions }) => questions),
  find: (view, announced): Finds => {
    const finds = searches.map((search) => search.find(view, announced))
    return {
      ...together(finds),
      next: searchAll(finds.map(({ next }, index) => next ?? searches[index] ?? { questions: [], find: () => noFinds }))
    }
  }
})

/** How pools are found, by the lists of routers; null where there is no router. */
export const poolDiscovery = (routers: ReadonlyArray<ContractAddress>, rest: Omit<PoolSources, "router">): Discovery | null =>
  routers.length === 0
    ? null
    : {
      ...searchAll(routers.map((router) => searchAfter({ ...rest, router }, { sets: [], pools: new Map() }))),
      namedBy: routers,
      counts: [Keys.setCount]
    }
