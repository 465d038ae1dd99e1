import { disposalOf } from "../Disposal.ts"
import { lineRemoval } from "../LineRemoval.ts"
import { holdingsIn, lineIn } from "../Holdings.ts"
import type { Step } from "../Step.ts"
import { unit } from "../Unit.ts"

/** Balances leave by the owner's answers, each together with its line; conversions are quoted one after the other. */
export const handleAssets: Step = function*({ awaited, bench, holdings, situation }) {
  for (const { asset } of holdingsIn(bench().state, holdings.address)?.lines ?? []) {
    const line = lineIn(bench().state, holdings.address, asset)
    if (line === null || line.balance === 0n || !line.authorized || awaited.has(asset)) continue
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
      { points: disposal.points, obstacle: disposal.obstacle, paysOthers: disposal.paysOthers, quoted: disposal.quoted }
    )
  }
}
