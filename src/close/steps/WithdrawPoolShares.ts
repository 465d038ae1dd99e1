import { BigInt as Big } from "effect"
import { largestAmount, stroops } from "../../domain/Amount.ts"
import { type AssetId, issued } from "../../domain/Asset.ts"
import type { DecisionPoint } from "../../domain/Decision.ts"
import { poolShareName } from "../../operations/ChangeTrust.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { floorOf } from "../market/Floors.ts"
import { atomicGroup, type PlannedStep } from "../situation/AtomicGroup.ts"
import { slippageOf } from "../situation/CloseInput.ts"
import { DecisionId } from "../situation/DecisionId.ts"
import { type PoolPayout, poolPayouts, type PoolShare, trustlineIn } from "../situation/Holdings.ts"
import type { Moved } from "../situation/Moved.ts"
import { codeOf, spokenAmount } from "../situation/SpokenAmount.ts"
import { assetValue } from "../situation/TokenValues.ts"
import type { StepRule, StepView } from "./StepRule.ts"

const nameOf = ({ assetA, assetB }: PoolShare): string => `pool ${codeOf(assetA)}/${codeOf(assetB)}`

const pointOf = (held: PoolShare, slippage: number, answered: boolean): DecisionPoint => ({
  id: DecisionId.pool(held.poolId),
  type: "pool",
  subject: `Shares in the liquidity ${nameOf(held)}`,
  about: {
    kind: "pool",
    poolId: held.poolId,
    shares: stroops(held.shares),
    holds: poolPayouts(held).map(({ amount, asset }) => assetValue(asset, amount))
  },
  options: [{
    id: "withdraw",
    recommended: true,
    note: "Both assets come back onto their trustlines.",
    params: { maxSlippageBps: slippage }
  }],
  default: "withdraw",
  required: false,
  answered
})

/** The floor of one side: a side that pays anything has one of at least one. */
const floorFor = (amount: bigint, slippage: number) => {
  const floor = floorOf(amount, slippage)
  return stroops(amount > 0n && floor === 0n ? 1n : floor)
}

/**
 * A trustline without room for twice what its side is worth now has its limit raised to that: a pool moves until it is withdrawn from. The
 * ledger raises no limit where the issuer is gone, so there it is only asked for what the side is worth.
 */
const roomFor = ({ workbench, holdings }: StepView, { amount, asset }: PoolPayout): ReadonlyArray<PlannedStep> => {
  const bench = workbench()
  const issuer = issued(asset)?.issuer
  const trustline = issuer === undefined ? null : trustlineIn(bench, holdings.address, asset)
  if (issuer === undefined || trustline === null) return []
  const room = trustline.limit - trustline.balance - trustline.buyingLiabilities
  if (room >= 2n * amount || (room >= amount && bench.get(accountKey(issuer)) === undefined)) return []
  const wanted = trustline.balance + trustline.buyingLiabilities + 2n * amount
  return [{
    type: "ADD_TRUSTLINE",
    title: `Raise the limit of the trustline to ${codeOf(asset)}`,
    description: "Its limit covers what the pool pays next.",
    asset,
    operations: [{ type: "change_trust", source: holdings.address, asset, limit: stroops(Big.min(wanted, largestAmount)) }]
  }]
}

/** What a withdrawal within its floors may pay less than now, of both sides. */
const slipOf = (payouts: ReadonlyArray<PoolPayout>, slippage: number): ReadonlyMap<AssetId, bigint> =>
  new Map(payouts.map(({ amount, asset }) => [asset, amount - floorFor(amount, slippage)]))

const withdrawalTitle = (held: PoolShare, pays: ReadonlyArray<Moved>): string => {
  const pool = `the ${nameOf(held)}`
  if (held.shares === 0n) return `Remove the empty pool share trustline of ${pool}`
  return `Withdraw ${pays.length === 0 ? "the shares" : pays.map((one) => spokenAmount(one)).join(" and ")} from ${pool}`
}

/** Pool shares become their two assets; how much arrives is known only afterwards, so the amounts are read again. */
export const withdrawPoolShares: StepRule = function*(view) {
  const { holdings, situation: { input } } = view
  for (const held of holdings.poolShares) {
    const answer = input.answers.pool(held.poolId)
    const slippage = slippageOf(input, answer)
    const payouts = poolPayouts(held)
    const [payoutA, payoutB] = payouts
    const name = poolShareName(held.assetA, held.assetB)
    const pays = payouts.flatMap(({ amount, asset }) => (amount > 0n ? [{ of: asset, units: amount }] : []))
    const withdrawal: PlannedStep = {
      type: "WITHDRAW_POOL_SHARES",
      title: withdrawalTitle(held, pays),
      description: "Amounts are approximate, each within its slippage. The pool share trustline is removed too.",
      moves: { pays, takes: [] },
      entry: held.poolId,
      operations: [
        ...(held.shares === 0n ? [] : [{
          type: "liquidity_pool_withdraw" as const,
          source: holdings.address,
          poolId: held.poolId,
          shares: stroops(held.shares),
          minAmountA: floorFor(payoutA.amount, slippage),
          minAmountB: floorFor(payoutB.amount, slippage)
        }]),
        { type: "change_trust", source: holdings.address, asset: name, limit: stroops(0n) }
      ]
    }
    const room = payouts.flatMap((payout) => roomFor(view, payout))
    yield atomicGroup([...room, withdrawal], {
      points: held.shares === 0n ? [] : [pointOf(held, slippage, answer !== undefined)],
      rereadAfter: true,
      mayLack: slipOf(payouts, slippage)
    })
  }
}
