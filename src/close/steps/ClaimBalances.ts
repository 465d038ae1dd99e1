import { showAmount, stroops } from "../../domain/Amount.ts"
import type { ClaimableBalance } from "../../domain/Account.ts"
import { type AssetId, issued } from "../../domain/Asset.ts"
import { blocker } from "../../domain/Blocker.ts"
import { InsufficientLumens } from "../../domain/failure/Planning.ts"
import { claimableBalanceKey } from "../../ledger/LedgerKey.ts"
import { type ClaimGroup, hashIn } from "../Claims.ts"
import type { Finding } from "../Gate.ts"
import { holdingsIn, lineIn } from "../Holdings.ts"
import type { Step, StepView } from "../Step.ts"
import { type Task, type Unit, unit } from "../Unit.ts"

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

const stillThere = ({ bench }: StepView, { id }: ClaimableBalance): boolean => bench().state.get(claimableBalanceKey(hashIn(id))) !== undefined

/** As many operations as a transaction can hold. */
const fullTransaction = 100

/** Operations that may still follow in this transaction, and whose fees the ledger takes before the first of them. */
const following = (view: StepView): number => {
  const claims = view.claims.filter(({ way }) => way === "claim").flatMap(({ asset, claimable }) => claimable.filter((one) => stillThere(view, one)).map(() => asset))
  const held = (holdingsIn(view.bench().state, view.holdings.address)?.lines ?? []).filter(({ balance }) => balance > 0n)
  const lines = new Set([...claims, ...held.map(({ asset }) => asset)])
  const added = new Set(claims.filter((asset) => lineIn(view.bench().state, view.holdings.address, asset) === null))
  return Math.min(fullTransaction, claims.length + added.size + 2 * lines.size + 2 * view.releases.length + 1)
}

const spendable = (view: StepView): bigint => view.bench().spendable(view.situation.input.feePayer, following(view))

/** What stands in the way of a claim whose trustline nothing before it makes affordable. The owner may still forfeit it by name. */
const shortOf = (view: StepView, { asset, point }: ClaimGroup): ReadonlyArray<Finding> => {
  const { input, world } = view.situation
  if (!input.answers.has(point.id)) return []
  const needed = stroops(BigInt(world.header.baseReserve))
  const free = spendable(view)
  const left = stroops(free > 0n ? free : 0n)
  const message = `Claiming ${asset} needs a trustline, whose reserve is ${showAmount(needed)} lumens; after fees the account may spend ${showAmount(left)}. Send it lumens, or forfeit the claim.`
  return [{ refusal: new InsufficientLumens({ needed, spendable: left }), blocker: blocker("insufficient_lumens", message, asset) }]
}

const isAffordable = (view: StepView, asset: AssetId, before: ReadonlyArray<Task>): boolean =>
  before.length === 0 || lineIn(view.bench().state, view.holdings.address, asset) !== null || spendable(view) >= BigInt(view.situation.world.header.baseReserve)

const claiming = function*(view: StepView, whenShort: "wait" | "tell"): Iterable<Unit> {
  const groups = view.claims.filter(({ way }) => way === "claim")
  const awaited = awaitedIn(groups)
  for (const group of groups) {
    const { asset, claimable } = group
    for (const balance of claimable.filter((one) => stillThere(view, one))) {
      const left = awaited.get(asset) ?? balance.amount
      const before = preparation(view, asset, left)
      const tasks = [...before, claim(view, balance)]
      if (!isAffordable(view, asset, before)) {
        const findings = whenShort === "tell" ? shortOf(view, group) : []
        if (findings.length > 0) yield unit(tasks, { findings })
        break
      }
      yield unit(tasks)
      awaited.set(asset, left - balance.amount)
    }
  }
}

/**
 * Claims come before anything is disposed of: their amounts are exact, so what they bring leaves in the same transaction. Those whose
 * trustline cannot be afforded yet wait for what the disposals bring.
 */
export const claimBalances: Step = (view) => claiming(view, "wait")

/** What had to wait for lumens. */
export const claimRest: Step = (view) => claiming(view, "tell")
