import { type PlanBlocker, warning } from "../../../domain/Blocker.ts"
import { type Exits, isForfeited } from "../../situation/Exits.ts"
import { cameLaterWarning } from "../../situation/LaterGifts.ts"
import { isRewardsAlone } from "../payouts/OwnRewards.ts"

/** Gifts that are left behind: those that came later, and those given up together. `cutoff`: the ledger that the owner answered for. */
export const giftWarnings = ({ planned }: Pick<Exits, "planned">, cutoff: number | null): ReadonlyArray<PlanBlocker> => {
  const later = planned.filter((one) => one.standing?._tag === "Later" || isRewardsAlone(one))
  const given = new Map<string, number>()
  for (const one of planned) {
    if (one.standing?._tag === "Grouped" && isForfeited(one)) given.set(one.standing.group, (given.get(one.standing.group) ?? 0) + 1)
  }
  return [
    ...(cutoff === null
      ? []
      : later.slice(0, 20).map(({ id, position }) => cameLaterWarning(`A position in ${position.protocol}`, cutoff, id))),
    ...(cutoff === null || later.length <= 20 ? [] : [cameLaterWarning(`${later.length - 20} more positions`, cutoff)]),
    ...[...given].map(([group, count]) =>
      warning("forfeit_acknowledged", `${count} positions that others gave are left behind for ever, as decided.`, group)
    )
  ]
}

/** What the projection assumes of gifts that are not decided, in words. */
export const undecidedGifts = ({ planned }: Pick<Exits, "planned">): ReadonlyArray<string> => {
  const open = planned.filter(({ standing }) => standing?._tag === "Open")
  return open.length === 0
    ? []
    : [
      `${
        open.length === 1 ? `${open[0]?.id ?? ""} is` : `${open.length} positions that others can give are`
      } not decided; the projection leaves ${open.length === 1 ? "it" : "them"} behind.`
    ]
}
