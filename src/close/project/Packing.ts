import type { AssetId } from "../../domain/Asset.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { claimsIn } from "../claims/Claims.ts"
import { releasesIn } from "../claims/Releases.ts"
import { destinationGate } from "../gates/DestinationGate.ts"
import type { AtomicGroup } from "../situation/AtomicGroup.ts"
import { claimOperationsIn, envelopeRoom } from "../situation/EnvelopeSize.ts"
import type { Holdings } from "../situation/Holdings.ts"
import type { Situation } from "../situation/Situation.ts"
import { Workbench } from "../situation/Workbench.ts"
import type { StepRule } from "../steps/StepRule.ts"
import { lastStep } from "../steps/Steps.ts"
import { isMemoLacking } from "./LiftedBlockers.ts"

/** Why a group had to stay out: no room for its operations, or for their bytes, or amounts that are read again before it. */
type Cut = "full" | "size" | "reread"

/** What was taken into a transaction, and why no more. */
export interface PackedGroups {
  readonly groups: ReadonlyArray<AtomicGroup>
  readonly merges: boolean
  /** Why the next group had to stay out; null when none had to. */
  readonly cut: Cut | "memo" | null
  /** Operations of the group that did not fit; zero when none was kept out for want of room. */
  readonly waiting: number
}

/** Operations of groups. */
export const count = (groups: ReadonlyArray<AtomicGroup>): number => groups.reduce((sum, { operations }) => sum + operations.length, 0)

/** Whether the merge carries a memo, including one that is required and not given yet. */
const bearsMemo = (situation: Situation): boolean => situation.input.memo !== null || destinationGate(situation).some(isMemoLacking)

/** What may go into a transaction. */
interface PackingRules {
  readonly steps: ReadonlyArray<StepRule>
  readonly room: number
  readonly mayMerge: boolean
  readonly awaited: ReadonlySet<AssetId>
  readonly owed: ReadonlySet<AssetId>
}

/** Takes groups in order while they fit, applying each to the workbench before the next is requested. Yields before the first and after each. */
export function* pack(
  situation: Situation,
  holdings: Holdings,
  ledgerState: LedgerState,
  { awaited, mayMerge, owed, room, steps }: PackingRules
): Generator<void, PackedGroups> {
  let workbench = Workbench.open(ledgerState, holdings.address)
  const groups: Array<AtomicGroup> = []
  let [taken, waiting, rereadsAfter] = [0, 0, false]
  const envelope = envelopeRoom(situation.input, ledgerState)
  const claims = claimsIn(situation, ledgerState)
  const releases = releasesIn(situation, ledgerState)
  yield
  const view = {
    situation,
    isNext: ledgerState === situation.ledgerState,
    holdings,
    claims,
    awaited,
    owed,
    releases,
    room: {
      left: () => Math.min(room - taken, claimOperationsIn(envelope.left())),
      whole: Math.min(room, claimOperationsIn(envelope.whole)),
      bytes: envelope.whole
    },
    workbench: () => workbench
  }
  const take = function*(step: StepRule): Generator<void, Cut | null> {
    for (const group of step(view)) {
      if (rereadsAfter && !group.rereadAfter) return "reread"
      const { operations } = group
      if (taken + operations.length > room) {
        waiting = operations.length
        return "full"
      }
      // What is larger than a whole envelope stands in one of its own.
      if (groups.length > 0 && !envelope.fits(operations)) return "size"
      groups.push(group)
      envelope.take(operations)
      rereadsAfter ||= group.rereadAfter
      taken += operations.length
      const after = group.tried?.isOn(workbench) === true ? group.tried : workbench.attempt(operations).after
      if (after !== null) workbench = workbench.keep(after)
      yield
    }
    return null
  }
  for (const step of steps) {
    const cut = yield* take(step)
    if (cut !== null) return { groups, merges: false, cut, waiting }
  }
  if (!mayMerge || groups.some(({ blockers }) => blockers.length > 0)) return { groups, merges: false, cut: null, waiting }
  if (bearsMemo(situation) && groups.some(({ paysOthers }) => paysOthers)) return { groups, merges: false, cut: "memo", waiting }
  const before = groups.length
  const cut = yield* take(lastStep)
  return { groups, merges: groups.length > before, cut, waiting }
}
