/**
 * lend_1: Blend pools v1 and v2, their backstops, and the comet pool whose shares a backstop takes.
 *
 * Read by ledger entries: pool `Positions`, `ResList`, `ResConfig`, `ResData`, `EmisData`, `UserEmis`, `Auction`; backstop
 * `UserBalance`, `PoolBalance`, `BEmisData`, `UEmisData`; comet `Balance`, `TotalShares`, `AllTokenVec`, `AllRecordData`.
 * Pools that no file lists are found by the backstop's `RZ` and the pool factory's `deploy` events, and confirmed by its `Contracts`.
 * Called: pool `claim(from, reserve_token_ids, to)`, `submit(from, spender, to, requests)`,
 * v2 `submit_with_allowance` with the same arguments; backstop `claim`, `queue_withdrawal`,
 * `withdraw`; comet `exit_pool`.
 * Sources: https://github.com/blend-capital/blend-contracts-v2, https://github.com/blend-capital/blend-contracts,
 * https://github.com/CometDEX/comet-contracts-v1
 */
import { Effect, Either } from "effect"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { ProtocolCode } from "../registry/ContractAddresses.ts"
import { string, symbol } from "../stellar/ScValCodec.ts"
import { gate } from "./CodeGate.ts"
import type { GateFailure } from "./CodeGate.ts"
import { merged, undecoded } from "./kit/Decoding.ts"
import { knownCode } from "./kit/KnownCode.ts"
import { inInstance } from "./kit/LedgerView.ts"
import type { LedgerView } from "./kit/LedgerView.ts"
import { listedContracts } from "./kit/ListedContracts.ts"
import { noExit } from "./kit/NoExit.ts"
import { enrichmentOf } from "./kit/TokenFacts.ts"
import { backstopState } from "./lend1/Backstop.ts"
import type { BackstopVersion } from "./lend1/Backstop.ts"
import { leaveBackstop, leaveComet } from "./lend1/BackstopExit.ts"
import { cometState, sharesHeld } from "./lend1/Comet.ts"
import type { CometState } from "./lend1/Comet.ts"
import { problemOf } from "./lend1/Failures.ts"
import type { PoolVersion } from "./lend1/Interest.ts"
import * as Keys from "./lend1/Keys.ts"
import { poolState, reservesOf } from "./lend1/Pool.ts"
import { leavePool } from "./lend1/PoolExit.ts"
import { poolDiscovery } from "./lend1/PoolList.ts"
import { backstopPosition, cometPosition, poolPosition } from "./lend1/Rows.ts"
import * as Protocol from "./Protocol.ts"

const name = "lend_1"

/** Where the contracts of one network are, and the code that is known. */
export interface Deployment {
  readonly pools: ReadonlyArray<ContractAddress>
  readonly backstops: ReadonlyArray<ContractAddress>
  readonly comets: ReadonlyArray<ContractAddress>
  /** They deploy pools and vouch for them. */
  readonly factories: ReadonlyArray<ContractAddress>
  /** The first ledger of which the file does not claim to list every pool; left out: the file claims nothing. */
  readonly since?: number
  readonly code: ProtocolCode
}

/** Found pools that are read as those of the file are; of others one key tells whether an account ever came there. */
const mostNear = 300

/** The decoder over one deployment. */
export const lend1 = (deployment: Deployment): Protocol.Protocol => {
  const { backstops, code, comets, factories, pools, since = 1 } = deployment
  const poolCode = knownCode<PoolVersion>(code, "poolV1", "poolV2")
  const backstopCode = knownCode<BackstopVersion>(code, "backstopV1", "backstopV2")
  const cometCode = knownCode(code, "backstopToken" as const)

  const discovery = poolDiscovery({ pools, backstops, backstopCode, factories, since })
  /** All pools that are read. */
  const poolsAnd = (found: ReadonlyArray<ContractAddress>): ReadonlyArray<ContractAddress> => [...new Set([...pools, ...found])]

  const near = (found: ReadonlyArray<ContractAddress>) => poolsAnd(found).slice(0, pools.length + mostNear)
  const far = (found: ReadonlyArray<ContractAddress>) => poolsAnd(found).slice(pools.length + mostNear)

  const comet = (view: LedgerView, address: ContractAddress, user: AccountAddress): Either.Either<CometState, GateFailure> =>
    Either.flatMap(gate(view, address, cometCode), (gated) => cometState(view, gated, user))

  /** A deposit, with the comet pool its tokens belong to; null when there never was one. */
  const deposit = (view: LedgerView, backstop: ContractAddress, pool: ContractAddress, user: AccountAddress) =>
    Either.gen(function*() {
      const state = yield* Either.flatMap(gate(view, backstop, backstopCode), (gated) => backstopState(view, gated, pool, user))
      return state === null ? null : { state, comet: yield* comet(view, state.token, user) }
    })

  const ofPool = (user: AccountAddress, view: LedgerView, address: ContractAddress): Protocol.Decoded =>
    Either.match(Either.flatMap(gate(view, address, poolCode), (gated) => poolState(view, gated, user)), {
      onLeft: (failure) => undecoded(name, address, "pool", failure),
      onRight: (pool) =>
        pool === null ? Protocol.nothing : {
          ...Protocol.nothing,
          positions: poolPosition(view, pool),
          enrichment: enrichmentOf(view, [
            ...pool.holdings.map(({ asset }) => asset),
            ...(pool.rewards.length > 0 ? [pool.rewardToken] : [])
          ])
        }
    })

  /** Of pools that strangers may add without end one key is read: an account that never came there has no entry under it. */
  const ofFar = (user: AccountAddress, view: LedgerView, address: ContractAddress): Protocol.Decoded =>
    view.state(Keys.positionsKey(address, user))._tag === "Absent" ? Protocol.nothing : ofPool(user, view, address)

  /** What a pool calls itself; null where its code is not known, or it has no name. The deposit in a backstop does not rest on it. */
  const nameOf = (view: LedgerView, pool: ContractAddress): Either.Either<string | null, GateFailure> =>
    Either.orElse(
      Either.flatMap(gate(view, pool, poolCode), ({ instance }): Either.Either<string | null, GateFailure> =>
        inInstance(pool, instance, symbol.encode("Name"), string)),
      (failure) => (failure._tag === "Unread" ? Either.left(failure) : Either.right(null))
    )

  const ofBackstop = (
    user: AccountAddress,
    view: LedgerView,
    backstop: ContractAddress,
    all: ReadonlyArray<ContractAddress>
  ): Protocol.Decoded => {
    const gated = gate(view, backstop, backstopCode)
    if (Either.isLeft(gated)) return undecoded(name, backstop, "backstop", gated.left)
    return merged(
      all.map((pool) =>
        Either.match(
          Either.flatMap(
            deposit(view, backstop, pool, user),
            (found) => found === null ? Either.right(null) : Either.map(nameOf(view, pool), (poolName) => ({ ...found, poolName }))
          ),
          {
            onLeft: (failure) => undecoded(name, backstop, "backstop deposit", failure),
            onRight: (found) => {
              const positions = found === null ? [] : backstopPosition(view, found.state, found.comet, found.poolName)
              return {
                ...Protocol.nothing,
                positions,
                enrichment: found === null || positions.length === 0 ? {} : enrichmentOf(view, [found.state.token])
              }
            }
          }
        )
      )
    )
  }

  const ofComet = (user: AccountAddress, view: LedgerView, address: ContractAddress): Protocol.Decoded => {
    const found = Either.flatMap(
      gate(view, address, cometCode),
      (gated) =>
        Either.flatMap(
          sharesHeld(view, gated, user),
          (held): Either.Either<CometState | null, GateFailure> => held === 0n ? Either.right(null) : cometState(view, gated, user)
        )
    )
    return Either.match(found, {
      onLeft: (failure) => undecoded(name, address, "backstop token", failure),
      onRight: (state) =>
        state === null
          ? Protocol.nothing
          : { ...Protocol.nothing, positions: cometPosition(view, state, user), enrichment: enrichmentOf(view, [address]) }
    })
  }

  return {
    name,
    code: Object.values(code).flat(),
    contracts: [...pools, ...backstops, ...comets],
    ...(discovery === null ? {} : { discovery }),
    candidatesIn: Keys.poolsNamed,
    reserves: (view, found) => [...new Set([...near(found).flatMap((pool) => reservesOf(view, pool)), ...comets])],
    keys: (user, found) => [
      ...near(found).flatMap((pool) => Keys.poolKeys(pool, user)),
      ...far(found).map((pool) => Keys.positionsKey(pool, user)),
      ...backstops.flatMap((backstop) => Keys.backstopKeys(backstop, poolsAnd(found), user)),
      ...comets.flatMap((address) => Keys.cometKeys(address, user))
    ],
    decode: (user, view, found) =>
      merged([
        ...near(found).map((pool) => ofPool(user, view, pool)),
        ...far(found).map((pool) => ofFar(user, view, pool)),
        ...backstops.map((backstop) => ofBackstop(user, view, backstop, poolsAnd(found))),
        ...comets.map((address) => ofComet(user, view, address))
      ]),
    // A pool is left by itself, a deposit with its pool and its token, shares with their own contract.
    about: ({ contract, key }) => {
      const named = (list: ReadonlyArray<ContractAddress>) => list.filter((one) => one === contract || one === key)
      return lend1({ ...deployment, pools: named(pools), backstops: named(backstops), comets: named(comets) })
    },
    exit: ({ contract, key }, context) => {
      const { found: listed, user, view } = context
      const all = poolsAnd(listed)
      if (comets.includes(contract)) {
        return Either.match(comet(view, contract, user), { onLeft: noExit(contract), onRight: (found) => leaveComet(found, context) })
      }
      if (backstops.includes(contract)) {
        const pool = all.find((one) => one === key)
        if (pool === undefined) return { _tag: "Gone" }
        return Either.match(deposit(view, contract, pool, user), {
          onLeft: noExit(contract),
          onRight: (found) => (found === null ? { _tag: "Gone" } : leaveBackstop(found.state, found.comet, context))
        })
      }
      if (!all.includes(contract)) return { _tag: "Gone" }
      return Either.match(Either.flatMap(gate(view, contract, poolCode), (gated) => poolState(view, gated, user)), {
        onLeft: noExit(contract),
        onRight: (pool) => (pool === null ? { _tag: "Gone" } : leavePool(pool, context))
      })
    },
    problem: problemOf,
    spenders: [
      ...pools.map((contract) => ({ contract, role: "pool" })),
      ...backstops.map((contract) => ({ contract, role: "backstop" })),
      ...comets.map((contract) => ({ contract, role: "backstop token" }))
    ]
  }
}

/** Roles of the contracts file. The emitter is not read: it holds nothing of accounts. */
const roles = ["poolV1", "poolV2", "backstop", "backstopToken", "poolFactory", "emitter"] as const

/** Over the addresses of this network. */
export const layer = Protocol.layer(
  Effect.map(listedContracts(name, roles), ({ code, inRole, listedTo }) =>
    lend1({
      pools: [...inRole("poolV2"), ...inRole("poolV1")],
      backstops: inRole("backstop"),
      comets: inRole("backstopToken"),
      factories: inRole("poolFactory"),
      since: listedTo(inRole("poolFactory")) + 1,
      code
    }))
)
