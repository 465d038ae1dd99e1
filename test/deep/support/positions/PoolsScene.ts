import type { Asset, Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../../src/ledger/Asset.ts"
import { addressOf, addressVal, bool, i128 } from "../../../../src/ledger/soroban/Values.ts"
import { concentratedKeys, sharePoolKeys } from "../../../../src/sandbox/contracts/Amm1.ts"
import { userKey } from "../../../../src/sandbox/contracts/amm1/ConcentratedStore.ts"
import { userRewardKey } from "../../../../src/sandbox/contracts/amm1/RewardKeys.ts"
import { tokenBalanceKey } from "../../../../src/sandbox/contracts/Token.ts"
import { EntryArchived } from "../../../../src/sandbox/events/EntryArchived.ts"
import { Network } from "../../../../src/sandbox/Network.ts"
import { amm1ContractsAt } from "../../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { withInstanceValues } from "../../../../src/sandbox/scenarios/Amm1Entries.ts"
import { Amm1Market, depositTo } from "../../../../src/sandbox/scenarios/Amm1Market.ts"
import { depositInto, leaveFees, rangesOf } from "../../../../src/sandbox/scenarios/Amm1Positions.ts"
import { accountVal, callContract } from "../../../../src/sandbox/scenarios/CallContract.ts"
import { withManyPairs } from "../../../../src/sandbox/scenarios/PairsEntries.ts"
import { addLiquidity, PairsMarket, swapInPair, takeFees, transferToken } from "../../../../src/sandbox/scenarios/PairsMarket.ts"
import { stakedPoolsContracts } from "../../../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import { StakedPoolsMarket } from "../../../../src/sandbox/scenarios/StakedPoolsMarket.ts"
import { withStakes } from "../../../../src/sandbox/scenarios/StakedPoolsStakes.ts"
import { keyOfContractData, keyOfInstance } from "../../../../src/xdr/LedgerKeys.ts"
import type { PoolEntries, PoolsShape } from "./PoolsShape.ts"
import { tried, withBalance } from "./WalletBalance.ts"

const { concentrated, constantProduct, constantProductShare, gauge, router, stable, stableShare } = amm1ContractsAt

/** The protocols of the scene, with their traded assets. */
export interface PoolsScene {
  readonly amm1: Effect.Effect.Success<typeof Amm1Market> | null
  readonly amm2: Effect.Effect.Success<typeof PairsMarket> | null
  readonly amm3: Effect.Effect.Success<typeof StakedPoolsMarket> | null
}

/** The assets that pools trade against lumens. */
export const assetsOf = ({ amm1, amm2, amm3 }: PoolsScene): ReadonlyArray<Asset> => [
  ...(amm1 === null ? [] : [amm1.usdc, amm1.eurc, amm1.aqua]),
  ...(amm2 === null ? [] : [amm2.usdc, amm2.eurc]),
  ...(amm3 === null ? [] : [amm3.usdc, amm3.pho])
]

/** Sets the rest of an account's market assets after its deposits. */
const left = Effect.fn("PoolsScene.left")(
  function*(
    parties: Parameters<typeof withBalance>[0],
    assets: ReadonlyArray<Asset>,
    lines: NonNullable<PoolsShape["amm1"]>["lines"]
  ) {
    const wanted = { kept: 3n * lumen + 1n, empty: 0n, gone: null }[lines]
    for (const asset of assets) yield* withBalance(parties, asset, wanted)
  }
)

/** Makes an account trust the assets of a market and gives it some. */
const equipped = Effect.fn("PoolsScene.equipped")(function*(parties: Parameters<typeof withBalance>[0], assets: ReadonlyArray<Asset>) {
  for (const asset of assets) yield* withBalance(parties, asset, 2_000n * lumen)
})

const whole = (units: number | null): bigint => BigInt(units ?? 0) * lumen

const takeAmm1 = Effect.fn("PoolsScene.amm1")(function*(shape: NonNullable<PoolsShape["amm1"]>, source: Keypair) {
  const network = yield* Network
  const market = yield* Amm1Market
  const { aqua, eurc, issuer, native, provider, usdc } = market
  const parties = { source, issuer, lender: provider }
  yield* equipped(parties, [usdc, eurc])
  yield* withBalance(parties, aqua, 0n)
  const [shares, par] = [whole(shape.constantProduct), whole(shape.stable)]
  if (shares > 0n) yield* depositTo(constantProduct, "the account takes shares", source, [native, shares * 10n], [usdc, shares])
  if (par > 0n) yield* depositTo(stable, "the account takes stable shares", source, [usdc, par], [eurc, par + lumen / 3n])
  const { around, aside } = rangesOf(network.passphrase, market)
  for (const { amount, at } of shape.ranges) {
    const units = whole(amount)
    if (at === "full") yield* depositTo(concentrated, "the account takes the full range", source, [native, units * 10n], [usdc, units])
    if (at === "around") yield* depositInto(market, source, around, [native, units * 10n], [usdc, units])
    if (at === "aside") yield* depositInto(market, source, aside, [native, 0n], [usdc, units])
  }
  if (shape.speck > 0) {
    const gift = { token: constantProductShare, amount: BigInt(shape.speck) }
    yield* transferToken("somebody gives shares", provider, gift, addressOf(source.publicKey()))
  }
  if (shape.fees > 0) yield* leaveFees(market, native, whole(shape.fees))
  if (shape.seconds > 0) yield* network.closeLedger({ advanceSeconds: shape.seconds })
  yield* left(parties, [usdc, eurc, aqua], shape.lines)
  if (shape.claims !== "on") yield* switchClaims(shape.claims === "off for shares" ? constantProduct : concentrated, true)
  return market
})

const takeAmm2 = Effect.fn("PoolsScene.amm2")(function*(shape: NonNullable<PoolsShape["amm2"]>, source: Keypair) {
  const network = yield* Network
  const market = yield* PairsMarket
  const { eurc, issuer, pairs, provider, tokens, usdc } = market
  const parties = { source, issuer, lender: provider }
  const [own, side] = [addressOf(source.publicKey()), (token: xdr.ScAddress, amount: bigint) => ({ token, amount })]
  yield* equipped(parties, [usdc, eurc])
  if (shape.fees) yield* takeFees("the factory takes a part of the fees", provider, true)
  const [lumens, euros] = [whole(shape.lumensUsdc), whole(shape.usdcEurc)]
  if (lumens > 0n) {
    yield* addLiquidity("the account provides lumens", source, side(tokens.lumens, lumens * 10n), side(tokens.usdc, lumens * 2n))
  }
  if (euros > 0n) yield* addLiquidity("the account provides EURC", source, side(tokens.usdc, euros), side(tokens.eurc, euros))
  if (shape.traded > 0) {
    yield* swapInPair("somebody trades", provider, side(tokens.usdc, whole(shape.traded)), tokens.lumens)
    yield* swapInPair("somebody trades back", provider, side(tokens.lumens, whole(shape.traded) * 10n), tokens.usdc)
  }
  if (shape.donated > 0) yield* transferToken("a gift to a pair", provider, side(tokens.eurc, whole(shape.donated)), pairs.usdcEurc)
  if (shape.speck > 0) yield* transferToken("somebody gives shares", provider, side(pairs.lumensUsdc, BigInt(shape.speck)), own)
  if (shape.dust > 0) {
    const gifts = {
      count: shape.dust,
      reserves: [9_000_000n, 10_000_000n],
      supply: 9_486_832n,
      holder: source.publicKey(),
      shares: 1n
    } as const
    yield* network.amend((state) => withManyPairs(state, network.passphrase, gifts).state)
  }
  yield* left(parties, [usdc, eurc], shape.lines)
  return market
})

const takeAmm3 = Effect.fn("PoolsScene.amm3")(function*(shape: NonNullable<PoolsShape["amm3"]>, source: Keypair) {
  const network = yield* Network
  const market = yield* StakedPoolsMarket
  const { issuer, pho, provider, usdc } = market
  const parties = { source, issuer, lender: provider }
  const pools = shape.given.map((name) => stakedPoolsContracts[name])
  const people = { user: addressOf(source.publicKey()), provider: addressOf(provider.publicKey()) }
  yield* network.amend((state) => withStakes(state, { assets: market.assets, passphrase: network.passphrase, pools, ...people }))
  for (const { amount, bonded, pool, speck } of shape.more) {
    const { shareToken, stake } = stakedPoolsContracts[pool]
    const shares = whole(amount) + BigInt(speck)
    const bond = (shares * BigInt(bonded)) / 100n
    yield* transferToken("the provider gives shares", provider, { token: shareToken, amount: shares }, addressOf(source.publicKey()))
    if (bond > 0n) {
      yield* callContract("the account bonds shares", { as: source, contract: stake, fn: "bond", args: [accountVal(source), i128(bond)] })
    }
  }
  if (shape.seconds > 0) yield* network.closeLedger({ advanceSeconds: shape.seconds })
  for (const asset of [usdc, pho]) yield* withBalance(parties, asset, shape.lines === "gone" ? null : 0n)
  yield* left(parties, [usdc, pho], shape.lines)
  return market
})

/** Disables or enables claims of a pool. */
export const switchClaims = (pool: xdr.ScAddress, off: boolean) =>
  Effect.flatMap(Network, ({ amend }) =>
    amend((state) =>
      withInstanceValues(state, pool, (storage) => {
        const key = pool === concentrated ? concentratedKeys.claimKilled : sharePoolKeys.claimKilled
        storage.set(key.toXdr("base64"), bool(off))
      })
    ))

/** Gives an account the drawn holdings in pools, each protocol in a market of its own. */
export const populatePools = Effect.fn("PoolsScene.populate")(function*(shape: PoolsShape, source: Keypair) {
  const scene: PoolsScene = {
    amm1: shape.amm1 === null ? null : yield* takeAmm1(shape.amm1, source),
    amm2: shape.amm2 === null ? null : yield* takeAmm2(shape.amm2, source),
    amm3: shape.amm3 === null ? null : yield* takeAmm3(shape.amm3, source)
  }
  return scene
})

/** Keys of the entries to archive, as far as they exist. */
const keysOf = ({ amm2 }: PoolsScene, source: Keypair): Readonly<Record<PoolEntries, ReadonlyArray<xdr.LedgerKey>>> => {
  const own = addressOf(source.publicKey())
  const { factory, five, six, stable: third } = stakedPoolsContracts
  const staked = [five, six, third]
  const kept = (contract: xdr.ScAddress, key: xdr.ScVal) => keyOfContractData(contract, key, "persistent")
  const tokens = [constantProductShare, stableShare, ...staked.map(({ shareToken }) => shareToken)]
  const pairs = amm2 === null ? [] : [amm2.pairs.lumensUsdc, amm2.pairs.usdcEurc]
  return {
    shares: [...tokens, ...pairs].map((token) => kept(token, tokenBalanceKey(own))),
    "share tokens": tokens.map(keyOfInstance),
    pools: [constantProduct, stable, concentrated, ...staked.map(({ pool }) => pool)].map(keyOfInstance),
    ranges: [kept(concentrated, userKey(own))],
    stakes: staked.flatMap(({ stake }) => [keyOfInstance(stake), kept(stake, addressVal(own))]),
    rewards: [constantProduct, concentrated, gauge].map((payer) => kept(payer, userRewardKey(own))),
    pair: pairs.map(keyOfInstance),
    router: [keyOfInstance(router)],
    factories: [keyOfInstance(factory), ...(amm2 === null ? [] : [keyOfInstance(amm2.factory)])]
  }
}

/** Archives the drawn entries. */
export const putAway = Effect.fn("PoolsScene.putAway")(function*({ archived }: PoolsShape, pools: PoolsScene, source: Keypair) {
  const keys = keysOf(pools, source)
  for (const key of (archived ?? []).flatMap((name) => keys[name])) {
    yield* tried(new EntryArchived({ key: key.toXdr("base64") }).happen())
  }
})
