import { showAmount, stroops } from "../../domain/Amount.ts"
import type { ClaimableBalance } from "../../domain/Account.ts"
import { type AssetId, issued } from "../../domain/Asset.ts"
import type { ClaimGroup } from "../Claims.ts"
import { lineIn } from "../Holdings.ts"
import type { Step, StepView } from "../Step.ts"
import { type Task, unit } from "../Unit.ts"

/** The line a claim needs: added, or its limit raised, for exactly what will be claimed, so that nothing else fits onto it. */
const preparation = ({ bench, holdings }: StepView, asset: AssetId, awaited: bigint): ReadonlyArray<Task> => {
  const parts = issued(asset)
  if (parts === null || parts.issuer === holdings.address) return []
  const line = lineIn(bench().state, holdings.address, asset)
  if (line !== null && line.limit - line.balance - line.buyingLiabilities >= awaited) return []
  const limit = awaited + (line === null ? 0n : line.balance + line.buyingLiabilities)
  return [{
    type: "ADD_TRUSTLINE",
    title: line === null ? `Add a trustline to ${asset}` : `Raise the limit of the trustline to ${asset}`,
    description: "For what is about to be claimed, and no more.",
    asset,
    operations: [{ type: "change_trust", source: holdings.address, asset, limit: stroops(limit) }]
  }]
}

const claim = ({ holdings }: StepView, { amount, asset, id }: ClaimableBalance): Task => ({
  type: "CLAIM_BALANCES",
  title: `Claim ${showAmount(amount)} ${asset}`,
  description: "The whole claimable balance arrives on the account.",
  asset,
  entry: id,
  operations: [{ type: "claim_claimable_balance", source: holdings.address, balanceId: id }]
})

const awaitedIn = (groups: ReadonlyArray<ClaimGroup>): Map<AssetId, bigint> => {
  const awaited = new Map<AssetId, bigint>()
  for (const { asset, claimable } of groups) {
    awaited.set(asset, claimable.reduce((sum, { amount }) => sum + amount, awaited.get(asset) ?? 0n))
  }
  return awaited
}

/** Claims come before anything is disposed of: their amounts are exact, so what they bring leaves in the same transaction. */
export const claimBalances: Step = function*(view) {
  const groups = view.claims.filter(({ way }) => way === "claim")
  const awaited = awaitedIn(groups)
  for (const { asset, claimable } of groups) {
    for (const balance of claimable) {
      const left = awaited.get(asset) ?? balance.amount
      yield unit([...preparation(view, asset, left), claim(view, balance)])
      awaited.set(asset, left - balance.amount)
    }
  }
}
