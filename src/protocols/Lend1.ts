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
import { Effect } from "effect"
import type { ContractAddress } from "../domain/Address.ts"
import type { ProtocolCode } from "../registry/ContractAddresses.ts"
import { knownCode } from "./kit/KnownCode.ts"
import { listedContracts } from "./kit/ListedContracts.ts"
import { backstopItself, backstopPart } from "./lend1/BackstopPart.ts"
import { cometPart } from "./lend1/CometPart.ts"
import { problemOf } from "./lend1/Failures.ts"
import { poolsNamed } from "./lend1/Keys.ts"
import { poolDiscovery } from "./lend1/PoolList.ts"
import { poolPart } from "./lend1/PoolPart.ts"
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

/** The decoder over one deployment. */
export const lend1 = ({ backstops, code, comets, factories, pools, since = 1 }: Deployment): Protocol.Protocol => {
  const known = {
    pool: knownCode(code, "poolV1", "poolV2"),
    backstop: knownCode(code, "backstopV1", "backstopV2"),
    comet: knownCode(code, "backstopToken")
  }
  const [pool, backstop, comet] = [poolPart(known.pool), backstopPart(known), cometPart(known.comet)]
  const itself = backstopItself(known.backstop)
  const placesOf = (contract: ContractAddress, isFar: boolean) => [
    pool({ contract, isFar }),
    ...backstops.map((one) => backstop({ contract: one, key: contract }))
  ]
  const discovery = poolDiscovery({ pools, backstops, backstopCode: known.backstop, factories, since, placesOf })
  return {
    name,
    label: "Blend",
    code: Object.values(code).flat(),
    contracts: [...pools, ...backstops, ...comets],
    places: [
      ...pools.flatMap((one) => placesOf(one, false)),
      ...backstops.map((contract) => itself({ contract, key: "itself" })),
      ...comets.map((contract) => comet({ contract }))
    ],
    ...(discovery === null ? {} : { discovery }),
    candidatesIn: poolsNamed,
    problem: problemOf,
    spenders: [
      ...pools.map((contract) => ({ contract, role: "pool" })),
      ...backstops.map((contract) => ({ contract, role: "backstop" })),
      ...comets.map((contract) => ({ contract, role: "backstop token" }))
    ]
  }
}

/** Roles of the contracts file, each read. */
const roles = ["poolV1", "poolV2", "backstop", "backstopToken", "poolFactory"] as const

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
