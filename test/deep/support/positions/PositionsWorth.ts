import { assert } from "@effect/vitest"
import { parseAmount } from "../../../../src/domain/Amount.ts"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import type { Offered } from "../../../close/support/Client.ts"
import { heldInPools } from "./PoolsHeld.ts"
import { assetsOf } from "./PoolsScene.ts"
import type { Taken } from "./PositionsClient.ts"
import { claimableBy, heldBy } from "./PositionsHeld.ts"
import type { PositionsScene } from "./PositionsScene.ts"
import { balanceOf } from "./WalletBalance.ts"

/** Lumens that a buyer pays for a unit of a traded asset. A share of the liquidity pool holds ten BLND and a quarter of a USDC. */
const PRICE = 10n
const SHARE = 10n * PRICE + PRICE / 4n
/** Collateral that a vault returns, in thousandths. */
const GIVEN_BACK = 995n

interface Worth {
  /** Stroops: the value of all holdings less the debts. */
  readonly net: bigint
  /** The same, without deductions. */
  readonly gross: bigint
  readonly at: bigint
}

/** The value of everything that an account has, in wallet and protocols. */
export const worthIn = (state: LedgerState, { assets, lender, pools, source }: PositionsScene, passphrase: string): Worth => {
  const held = heldBy(state, source, assets, passphrase)
  const rewards = claimableBy(state, source, lender, passphrase)
  const own = (["usdc", "eurc", "blnd", "other"] as const).map((asset) =>
    (balanceOf(state, source, assets[asset]) ?? 0n) * (asset === "other" ? 0n : PRICE)
  )
  const traded = assetsOf(pools).map((asset) => (balanceOf(state, source, asset) ?? 0n) * PRICE)
  const gross = [
    ...traded,
    ...heldInPools(state, source, pools, passphrase).map(({ worth }) => worth),
    balanceOf(state, source, assets.native) ?? 0n,
    ...own,
    held.lent.native,
    (held.lent.usdc + held.lent.eurc) * PRICE,
    (held.locked * GIVEN_BACK) / 1_000n,
    (held.deposited + held.cometShares + rewards.backstop) * SHARE,
    rewards.pool * PRICE
  ].reduce((sum, each) => sum + each, 0n)
  return { net: gross - held.owed.native - (held.owed.usdc + held.owed.eurc) * PRICE, gross, at: state.header.closeTime }
}

const priceOf = (asset: string): bigint => {
  if (asset === "native") return 1n
  return asset.startsWith("OTHER:") ? 0n : PRICE
}

const units = (text: string): bigint => parseAmount(text) ?? assert.fail(text)

/** The permitted cost of a transaction for its owner: its fee, decided gifts, and the excess cost of a purchase. */
const costOf = ({ intent: { feeStroops, operations } }: Offered): bigint =>
  operations.reduce((sum, one) => {
    if (one.type === "payment") return sum + units(one.amount) * priceOf(one.asset)
    return one.type === "path_payment_strict_receive"
      ? sum + units(one.sendMax) * priceOf(one.sendAsset) - units(one.destAmount) * priceOf(one.destAsset)
      : sum
  }, BigInt(feeStroops))

const DAY = 86_400n

/** Checks that unsuccessful transactions cost an account at most their fees, purchases and the passed time. */
export const assertNotPoorer = (before: Worth, after: Worth, taken: ReadonlyArray<Taken>, told: string): void => {
  const spent = taken.reduce((sum, { offer }) => sum + costOf(offer), 0n)
  const room = (before.gross * (after.at - before.at > DAY ? 60n : 5n)) / 1_000n
  assert.isTrue(after.net >= before.net - spent - room, `worth ${after.net} after ${before.net}, of which ${spent} was spent: ${told}`)
}
