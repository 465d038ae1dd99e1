import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { account, i128, vec } from "../../stellar/ScValCodec.ts"
import type { GatedContract } from "../CodeGate.ts"
import { amount } from "../kit/Amount.ts"
import { mulDown, mulUp, one7 } from "../kit/FixedPoint.ts"
import { floorOf } from "../kit/Floor.ts"
import { allAnswered, inInstance, present, required, valueIn } from "../kit/LedgerView.ts"
import type { LedgerView, Unusable } from "../kit/LedgerView.ts"
import { isDust, showWorth } from "../kit/Worth.ts"
import * as Entries from "./Entries.ts"
import * as Keys from "./Keys.ts"

/** One token of the comet pool. */
export interface CometToken {
  readonly token: ContractAddress
  /** Base units in the pool. */
  readonly balance: bigint
  /** Seven decimals. */
  readonly weight: bigint
  /** What base units are multiplied by to have eighteen decimals. */
  readonly scalar: bigint
}

/** The comet pool whose shares the backstop takes as deposits. */
export interface CometState {
  readonly address: ContractAddress
  readonly wasmHash: string
  /** Shares in existence. */
  readonly supply: bigint
  /** What is taken off what comes in as one token alone, of the part beyond that token's weight; seven decimals. */
  readonly fee: bigint
  /** In the order in which the pool takes amounts. */
  readonly tokens: ReadonlyArray<CometToken>
  /** Shares of the user, in the wallet. */
  readonly held: bigint
}

/** Shares of the user, in the wallet; 0 when there never were any. */
export const sharesHeld = (
  view: LedgerView,
  { address }: Pick<GatedContract<"backstopToken">, "address">,
  user: AccountAddress
): Either.Either<bigint, Unusable> => Either.map(valueIn(view, address, Keys.shareBalance(user), amount), (held) => held ?? 0n)

/** The pool, and what the user holds of it. */
export const cometState = (
  view: LedgerView,
  { address, instance, wasmHash }: GatedContract<"backstopToken">,
  user: AccountAddress
): Either.Either<CometState, Unusable> =>
  Either.gen(function*() {
    const keys = [Keys.shareBalance(user), Keys.totalShares, Keys.tokenList, Keys.tokenRecords]
    yield* allAnswered(view, keys.map((key) => contractDataKey(address, key)))
    const records = new Map(yield* required(view, address, Keys.tokenRecords, Entries.CometRecords))
    const tokens: Array<CometToken> = []
    for (const token of yield* required(view, address, Keys.tokenList, Entries.CometTokens)) {
      const { balance, scalar, weight } = yield* present(records.get(token) ?? null, contractDataKey(address, Keys.tokenRecords))
      tokens.push({ token, balance, weight, scalar })
    }
    return {
      address,
      wasmHash,
      supply: yield* required(view, address, Keys.totalShares, amount),
      fee: (yield* inInstance(address, instance, Keys.swapFee, amount)) ?? 0n,
      tokens,
      held: yield* sharesHeld(view, { address }, user)
    }
  })

const one18 = 10n ** 18n

/**
 * What shares are worth in each token, in the pool's order; base units, as the pool pays out: their part of all shares is rounded down
 * at eighteen decimals first. A side that comes to nothing makes the pool refuse the whole.
 */
export const worthOf = ({ supply, tokens }: CometState, shares: bigint): ReadonlyArray<bigint> => {
  const part = supply === 0n ? 0n : mulDown(shares, one18, supply)
  return tokens.map(({ balance, scalar }) => (scalar === 0n ? 0n : mulDown(balance * scalar, part, one18) / scalar))
}

/**
 * What shares come to in words, where the pool pays nothing for them; null: it pays. `held`: what is held for them, where that is something
 * else: a deposit in a backstop.
 */
export const cometDust = (view: LedgerView, comet: CometState, shares: bigint, held = shares): string | null => {
  const worth = worthOf(comet, shares)
  return isDust(held, worth) ? showWorth(view, comet.tokens.map(({ token }) => token), worth) : null
}

/**
 * Shares that joining with one token gives at the least: a lower bound of `supply * ((1 + x)^w - 1)` with x the part that is added to the
 * pool's balance once the fee is off, from the first two terms of its series.
 */
export const joinedShares = ({ fee, supply, tokens }: CometState, token: ContractAddress, added: bigint): bigint => {
  const record = tokens.find((one) => one.token === token)
  if (record === undefined || record.balance === 0n) return 0n
  const { balance, weight } = record
  const joined = mulDown(added, one7 * one7 - (one7 - weight) * fee, one7 * one7)
  const first = mulDown(supply * weight, joined, balance * one7)
  const second = mulUp(supply * weight * (one7 - weight), joined * joined, 2n * balance * balance * one7 * one7)
  return first > second ? first - second : 0n
}

/** `exit_pool(pool_amount_in, min_amounts_out, user)`: all tokens of the pool, in proportion. */
export const exitPool = (comet: CometState, user: AccountAddress, shares: bigint, maxSlippageBps: number): ContractCall => {
  const worth = worthOf(comet, shares)
  return {
    contract: comet.address,
    function: "exit_pool",
    args: [i128.encode(shares), vec(i128).encode(worth.map((expected) => floorOf(expected, maxSlippageBps))), account.encode(user)],
    payouts: comet.tokens.map(({ token }, index) => ({ token, expected: worth[index] ?? 0n })),
    holds: [{ token: comet.address, amount: shares }],
    subCalls: [],
    recipients: []
  }
}
