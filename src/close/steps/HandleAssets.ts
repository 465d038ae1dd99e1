import { disposalOf } from "../Disposal.ts"
import { lineRemoval } from "../LineRemoval.ts"
import { holdingsIn, lineIn } from "../Holdings.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { Step, StepView } from "../Step.ts"
import { type Unit, unit } from "../Unit.ts"
import { claimRest } from "./ClaimBalances.ts"

const disposals = function*({ awaited, bench, holdings, situation }: StepView, concerns: (asset: AssetId) => boolean): Iterable<Unit> {
  for (const { asset } of holdingsIn(bench().state, holdings.address)?.lines ?? []) {
    const line = lineIn(bench().state, holdings.address, asset)
    if (line === null || line.balance === 0n || !line.authorized || awaited.has(asset) || !concerns(asset)) continue
    const disposal = disposalOf(situation, bench(), holdings.address, line)
    yield unit(
      [
        {
          type: "HANDLE_ASSETS",
          title: disposal.title,
          description: "The whole balance leaves, so that the line can go with it.",
          asset,
          operations: [disposal.operation]
        },
        lineRemoval(holdings.address, asset)
      ],
      { points: disposal.points, obstacle: disposal.obstacle, paysOthers: disposal.paysOthers, quoted: disposal.quoted, warnings: disposal.warnings }
    )
  }
}

/** Balances leave by the owner's answers, each together with its line; conversions are quoted one after the other. */
export const handleAssets: Step = (view) => disposals(view, () => true)

/** Claims that had to wait for what the disposals bring, and the disposal of what they bring themselves. */
export const handleLateClaims: Step = function*(view) {
  const claimed = new Set<AssetId>()
  for (const late of claimRest(view)) {
    for (const { asset } of late.tasks) if (asset !== undefined) claimed.add(asset)
    yield late
  }
  yield* disposals(view, (asset) => claimed.has(asset))
}
