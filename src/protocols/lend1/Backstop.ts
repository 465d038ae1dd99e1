import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { contract, symbol } from "../../stellar/ScValCodec.ts"
import type { GatedContract } from "../CodeGate.ts"
import { mulDown } from "../kit/FixedPoint.ts"
import { allAnswered, required, requiredInInstance, valueIn } from "../kit/LedgerView.ts"
import type { LedgerView, Unusable } from "../kit/LedgerView.ts"
import { tokenFactsKey } from "../kit/TokenFacts.ts"
import * as Entries from "./Entries.ts"
import type { Emissions } from "./Entries.ts"
import * as Keys from "./Keys.ts"
import { claimable, hourly } from "./Rewards.ts"

/** Which generation of backstop: how long it locks and how it is claimed from. */
export type BackstopVersion = "backstopV1" | "backstopV2"

/** Seconds between queueing and withdrawing. */
export const lockOf: Record<BackstopVersion, bigint> = { backstopV1: 21n * 86_400n, backstopV2: 17n * 86_400n }

/** How many withdrawals one user may have queued for one pool. */
export const mostQueued: Record<BackstopVersion, number> = { backstopV1: 21, backstopV2: 20 }

/** A queued withdrawal. */
export interface QueuedWithdrawal {
  /** Shares. */
  readonly amount: bigint
  /** Unix seconds. */
  readonly unlocksAt: bigint
}

/** What a user has in the backstop of one pool. */
export interface BackstopState {
  readonly address: ContractAddress
  readonly version: BackstopVersion
  readonly wasmHash: string
  readonly pool: ContractAddress
  /** The token that is deposited: shares of the comet pool. */
  readonly token: ContractAddress
  readonly rewardToken: ContractAddress
  /** Not queued. */
  readonly shares: bigint
  /** In the order in which they were queued. */
  readonly queue: ReadonlyArray<QueuedWithdrawal>
  /** What all shares, queued or not, are worth in the deposited token; base units. */
  readonly tokens: bigint
  /** Rewards up to the ledger that was read, base units of the reward token. Claiming deposits them again. */
  readonly reward: bigint
  /** What comes in within an hour, base units: nothing for what is queued. */
  readonly hourly: bigint
}

/** Shares of a deposit, queued or not. */
export const allShares = ({ queue, shares }: Pick<BackstopState, "queue" | "shares">): bigint =>
  queue.reduce((sum, { amount }) => sum + amount, shares)

const emissionsOf = (
  view: LedgerView,
  { address, kind }: GatedContract<BackstopVersion>,
  pool: ContractAddress
): Either.Either<Emissions | null, Unusable> =>
  kind === "backstopV2"
    ? valueIn(view, address, Keys.backstopEmissions(pool), Entries.EmissionsV2)
    : Either.gen(function*() {
      const data = yield* valueIn(view, address, Keys.backstopEmissions(pool), Entries.EmissionDataV1)
      const config = yield* valueIn(view, address, Keys.backstopEmissionConfig(pool), Entries.EmissionConfigV1)
      return data === null || config === null ? null : { ...data, ...config }
    })

/** What the user has in the backstop of a pool, or null when there never was anything. */
export const backstopState = (
  view: LedgerView,
  backstop: GatedContract<BackstopVersion>,
  pool: ContractAddress,
  user: AccountAddress
): Either.Either<BackstopState | null, Unusable> =>
  Either.gen(function*() {
    const { address, instance, kind: version, wasmHash } = backstop
    const own = yield* valueIn(view, address, Keys.userBalance(pool, user), Entries.UserBalance)
    if (own === null) return null
    const inside = (name: string) => requiredInInstance(address, instance, symbol.encode(name), contract)
    const rewardToken = yield* inside("BLNDTkn")
    yield* allAnswered(view, [
      tokenFactsKey(rewardToken),
      contractDataKey(address, Keys.poolBalance(pool)),
      contractDataKey(address, Keys.backstopEmissions(pool)),
      ...(version === "backstopV1" ? [contractDataKey(address, Keys.backstopEmissionConfig(pool))] : []),
      contractDataKey(address, Keys.backstopUserEmissions(pool, user))
    ])
    const all = yield* required(view, address, Keys.poolBalance(pool), Entries.PoolBalance)
    const emissions = yield* emissionsOf(view, backstop, pool)
    const userEmissions = yield* valueIn(view, address, Keys.backstopUserEmissions(pool, user), Entries.UserEmissions)
    const queue = own.q4w.map(({ amount, exp }) => ({ amount, unlocksAt: exp }))
    const share = { held: own.shares, supply: all.shares - all.q4w, unit: 10_000_000n, finer: version === "backstopV2" ? 10_000_000n : 1n }
    const reward = claimable(emissions, userEmissions, share, view.closeTime)
    return {
      address,
      version,
      wasmHash,
      pool,
      token: yield* inside("BToken"),
      rewardToken,
      shares: own.shares,
      queue,
      tokens: all.shares === 0n ? 0n : mulDown(allShares({ queue, shares: own.shares }), all.tokens, all.shares),
      reward,
      hourly: hourly(emissions, share, view.closeTime)
    }
  })
