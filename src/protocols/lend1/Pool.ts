import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { shownText } from "../../domain/ShownText.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { contract, string, symbol } from "../../stellar/ScValCodec.ts"
import type { GatedContract } from "../CodeGate.ts"
import { allAnswered, inInstance, present, required, requiredInInstance, valueIn } from "../kit/LedgerView.ts"
import type { LedgerView, Unusable } from "../kit/LedgerView.ts"
import { tokenFactsKey } from "../kit/TokenFacts.ts"
import * as Entries from "./Entries.ts"
import type { Emissions, ReserveConfig, ReserveData } from "./Entries.ts"
import { accrued, debtOf, supplyOf } from "./Interest.ts"
import type { PoolVersion } from "./Interest.ts"
import * as Keys from "./Keys.ts"
import { lastPrice, pricesIn } from "./Prices.ts"
import type { Prices } from "./Prices.ts"
import { claimable, hourly } from "./Rewards.ts"
import type { Share } from "./Rewards.ts"

/** What a user has in one reserve of a pool. b and d tokens as the pool counts them, the rest in base units of the asset. */
export interface ReserveHolding {
  readonly asset: ContractAddress
  readonly index: number
  readonly config: ReserveConfig
  /** With interest up to the ledger that was read. */
  readonly data: ReserveData
  /** As stored, with interest up to its own `last_time`. */
  readonly stored: ReserveData
  readonly bSupply: bigint
  readonly bCollateral: bigint
  readonly dTokens: bigint
  readonly supply: bigint
  readonly collateral: bigint
  readonly debt: bigint
}

/** Rewards under one reserve token id: twice the reserve index for debts, one more for supplies. */
export interface Reward {
  readonly id: number
  /** Base units of the reward token, up to the ledger that was read. */
  readonly amount: bigint
  /** What comes in within an hour while the position is held, base units. */
  readonly hourly: bigint
}

/** What a pool calls itself, as it may be shown: anyone may open one and call it anything. Null: it has no name. */
export const nameOf = (pool: ContractAddress, instance: xdr.ScContractInstance): Either.Either<string | null, Unusable> =>
  Either.map(inInstance(pool, instance, symbol.encode("Name"), string), (name) => (name === null ? null : shownText(name)))

/** What a user has in a pool. */
export interface PoolState {
  readonly address: ContractAddress
  readonly version: PoolVersion
  readonly wasmHash: string
  readonly name: string | null
  readonly rewardToken: ContractAddress
  readonly bstopRate: number
  readonly holdings: ReadonlyArray<ReserveHolding>
  /** Prices of what is owed and of the collateral behind it; asked for only where something is owed. */
  readonly prices: Prices
  readonly rewards: ReadonlyArray<Reward>
  /** A liquidation of the user is under way. */
  readonly liquidation: boolean
}

/** The tokens a pool lends, as far as its list was read. */
export const reservesOf = (view: LedgerView, pool: ContractAddress): ReadonlyArray<ContractAddress> =>
  Either.getOrElse(valueIn(view, pool, Keys.reserveList, Entries.ReserveList), () => null) ?? []

/** One base unit count of an amount map; 0 where the index is not in it. */
const at = (amounts: ReadonlyArray<readonly [number, bigint]>, index: number): bigint => amounts.find(([one]) => one === index)?.[1] ?? 0n

const isV2 = (version: PoolVersion): boolean => version === "poolV2"

/** Emissions of a reserve token; null when it has none. v1 keeps them in two entries. */
const emissionsOf = (
  view: LedgerView,
  pool: ContractAddress,
  version: PoolVersion,
  id: number
): Either.Either<Emissions | null, Unusable> =>
  isV2(version)
    ? valueIn(view, pool, Keys.emissionData(id), Entries.EmissionsV2)
    : Either.gen(function*() {
      const data = yield* valueIn(view, pool, Keys.emissionData(id), Entries.EmissionDataV1)
      const config = yield* valueIn(view, pool, Keys.emissionConfig(id), Entries.EmissionConfigV1)
      return data === null || config === null ? null : { ...data, ...config }
    })

/** What must be read of a pool once the user has an entry there. */
const detailKeys = (
  { address: pool, kind: version }: Pick<GatedContract<PoolVersion>, "address" | "kind">,
  user: AccountAddress,
  list: ReadonlyArray<ContractAddress>,
  held: ReadonlyArray<number>
): ReadonlyArray<xdr.LedgerKey> => [
  contractDataKey(pool, Keys.liquidation(user), "temporary"),
  ...list.flatMap((_, index) => [2 * index, 2 * index + 1].map((id) => contractDataKey(pool, Keys.userEmissions(user, id)))),
  ...held.flatMap((index) => {
    const asset = list[index]
    const data = asset === undefined ? [] : [Keys.reserveConfig(asset), Keys.reserveData(asset)]
    const emissions = [2 * index, 2 * index + 1].flatMap((
      id
    ) => [Keys.emissionData(id), ...(isV2(version) ? [] : [Keys.emissionConfig(id)])])
    return [...[...data, ...emissions].map((key) => contractDataKey(pool, key)), ...(asset === undefined ? [] : [tokenFactsKey(asset)])]
  })
]

/** The user's share of what a reserve token emits: even ids are of debt, odd ones of what is supplied. */
const shareOf = (holding: ReserveHolding | null, id: number, version: PoolVersion): Share => {
  const scale = { unit: 10n ** BigInt(holding?.config.decimals ?? 7), finer: isV2(version) ? 10_000_000n : 1n }
  if (holding === null) return { held: 0n, supply: 0n, ...scale }
  return id % 2 === 0
    ? { held: holding.dTokens, supply: holding.data.d_supply, ...scale }
    : { held: holding.bSupply + holding.bCollateral, supply: holding.data.b_supply, ...scale }
}

/** The code of a pool, where it stores its values. */
type Contract = GatedContract<PoolVersion>

interface PoolConfig {
  readonly bstop_rate: number
  readonly oracle: ContractAddress
}

const configOf = ({ address, instance, kind }: Contract): Either.Either<PoolConfig, Unusable> => {
  const key = symbol.encode("Config")
  return isV2(kind)
    ? requiredInInstance(address, instance, key, Entries.PoolConfigV2)
    : requiredInInstance(address, instance, key, Entries.PoolConfigV1)
}

/** The indexes of reserves in which the user has anything, in ascending order. */
const heldIndexes = ({ collateral, liabilities, supply }: Entries.Positions): ReadonlyArray<number> =>
  [...new Set([collateral, liabilities, supply].flat().filter(([, amount]) => amount !== 0n).map(([index]) => index))]
    .toSorted((left, right) => left - right)

/** The reserves whose prices decide about a debt. Plain supply backs none, and without a debt no price is needed. */
const weighedIn = ({ collateral, liabilities }: Entries.Positions, list: ReadonlyArray<ContractAddress>): ReadonlyArray<ContractAddress> =>
  liabilities.some(([, amount]) => amount !== 0n)
    ? list.filter((_, index) => at(liabilities, index) !== 0n || at(collateral, index) !== 0n)
    : []

/** The setup of a reserve; undecodable where its index is not its place in the list. */
const reserveOf = (
  view: LedgerView,
  { address, kind }: Contract,
  { asset, index }: Pick<ReserveHolding, "asset" | "index">
): Either.Either<ReserveConfig, Unusable> => {
  const key = Keys.reserveConfig(asset)
  const codec = isV2(kind) ? Entries.ReserveConfigV2 : Entries.ReserveConfigV1
  return Either.filterOrLeft(
    required<ReserveConfig>(view, address, key, codec as typeof Entries.ReserveConfigV1),
    (reserve) => reserve.index === index,
    (): Unusable => ({
      _tag: "Undecodable",
      key: contractDataKey(address, key),
      reason: "the reserve's index is not its place in the list"
    })
  )
}

/** What the user has in one reserve. */
const holdingOf = (
  view: LedgerView,
  pool: Contract,
  { bstop_rate }: PoolConfig,
  { asset, index, positions }: Pick<ReserveHolding, "asset" | "index"> & { readonly positions: Entries.Positions }
): Either.Either<ReserveHolding, Unusable> =>
  Either.gen(function*() {
    const version = pool.kind
    const config = yield* reserveOf(view, pool, { asset, index })
    const stored = yield* required(view, pool.address, Keys.reserveData(asset), Entries.ReserveData)
    const data = accrued({ version, bstopRate: bstop_rate }, config, stored, view.closeTime)
    const [bSupply, bCollateral, dTokens] = [
      at(positions.supply, index),
      at(positions.collateral, index),
      at(positions.liabilities, index)
    ]
    return {
      asset,
      index,
      config,
      data,
      stored,
      bSupply,
      bCollateral,
      dTokens,
      supply: supplyOf(version, bSupply, data.b_rate),
      collateral: supplyOf(version, bCollateral, data.b_rate),
      debt: debtOf(version, dTokens, data.d_rate)
    }
  })

/** What the user can claim, of every reserve in the list: rewards may be left of reserves in which nothing is held any more. */
const rewardsOf = (
  view: LedgerView,
  { address, kind }: Contract,
  user: AccountAddress,
  { holdings, list }: { readonly holdings: ReadonlyArray<ReserveHolding>; readonly list: ReadonlyArray<ContractAddress> }
): Either.Either<ReadonlyArray<Reward>, Unusable> =>
  Either.gen(function*() {
    const rewards: Array<Reward> = []
    for (let id = 0; id < 2 * list.length; id++) {
      const holding = holdings.find(({ index }) => index === id >> 1) ?? null
      const own = yield* valueIn(view, address, Keys.userEmissions(user, id), Entries.UserEmissions)
      const emissions = holding === null ? null : yield* emissionsOf(view, address, kind, id)
      const share = shareOf(holding, id, kind)
      const amount = claimable(emissions, own, share, view.closeTime)
      if (amount > 0n) rewards.push({ id, amount, hourly: hourly(emissions, share, view.closeTime) })
    }
    return rewards
  })

/** What the user has in a pool, or null when there never was anything. */
export const poolState = (view: LedgerView, pool: Contract, user: AccountAddress): Either.Either<PoolState | null, Unusable> =>
  Either.gen(function*() {
    const { address, instance, kind: version, wasmHash } = pool
    const positions = yield* valueIn(view, address, Keys.positions(user), Entries.Positions)
    if (positions === null) return null
    const listKey = contractDataKey(address, Keys.reserveList)
    const list = yield* required(view, address, Keys.reserveList, Entries.ReserveList)
    const held = heldIndexes(positions)
    const config = yield* configOf(pool)
    const rewardToken = yield* requiredInInstance(address, instance, symbol.encode("BLNDTkn"), contract)
    const weighed = weighedIn(positions, list)
    yield* allAnswered(view, [
      ...detailKeys({ address, kind: version }, user, list, held),
      tokenFactsKey(rewardToken),
      ...weighed.map((asset) => lastPrice(config.oracle, asset))
    ])
    const holdings: Array<ReserveHolding> = []
    for (const index of held) {
      const asset = yield* present(list[index] ?? null, listKey)
      holdings.push(yield* holdingOf(view, pool, config, { asset, index, positions }))
    }
    return {
      address,
      version,
      wasmHash,
      rewardToken,
      holdings,
      bstopRate: config.bstop_rate,
      prices: yield* pricesIn(view, config.oracle, weighed),
      rewards: yield* rewardsOf(view, pool, user, { holdings, list }),
      name: yield* nameOf(address, instance),
      liquidation: view.state(contractDataKey(address, Keys.liquidation(user), "temporary"))._tag === "Present"
    }
  })
