import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { addressOf, addressVal, bool, strkeyOf, vec } from "../../../src/ledger/soroban/Values.ts"
import { ROUTER_HASH } from "../../../src/sandbox/contracts/Amm1.ts"
import { POOL_LIST } from "../../../src/sandbox/contracts/Amm3.ts"
import { codeEntries, contractEntries, dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import {
  BACKSTOP_V1_HASH,
  BACKSTOP_V2_HASH,
  deployedKey,
  POOL_FACTORY_V2_HASH,
  POOL_V1_HASH,
  POOL_V2_HASH,
  REWARD_ZONE
} from "../../../src/sandbox/contracts/Lend1.ts"
import { standInHash } from "../../../src/sandbox/contracts/StandInHash.ts"
import { withToken } from "../../../src/sandbox/contracts/tokens/NewToken.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { withAssetContracts } from "../../../src/sandbox/network/AssetContracts.ts"
import { AMM_1_CONTRACTS_AT } from "../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { Amm1Market } from "../../../src/sandbox/scenarios/Amm1Market.ts"
import { LENDING_CONTRACTS } from "../../../src/sandbox/scenarios/LendingContracts.ts"
import { LendingMarket } from "../../../src/sandbox/scenarios/LendingMarket.ts"
import { PAIRS_CONTRACTS } from "../../../src/sandbox/scenarios/PairsContracts.ts"
import { PairsMarket } from "../../../src/sandbox/scenarios/PairsMarket.ts"
import { type PoolContracts, poolNamed, STAKED_POOLS_CONTRACTS } from "../../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import { StakedPoolsMarket } from "../../../src/sandbox/scenarios/StakedPoolsMarket.ts"
import { VAULTS_CONTRACTS, WOUND_DOWN_HASH } from "../../../src/sandbox/scenarios/VaultsContracts.ts"
import { woundDown } from "../../../src/sandbox/scenarios/VaultsEntries.ts"
import { VaultsMarket } from "../../../src/sandbox/scenarios/VaultsMarket.ts"
import { keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { MAINNET_ASSETS } from "./MainnetAssets.ts"
import { EMPTIED_VAULTS, LIVE_ROUTER } from "./MainnetCode.ts"
import { codeInPlaceOf, copied, inPlaceOf, relocated } from "./Relocation.ts"

/** Where a network has its contracts: what a contracts file says of protocols, by role, and of tokens. */
export interface Addresses {
  readonly protocols: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>>
  readonly tokens: ReadonlyArray<string>
}

const LIFE = 3_000_000

/** The code of the first factory of lending pools, which the sandbox has no model of. */
const POOL_FACTORY_V1_HASH = "0287f4ad7350935b83d94e046c0bcabc960b233dbce1531008c021b71d406a1d"

type Change = (state: LedgerState) => LedgerState

const inOrder = (...changes: ReadonlyArray<Change>): Change => (state) => changes.reduce((next, change) => change(next), state)

/** The addresses of a network by protocol and role; none where its file has no such role. */
const rolesOf = ({ protocols }: Addresses) => (protocol: string, role: string): ReadonlyArray<xdr.ScAddress> =>
  (protocols[protocol]?.[role] ?? []).map(addressOf)

type Roles = ReturnType<typeof rolesOf>

const { backstop, comet, pool, poolFactory } = LENDING_CONTRACTS

/** Contracts of which there is one of a kind go where the network has it; the first of several, where it has that. */
const moved = (at: Roles, until: number): Change => {
  const places = [
    [pool, at("lend_1", "poolV2")],
    [backstop, at("lend_1", "backstop")],
    [comet, at("lend_1", "backstopToken")],
    [poolFactory, at("lend_1", "poolFactory")],
    [AMM_1_CONTRACTS_AT.router, at("amm_1", "router")],
    [PAIRS_CONTRACTS.factory, at("amm_2", "factory")],
    [PAIRS_CONTRACTS.router, at("amm_2", "router")],
    [STAKED_POOLS_CONTRACTS.factory, at("amm_3", "factory")],
    [VAULTS_CONTRACTS.vaults, at("cdp_1", "vaults")]
  ] as const
  return (state) =>
    relocated(
      state,
      [
        ...places.flatMap(([from, [to]]) => (to === undefined ? [] : [inPlaceOf(from, to)])),
        codeInPlaceOf(WOUND_DOWN_HASH, EMPTIED_VAULTS.hash)
      ],
      until
    ).set(codeEntries(EMPTIED_VAULTS.hash, until, EMPTIED_VAULTS.code))
}

/** The pools, backstops and factories of both versions, each factory knowing its own and the second backstop rewarding its own. */
const lending = (at: Roles, until: number): Change => {
  const [v2 = [], v1 = []] = [at("lend_1", "poolV2"), at("lend_1", "poolV1")]
  const [[second, first], [secondFactory, firstFactory]] = [at("lend_1", "backstop"), at("lend_1", "poolFactory")]
  const [original] = v2
  if (original === undefined || second === undefined || first === undefined || secondFactory === undefined || firstFactory === undefined) {
    return (state) => state
  }
  const known = (factory: xdr.ScAddress, pools: ReadonlyArray<xdr.ScAddress>) =>
    pools.flatMap((one) => dataEntries(factory, [deployedKey(one), bool(true)], "persistent", until))
  const ofFirst = [inPlaceOf(second, first), codeInPlaceOf(POOL_V2_HASH, POOL_V1_HASH)]
  return inOrder(
    ...v2.slice(1).map((one): Change => (state) => copied(state, original, [inPlaceOf(original, one)], until)),
    ...v1.map((one): Change => (state) => copied(state, original, [inPlaceOf(original, one), ...ofFirst], until)),
    (state) => copied(state, second, [inPlaceOf(second, first), codeInPlaceOf(BACKSTOP_V2_HASH, BACKSTOP_V1_HASH)], until),
    (state) =>
      copied(state, secondFactory, [
        inPlaceOf(secondFactory, firstFactory),
        ...ofFirst,
        codeInPlaceOf(POOL_FACTORY_V2_HASH, POOL_FACTORY_V1_HASH)
      ], until),
    (state) =>
      state.set([
        ...[POOL_V1_HASH, BACKSTOP_V1_HASH, POOL_FACTORY_V1_HASH].flatMap((code) => codeEntries(code, until)),
        ...dataEntries(second, [REWARD_ZONE, vec(...v2.map(addressVal))], "persistent", until),
        ...known(secondFactory, v2),
        ...known(firstFactory, v1)
      ])
  )
}

/** A pool of amm_3 for each stake that the network has, of the three kinds in turn; the factory lists them and no others. */
const stakedPools = (at: Roles, until: number): Change => {
  const [factory] = at("amm_3", "factory")
  const kinds: ReadonlyArray<PoolContracts> = [STAKED_POOLS_CONTRACTS.five, STAKED_POOLS_CONTRACTS.six, STAKED_POOLS_CONTRACTS.stable]
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
    (state) => state.set(dataEntries(factory, [POOL_LIST, vec(...made.map(({ made: one }) => addressVal(one.pool)))], "persistent", until))
  )
}

/** Contracts of which nothing is read: they are there, with code of their own. */
const others = (at: Roles, until: number): Change => {
  const all = at("cdp_1", "lockingPool")
  return (state) => state.set(all.flatMap((one) => contractEntries(one, standInHash(`contract ${strkeyOf(one)}`), [], until)))
}

/** A ledger on which the router of amm_1 runs what it ran on mainnet lately, which no file lists. */
export const withLiveRouter = (state: LedgerState, addresses: Addresses): LedgerState => {
  const until = state.header.ledgerSeq + LIFE
  const upgraded = rolesOf(addresses)("amm_1", "router")
    .reduce((next, router) => copied(next, router, [codeInPlaceOf(ROUTER_HASH, LIVE_ROUTER.hash)], until), state)
  return upgraded.set(codeEntries(LIVE_ROUTER.hash, until, LIVE_ROUTER.code))
}

/** The contracts of the network's tokens: of assets where they are known, else a token of its own. */
const tokens = (addresses: ReadonlyArray<string>, admin: xdr.ScAddress, passphrase: string): Change => (state) => {
  const issued = withAssetContracts(state, MAINNET_ASSETS.map((asset) => asset.toXdrObject()), passphrase)
  return addresses.map(addressOf).filter((one) => issued.get(keyOfInstance(one)) === undefined)
    .reduce((next, one) => withToken(next, one, admin, {}), issued)
}

/**
 * A network shaped as mainnet is: whatever a contracts file names is there and runs what the sandbox knows of it, pools, pairs and vaults
 * of others among it. Its passphrase is to be mainnet's, for addresses of asset contracts to be mainnet's too.
 */
export const MainnetShape = Effect.fnUntraced(function*(addresses: Addresses) {
  const network = yield* Network
  yield* LendingMarket
  yield* Amm1Market
  yield* PairsMarket
  yield* StakedPoolsMarket
  yield* VaultsMarket
  const at = rolesOf(addresses)
  const until = (yield* network.snapshot).state.header.ledgerSeq + LIFE
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
