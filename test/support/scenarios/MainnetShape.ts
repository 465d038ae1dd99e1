import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { addressOf, addressVal, bool, strkeyOf, vec } from "../../../src/ledger/soroban/Values.ts"
import { routerHash } from "../../../src/sandbox/contracts/Amm1.ts"
import { poolListKey } from "../../../src/sandbox/contracts/Amm3.ts"
import { codeEntries, contractEntries, dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import {
  backstopV1Hash,
  backstopV2Hash,
  deployedKey,
  poolFactoryV2Hash,
  poolV1Hash,
  poolV2Hash,
  rewardZoneKey
} from "../../../src/sandbox/contracts/Lend1.ts"
import { standInHash } from "../../../src/sandbox/contracts/StandInHash.ts"
import { withToken } from "../../../src/sandbox/contracts/tokens/NewToken.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { withAssetContracts } from "../../../src/sandbox/network/AssetContracts.ts"
import { amm1ContractsAt } from "../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { Amm1Market } from "../../../src/sandbox/scenarios/Amm1Market.ts"
import { lendingContracts } from "../../../src/sandbox/scenarios/LendingContracts.ts"
import { LendingMarket } from "../../../src/sandbox/scenarios/LendingMarket.ts"
import { pairsContracts } from "../../../src/sandbox/scenarios/PairsContracts.ts"
import { PairsMarket } from "../../../src/sandbox/scenarios/PairsMarket.ts"
import { type PoolContracts, poolNamed, stakedPoolsContracts } from "../../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import { StakedPoolsMarket } from "../../../src/sandbox/scenarios/StakedPoolsMarket.ts"
import { vaultsContracts, woundDownHash } from "../../../src/sandbox/scenarios/VaultsContracts.ts"
import { woundDown } from "../../../src/sandbox/scenarios/VaultsEntries.ts"
import { VaultsMarket } from "../../../src/sandbox/scenarios/VaultsMarket.ts"
import { keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { mainnetAssets } from "./MainnetAssets.ts"
import { emptiedVaults, liveRouter } from "./MainnetCode.ts"
import { codeInPlaceOf, copied, inPlaceOf, relocated } from "./Relocation.ts"

/** A network's contracts as in a contracts file: protocols by role, and tokens. */
export interface Addresses {
  readonly protocols: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>>
  readonly tokens: ReadonlyArray<string>
}

const life = 3_000_000

/** The code of the first factory of lending pools, which the sandbox does not model. */
const poolFactoryV1Hash = "0287f4ad7350935b83d94e046c0bcabc960b233dbce1531008c021b71d406a1d"

type Change = (state: LedgerState) => LedgerState

const inOrder = (...changes: ReadonlyArray<Change>): Change => (state) => changes.reduce((next, change) => change(next), state)

/** The addresses of a network by protocol and role; none where its file has no such role. */
const rolesOf = ({ protocols }: Addresses) => (protocol: string, role: string): ReadonlyArray<xdr.ScAddress> =>
  (protocols[protocol]?.[role] ?? []).map(addressOf)

type Roles = ReturnType<typeof rolesOf>

const { backstop, comet, pool, poolFactory } = lendingContracts

/** A contract that is the only one of its kind moves to the network's address; where there are several, the first does. */
const moved = (at: Roles, until: number): Change => {
  const places = [
    [pool, at("lend_1", "poolV2")],
    [backstop, at("lend_1", "backstop")],
    [comet, at("lend_1", "backstopToken")],
    [poolFactory, at("lend_1", "poolFactory")],
    [amm1ContractsAt.router, at("amm_1", "router")],
    [pairsContracts.factory, at("amm_2", "factory")],
    [pairsContracts.router, at("amm_2", "router")],
    [stakedPoolsContracts.factory, at("amm_3", "factory")],
    [vaultsContracts.vaults, at("cdp_1", "vaults")]
  ] as const
  return (state) =>
    relocated(
      state,
      [
        ...places.flatMap(([from, [to]]) => (to === undefined ? [] : [inPlaceOf(from, to)])),
        codeInPlaceOf(woundDownHash, emptiedVaults.hash)
      ],
      until
    ).set(codeEntries(emptiedVaults.hash, until, emptiedVaults.code))
}

/** The pools, backstops and factories of both versions. Each factory lists its own pools, and the second backstop rewards its own. */
const lending = (at: Roles, until: number): Change => {
  const [v2 = [], v1 = []] = [at("lend_1", "poolV2"), at("lend_1", "poolV1")]
  const [[second, first], [secondFactory, firstFactory]] = [at("lend_1", "backstop"), at("lend_1", "poolFactory")]
  const [original] = v2
  if (original === undefined || second === undefined || first === undefined || secondFactory === undefined || firstFactory === undefined) {
    return (state) => state
  }
  const known = (factory: xdr.ScAddress, pools: ReadonlyArray<xdr.ScAddress>) =>
    pools.flatMap((one) => dataEntries(factory, [deployedKey(one), bool(true)], "persistent", until))
  const ofFirst = [inPlaceOf(second, first), codeInPlaceOf(poolV2Hash, poolV1Hash)]
  return inOrder(
    ...v2.slice(1).map((one): Change => (state) => copied(state, original, [inPlaceOf(original, one)], until)),
    ...v1.map((one): Change => (state) => copied(state, original, [inPlaceOf(original, one), ...ofFirst], until)),
    (state) => copied(state, second, [inPlaceOf(second, first), codeInPlaceOf(backstopV2Hash, backstopV1Hash)], until),
    (state) =>
      copied(state, secondFactory, [
        inPlaceOf(secondFactory, firstFactory),
        ...ofFirst,
        codeInPlaceOf(poolFactoryV2Hash, poolFactoryV1Hash)
      ], until),
    (state) =>
      state.set([
        ...[poolV1Hash, backstopV1Hash, poolFactoryV1Hash].flatMap((code) => codeEntries(code, until)),
        ...dataEntries(second, [rewardZoneKey, vec(...v2.map(addressVal))], "persistent", until),
        ...known(secondFactory, v2),
        ...known(firstFactory, v1)
      ])
  )
}

/** A pool of amm_3 for each of the network's stakes, of the three kinds in turn; the factory lists only them. */
const stakedPools = (at: Roles, until: number): Change => {
  const [factory] = at("amm_3", "factory")
  const kinds: ReadonlyArray<PoolContracts> = [stakedPoolsContracts.five, stakedPoolsContracts.six, stakedPoolsContracts.stable]
  const made = at("amm_3", "stake").flatMap((stake, number) => {
    const kind = kinds[number % kinds.length]
    return kind === undefined ? [] : [{ kind, made: { ...poolNamed(`mainnet ${number}`), stake } }]
  })
  const copies = made.flatMap(({ kind, made: one }) => {
    const replacements = [inPlaceOf(kind.pool, one.pool), inPlaceOf(kind.shareToken, one.shareToken), inPlaceOf(kind.stake, one.stake)]
    return [kind.pool, kind.shareToken, kind.stake].map((original): Change => (state) => copied(state, original, replacements, until))
  })
  return factory === undefined ? (state) => state : inOrder(
    ...copies,
    (state) =>
      state.set(dataEntries(factory, [poolListKey, vec(...made.map(({ made: one }) => addressVal(one.pool)))], "persistent", until))
  )
}

/** Contracts that are never read: they exist, with code of their own. */
const others = (at: Roles, until: number): Change => {
  const all = at("cdp_1", "lockingPool")
  return (state) => state.set(all.flatMap((one) => contractEntries(one, standInHash(`contract ${strkeyOf(one)}`), [], until)))
}

/** A ledger on which the router of amm_1 runs the recent code of mainnet, which no file lists. */
export const withLiveRouter = (state: LedgerState, addresses: Addresses): LedgerState => {
  const until = state.header.ledgerSeq + life
  const upgraded = rolesOf(addresses)("amm_1", "router")
    .reduce((next, router) => copied(next, router, [codeInPlaceOf(routerHash, liveRouter.hash)], until), state)
  return upgraded.set(codeEntries(liveRouter.hash, until, liveRouter.code))
}

/** The contracts of the network's tokens: of assets where they are known, or else a new token. */
const tokens = (addresses: ReadonlyArray<string>, admin: xdr.ScAddress, passphrase: string): Change => (state) => {
  const issued = withAssetContracts(state, mainnetAssets.map((asset) => asset.toXdrObject()), passphrase)
  return addresses.map(addressOf).filter((one) => issued.get(keyOfInstance(one)) === undefined)
    .reduce((next, one) => withToken(next, one, admin, {}), issued)
}

/**
 * A network in the shape of mainnet. Every contract of a contracts file exists and runs the sandbox's model of its code, with pools, pairs
 * and vaults of other users. Its passphrase must be mainnet's, so that addresses of asset contracts equal mainnet's.
 */
export const MainnetShape = Effect.fnUntraced(function*(addresses: Addresses) {
  const network = yield* Network
  yield* LendingMarket
  yield* Amm1Market
  yield* PairsMarket
  yield* StakedPoolsMarket
  yield* VaultsMarket
  const at = rolesOf(addresses)
  const until = (yield* network.snapshot).state.header.ledgerSeq + life
  const shaped = inOrder(
    woundDown,
    moved(at, until),
    lending(at, until),
    stakedPools(at, until),
    others(at, until),
    tokens(addresses.tokens, addressOf(network.root.publicKey()), network.passphrase)
  )
  yield* network.amend(shaped)
})
