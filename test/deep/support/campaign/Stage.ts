import { Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { showAmount } from "../../../../src/domain/Amount.ts"
import { lumen } from "../../../../src/ledger/Asset.ts"
import { addressOf, i128, strkeyOf } from "../../../../src/ledger/soroban/Values.ts"
import { tokenBalanceKey } from "../../../../src/sandbox/contracts/Token.ts"
import { Network } from "../../../../src/sandbox/Network.ts"
import { amm1ContractsAt } from "../../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { Amm1Market, depositTo } from "../../../../src/sandbox/scenarios/Amm1Market.ts"
import { withManyPairs } from "../../../../src/sandbox/scenarios/PairsEntries.ts"
import { addLiquidity, pairOf, PairsMarket, transferToken } from "../../../../src/sandbox/scenarios/PairsMarket.ts"
import { fund, perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { deployToken, mintToken } from "../../../../src/sandbox/scenarios/Tokens.ts"
import type { Story } from "./Story.ts"

/** A holding of an account, and its origin. */
export interface Thing {
  /** The decision that names it. */
  readonly id: string
  readonly isOwn: boolean
  /** A contract that reports the remainder, with the function and its arguments beside the owner. */
  readonly contract: xdr.ScAddress
  readonly fn: "balance" | "get_user_reward"
  /** Base units of a gift. */
  readonly amount: bigint
  /** The ledger of its arrival. */
  readonly cameAt: number
}

/** The accounts of a story, and the strangers' resources. */
export interface Stage {
  readonly source: Keypair
  readonly destination: Keypair
  readonly market: Effect.Effect.Success<typeof PairsMarket>
  readonly amm1: Effect.Effect.Success<typeof Amm1Market> | null
  /** Things held at some time; strangers' gifts are added. */
  readonly things: Array<Thing>
  /** A token that a stranger's pools buy and sell; null: no such pools. */
  readonly trap: string | null
}

const UNIT = 10_000_000n
/** Base units of an unsellable pair, and of a token. */
const [giftedShares, giftedTokens] = [5_000n, 1_000n]

/** Shares of the pool of amm_1 that pays rewards. */
const rewardedId = `position:amm_1:${strkeyOf(amm1ContractsAt.constantProduct)}:shares`

const ledgerNow = Effect.flatMap(Network, ({ snapshot }) => Effect.map(snapshot, ({ state }) => state.header.ledgerSeq))

/** A holding that arrives now. */
const thing = (one: Omit<Thing, "cameAt" | "fn" | "amount"> & Partial<Thing>): Effect.Effect<Thing, never, Network> =>
  Effect.map(ledgerNow, (cameAt) => ({ fn: "balance", amount: 0n, cameAt, ...one }))

/** Shares of a pair: the owner's, or a stranger's gift of base units. */
export const sharesOf = (pair: xdr.ScAddress, gift: bigint | null) =>
  thing({ id: `position:amm_2:${strkeyOf(pair)}:shares`, isOwn: gift === null, amount: gift ?? 0n, contract: pair })

/** The same of a token. */
const tokensOf = (token: string, gift: bigint | null) =>
  thing({ id: `token:${token}`, isOwn: gift === null, amount: gift ?? 0n, contract: addressOf(token) })

/** Gives the account a share of each of this many pairs of unsellable tokens. */
export const givePairs = Effect.fnUntraced(function*({ source, things }: Pick<Stage, "source" | "things">, count: number) {
  const { amend, passphrase, snapshot } = yield* Network
  const made = withManyPairs((yield* snapshot).state, passphrase, {
    count,
    reserves: [1_000_000_000n, 1_000_000_000n],
    supply: 1_000_000_000n,
    holder: source.publicKey(),
    shares: giftedShares
  })
  yield* amend(() => made.state)
  for (const pair of made.pairs) things.push(yield* sharesOf(pair, giftedShares))
})

/** A stranger gives shares of a kind that the owner may have too. */
export const giveShares = Effect.fnUntraced(function*({ amm1, market, source, things }: Stage, amount: bigint) {
  const to = addressOf(source.publicKey())
  const pair = yield* pairOf(market.tokens.lumens, market.tokens.usdc)
  yield* transferToken("a stranger gives shares", market.provider, { token: pair, amount }, to)
  things.push(yield* sharesOf(pair, amount))
  if (amm1 === null) return
  const contract = amm1.constantProductShare
  yield* transferToken("a stranger gives shares", amm1.provider, { token: contract, amount }, to)
  things.push(yield* thing({ id: rewardedId, isOwn: false, amount, contract }))
})

/** A new token, with a balance for the account. */
export const giveToken = Effect.fnUntraced(function*({ source, things }: Pick<Stage, "source" | "things">) {
  const token = yield* deployToken({ decimals: 6 })
  yield* mintToken(token, source.publicKey(), giftedTokens)
  things.push(yield* tokensOf(token, giftedTokens))
})

/** A pair of a token and another, with these amounts. A stranger keeps its shares. */
const pairWith = Effect.fnUntraced(function*(
  { provider }: Stage["market"],
  [token, amount]: readonly [token: string, amount: bigint],
  [other, against]: readonly [token: xdr.ScAddress, amount: bigint]
) {
  yield* mintToken(token, provider.publicKey(), amount)
  yield* addLiquidity("a pair of a token", provider, { token: addressOf(token), amount }, { token: other, amount: against })
})

/** A stranger makes a pair of a new token and lumens, and gives half of its shares, which pay a twentieth of a lumen. */
export const giveNewPair = Effect.fnUntraced(function*({ market, source, things }: Stage) {
  const { provider, tokens: { lumens } } = market
  const token = yield* deployToken({ decimals: 6 })
  yield* pairWith(market, [token, UNIT / 10n], [lumens, UNIT / 10n])
  const [pair, amount] = [yield* pairOf(addressOf(token), lumens), UNIT / 20n]
  yield* transferToken("a stranger gives shares", provider, { token: pair, amount }, addressOf(source.publicKey()))
  things.push(yield* sharesOf(pair, amount))
})

/** A stranger's token between the owner's token and lumens, through which a sale looks ten times as good. */
const layTrap = Effect.fnUntraced(function*(market: Stage["market"], token: string) {
  const bait = yield* deployToken({ decimals: 7 })
  yield* mintToken(bait, market.provider.publicKey(), 100_000n * UNIT)
  yield* pairWith(market, [token, 50_000n * UNIT], [addressOf(bait), 50_000n * UNIT])
  yield* pairWith(market, [bait, 5_000n * UNIT], [market.tokens.lumens, 50_000n * UNIT])
  return bait
})

const takePair = Effect.fnUntraced(function*({ market, source, things }: Stage, amount: number) {
  const { lumens, usdc } = market.tokens
  const whole = BigInt(amount) * UNIT
  yield* addLiquidity("the account provides", source, { token: lumens, amount: whole * 10n }, { token: usdc, amount: whole * 2n })
  things.push(yield* sharesOf(yield* pairOf(lumens, usdc), null))
})

const trusting = Effect.fnUntraced(function*(
  { issuer, source }: { readonly issuer: Keypair; readonly source: Keypair },
  asset: Stage["market"]["usdc"],
  amount: bigint
) {
  yield* perform("the account trusts an asset", { as: source, operations: [Operation.changeTrust({ asset })] })
  if (amount === 0n) return
  yield* perform("the account is paid", {
    as: issuer,
    operations: [Operation.payment({ destination: source.publicKey(), asset, amount: showAmount(amount) })]
  })
})

const takeRewarded = Effect.fnUntraced(
  function*({ amm1, source, things }: Stage, { amount, seconds }: NonNullable<Story["own"]["rewarded"]>) {
    if (amm1 === null) return
    const { closeLedger } = yield* Network
    const { aqua, constantProduct, constantProductShare, eurc, issuer, native, usdc } = amm1
    const whole = BigInt(amount) * lumen
    yield* trusting({ issuer, source }, usdc, whole * 2n)
    yield* trusting({ issuer, source }, aqua, 0n)
    yield* trusting({ issuer, source }, eurc, 0n)
    yield* depositTo(constantProduct, "the account takes shares", source, [native, whole * 10n], [usdc, whole])
    yield* closeLedger({ advanceSeconds: seconds })
    things.push(yield* thing({ id: rewardedId, isOwn: true, contract: constantProductShare }))
    things.push(yield* thing({ id: rewardedId, isOwn: true, contract: constantProduct, fn: "get_user_reward" }))
  }
)

/** Deploys the markets of the stories' accounts on a network without contracts. */
export const marketsFor = (hasRewards: boolean) =>
  Effect.gen(function*() {
    const market = yield* PairsMarket
    const amm1: Stage["amm1"] = hasRewards ? yield* Amm1Market : null
    return { market, amm1 }
  })

/** Creates the account of a story beside these markets, and the strangers' resources. */
export const accountBeside = Effect.fnUntraced(
  function*({ amm1, market }: Pick<Stage, "market" | "amm1">, { given, own, trap: isTrapped }: Story) {
    const [source, destination] = [Keypair.random(), Keypair.random()]
    yield* fund("20000", source)
    yield* fund("100", destination)
    const stage: Stage = { source, destination, market, amm1, things: [], trap: null }
    yield* trusting({ issuer: market.issuer, source }, market.usdc, 1_100n * UNIT)
    if (own.pair !== null) yield* takePair(stage, own.pair)
    if (own.rewarded !== null) yield* takeRewarded(stage, own.rewarded)
    if (own.book !== null) {
      const token = yield* deployToken({ family: "book" })
      yield* mintToken(token, source.publicKey(), BigInt(own.book) * UNIT)
      stage.things.push(yield* tokensOf(token, null))
    }
    const { trap } = own.traded === null ? stage : yield* takeTraded(stage, own.traded, isTrapped)
    if (given.speck > 0) yield* giveShares(stage, BigInt(given.speck))
    if (given.pairs > 0) yield* givePairs(stage, given.pairs)
    if (given.token) yield* giveToken(stage)
    return { ...stage, trap }
  }
)

/** Creates the account of a story on a network without contracts, and the strangers' resources. */
export const setStage = Effect.fn("Stage.set")(function*(story: Story) {
  return yield* accountBeside(yield* marketsFor(story.own.rewarded !== null), story)
})

const takeTraded = Effect.fnUntraced(function*(stage: Stage, amount: number, hasTrap: boolean) {
  const { market, source, things } = stage
  const token = yield* deployToken({ family: "open_zeppelin", symbol: "SOLD" })
  yield* mintToken(token, source.publicKey(), BigInt(amount) * UNIT)
  things.push(yield* tokensOf(token, null))
  yield* pairWith(market, [token, 50_000n * UNIT], [market.tokens.lumens, 50_000n * UNIT])
  return { trap: hasTrap ? yield* layTrap(market, token) : null }
})

/** A stranger's account with a token of the same code as the owner's book token. Its entry agrees with its books. */
export const teacher = Effect.fn("Stage.teacher")(function*() {
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* fund("100", source, destination)
  const [key, value] = [tokenBalanceKey(addressOf(source.publicKey())), i128(5n)].map((one) => one.toXdr("base64"))
  const token = yield* deployToken({ family: "book", entries: [{ key: key ?? "", value: value ?? "", durability: "persistent" }] })
  yield* mintToken(token, source.publicKey(), 5n)
  return { source, destination }
})
