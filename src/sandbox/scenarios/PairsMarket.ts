import { Asset, Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../ledger/Asset.ts"
import { sha256 } from "../../ledger/Signatures.ts"
import { addressOf, addressVal, bool, i128, u64, vec } from "../../ledger/soroban/Values.ts"
import { pairAddress, sortedTokens } from "../contracts/Amm2.ts"
import { Network } from "../Network.ts"
import { accountVal, callContract, type Caller } from "./CallContract.ts"
import { pairsContracts } from "./PairsContracts.ts"
import { withPairFactory } from "./PairsEntries.ts"
import { fund, perform } from "./Scenario.ts"

/** A side of a pair: base units of a token. */
export interface Side {
  readonly token: xdr.ScAddress
  readonly amount: bigint
}

/** Ledger time a little later, Unix seconds. */
const soon = Effect.gen(function*() {
  const { snapshot } = yield* Network
  return u64((yield* snapshot).state.header.closeTime + 3_600n)
})

const noAmount = i128(0n)

/** Deposits both tokens into their pair, which is made where there is none. The depositor gets the shares. */
export const addLiquidity = (step: string, as: Keypair, first: Side, second: Side) =>
  addLiquiditySentBy(step, { as, sentBy: as }, first, second)

/** The same in a transaction of someone else; the depositor only agrees to it. */
export const addLiquiditySentBy = Effect.fnUntraced(function*(
  step: string,
  { as, sentBy }: Caller,
  first: Side,
  second: Side
) {
  return yield* callContract(step, {
    as,
    sentBy,
    contract: pairsContracts.router,
    fn: "add_liquidity",
    args: [
      addressVal(first.token),
      addressVal(second.token),
      i128(first.amount),
      i128(second.amount),
      noAmount,
      noAmount,
      accountVal(as),
      yield* soon
    ]
  })
})

/** Sells an amount of one token for another in their pair: moves its price. */
export const swapInPair = Effect.fnUntraced(function*(step: string, as: Keypair, sold: Side, bought: xdr.ScAddress) {
  return yield* callContract(step, {
    as,
    contract: pairsContracts.router,
    fn: "swap_exact_tokens_for_tokens",
    args: [i128(sold.amount), noAmount, vec(addressVal(sold.token), addressVal(bought)), accountVal(as), yield* soon]
  })
})

/** Moves a token: shares of a pair, which is the token of them, or a gift to a pair. */
export const transferToken = (step: string, as: Keypair, { amount, token }: Side, to: xdr.ScAddress) =>
  callContract(step, { as, contract: token, fn: "transfer", args: [accountVal(as), addressVal(to), i128(amount)] })

/** Has the factory take a part of the fees, or none. */
export const takeFees = (step: string, setter: Keypair, enabled: boolean) =>
  callContract(step, { as: setter, contract: pairsContracts.factory, fn: "set_fees_enabled", args: [bool(enabled)] })

/** Where the pair of two tokens is. */
export const pairOf = Effect.fnUntraced(function*(left: xdr.ScAddress, right: xdr.ScAddress) {
  const { passphrase } = yield* Network
  const tokens = sortedTokens(left, right, () => {
    throw new Error("a pair of one token")
  })
  return pairAddress(pairsContracts.factory, tokens, sha256(Buffer.from(passphrase)))
})

/**
 * Pairs in which someone provides lumens, USDC, EURC and a plain token, and markets in which the assets trade against lumens. One to a
 * network: its contracts are always in the same place.
 */
export const PairsMarket = Effect.suspend(() => PairsMarketOf(Keypair.random()))

/** The same, with assets of this issuer, so that a token list can name their contracts before. */
export const PairsMarketOf = Effect.fnUntraced(function*(issuer: Keypair) {
  const network = yield* Network
  const { passphrase } = network
  const provider = Keypair.random()
  const native = Asset.native()
  const [usdc, eurc] = [new Asset("USDC", issuer.publicKey()), new Asset("EURC", issuer.publicKey())]
  const issued = [usdc, eurc]
  yield* fund("100", issuer)
  yield* fund("1000000", provider)
  yield* perform("the provider trusts the assets", {
    as: provider,
    operations: issued.map((asset) => Operation.changeTrust({ asset }))
  })
  yield* perform("the issuer pays out", {
    as: issuer,
    operations: issued.map((asset) => Operation.payment({ destination: provider.publicKey(), asset, amount: "500000" }))
  })
  yield* perform("the provider makes markets", {
    as: provider,
    operations: issued.flatMap((asset) => [
      Operation.manageSellOffer({ selling: native, buying: asset, amount: "50000", price: "0.1" }),
      Operation.manageSellOffer({ selling: asset, buying: native, amount: "50000", price: "12" })
    ])
  })
  const setter = addressOf(provider.publicKey())
  yield* network.amend((state) => withPairFactory(state, setter))
  const tokens = {
    lumens: addressOf(native.contractId(passphrase)),
    usdc: addressOf(usdc.contractId(passphrase)),
    eurc: addressOf(eurc.contractId(passphrase)),
    plain: pairsContracts.plainToken
  }
  yield* callContract("the provider mints plain tokens", {
    as: provider,
    contract: tokens.plain,
    fn: "mint",
    args: [accountVal(provider), i128(1_000_000_000_000n)]
  })
  const side = (token: xdr.ScAddress, units: bigint, one = lumen): Side => ({ token, amount: units * one })
  const { eurc: euros, lumens, plain, usdc: dollars } = tokens
  yield* addLiquidity("a pair of lumens and USDC", provider, side(lumens, 100_000n), side(dollars, 10_007n))
  yield* addLiquidity("a pair of USDC and EURC", provider, side(dollars, 10_000n), side(euros, 9_001n))
  yield* addLiquidity("a pair of a plain token and USDC", provider, side(plain, 5_003n, 1_000_000n), side(dollars, 10_000n))
  const pairs = {
    lumensUsdc: yield* pairOf(lumens, dollars),
    usdcEurc: yield* pairOf(dollars, euros),
    plainUsdc: yield* pairOf(plain, dollars)
  }
  return { ...pairsContracts, issuer, provider, native, usdc, eurc, tokens, pairs }
})
