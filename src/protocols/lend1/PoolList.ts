import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { contractDataKey, instanceKey } from "../../stellar/ContractKeys.ts"
import { bool, contract, symbol } from "../../stellar/ScValCodec.ts"
import { gate } from "../CodeGate.ts"
import type { GateFailure } from "../CodeGate.ts"
import type { KnownCode } from "../kit/KnownCode.ts"
import { valueIn } from "../kit/LedgerView.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import { openQuestions } from "../kit/OpenQuestions.ts"
import type { Question } from "../kit/Question.ts"
import type { Place } from "../Place.ts"
import type { Discovery, Finds, Search } from "../reading/Discovery.ts"
import type { BackstopVersion } from "./Backstop.ts"
import * as Entries from "./Entries.ts"
import * as Keys from "./Keys.ts"

/** Where pools come from. */
export interface PoolSources {
  /** Pools that are read anyway. */
  readonly pools: ReadonlyArray<ContractAddress>
  readonly backstops: ReadonlyArray<ContractAddress>
  readonly backstopCode: KnownCode<BackstopVersion>
  /** They deploy pools, announce each (`deploy`) and know their own; they keep no list. */
  readonly factories: ReadonlyArray<ContractAddress>
  /** The first ledger of which the file does not claim to list every pool. */
  readonly since: number
  /** Where an account may hold something in one; `isFar`: whether it is one of many. */
  readonly placesOf: (pool: ContractAddress, isFar: boolean) => ReadonlyArray<Place>
}

/** Found pools that are read as those of the file are; of others one key tells whether an account ever came there. */
const mostNear = 300

/** Pools that are read beside those configured, once a factory has confirmed them. Anyone may deploy one, at a price. */
export const mostPools = 2_000

/** The most pools that factories are queried for. */
const mostNamed = 10_000

/** A part of what is found: questions, pools, doubts. */
interface Part {
  readonly further: ReadonlyArray<Question>
  readonly pools: ReadonlyArray<ContractAddress>
  readonly doubts: ReadonlyArray<string>
  /** Something that should name pools does not decode. */
  readonly isBlind: boolean
}

const noPools: Part = { further: [], pools: [], doubts: [], isBlind: false }

const together = (parts: ReadonlyArray<Part>): Part => ({
  further: parts.flatMap(({ further }) => further),
  pools: parts.flatMap(({ pools }) => pools),
  doubts: parts.flatMap(({ doubts }) => doubts),
  isBlind: parts.some(({ isBlind }) => isBlind)
})

/** The pools in a backstop's reward zone. One whose code is not known is not asked: the decoder reports it for every account. */
const rewardZone = (view: LedgerView, backstop: ContractAddress, code: KnownCode<BackstopVersion>): Part =>
  Either.match(
    Either.flatMap(gate(view, backstop, code), ({ kind }): Either.Either<ReadonlyArray<ContractAddress>, GateFailure> =>
      kind === "backstopV2"
        ? Either.map(valueIn(view, backstop, Keys.rewardZone, Entries.ReserveList), (zone) => zone ?? [])
        : Either.right([])),
    {
      onLeft: (failure) => {
        if (failure._tag === "Unread") {
          return { ...noPools, further: failure.questions }
        }
        return failure._tag === "Undecodable"
          ? { ...noPools, doubts: ["the list of pools in its reward zone could not be read"], isBlind: true }
          : noPools
      },
      onRight: (pools) => ({ ...noPools, pools })
    }
  )

const announcedPools = (announced: ReadonlyArray<xdr.ScVal>): Part =>
  together(announced.map((data) =>
    Either.match(contract.decode(data), {
      onLeft: () => ({ ...noPools, doubts: ["an announced pool could not be decoded"], isBlind: true }),
      onRight: (pool) => ({ ...noPools, pools: [pool] })
    })
  ))

/** A pool, where one of the factories knows it as its own. */
const confirmed = (view: LedgerView, factories: ReadonlyArray<ContractAddress>, pool: ContractAddress): Part => {
  const answers = factories.map((factory) => valueIn(view, factory, Keys.deployed(pool), bool))
  const further = answers.flatMap(openQuestions)
  return { ...noPools, further, pools: answers.some((answer) => Either.isRight(answer) && answer.right === true) ? [pool] : [] }
}

/**
 * Searches the reward zone first, then pools known before, then announced pools, which strangers may add. A pool that no factory knows
 * takes no place in the list. `before`: pools of the last list. They are searched even if nothing names them any more, because something
 * may still be held there.
 */
const searchAfter = (sources: PoolSources, before: ReadonlyArray<ContractAddress>): Search => ({
  questions: sources.backstops.flatMap((backstop) => [instanceKey(backstop), contractDataKey(backstop, Keys.rewardZone)]),
  find: (view, announced): Finds => {
    const { backstopCode, backstops, factories, placesOf, pools } = sources
    const zone = together(backstops.map((backstop) => rewardZone(view, backstop, backstopCode)))
    const announcedList = announcedPools(announced)
    const all = [...new Set([...zone.pools, ...before, ...announcedList.pools])].filter((pool) => !pools.includes(pool))
    const named = all.slice(0, mostNamed)
    const known = together(named.map((pool) => confirmed(view, factories, pool)))
    const confirmedPools = new Set(known.pools)
    const unknown =
      new Set([...zone.pools, ...announcedList.pools].filter((pool) => !pools.includes(pool) && !confirmedPools.has(pool))).size
    const doubts = [
      ...zone.doubts,
      ...announcedList.doubts,
      ...(unknown === 0 ? [] : [`pools that no factory of the protocol knows are not read: ${unknown}`])
    ]
    const listed = known.pools.slice(0, mostPools)
    return {
      further: [...zone.further, ...known.further],
      places: listed.flatMap((pool, index) => placesOf(pool, index >= mostNear)),
      doubts: [...new Set(doubts)],
      dropped: all.length - named.length + Math.max(0, known.pools.length - mostPools),
      isBlind: zone.isBlind || announcedList.isBlind,
      next: searchAfter(sources, listed)
    }
  }
})

/** How pools are found that no file lists; null without a backstop or factory to name them. */
export const poolDiscovery = (sources: PoolSources): Discovery | null => {
  const { backstops, factories, placesOf, since } = sources
  if (backstops.length + factories.length === 0) return null
  return {
    ...searchAfter(sources, []),
    namedBy: [...backstops, ...factories],
    ...(factories.length === 0 ? {} : { announcements: { contracts: factories, topics: [symbol.encode("deploy")], since } }),
    confirm: (view, candidates) => {
      const { further, pools } = together(candidates.map((pool) => confirmed(view, factories, pool)))
      return { further, places: pools.flatMap((pool) => placesOf(pool, false)) }
    }
  }
}
