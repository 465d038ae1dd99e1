import { stroops } from "../../../domain/Amount.ts"
import { native } from "../../../domain/Asset.ts"
import { type PlanBlocker, warning } from "../../../domain/Blocker.ts"
import { counted } from "../../../domain/CountedNoun.ts"
import { type DecisionParams, type DecisionPoint, mostGiftIds } from "../../../domain/Decision.ts"
import type { DecisionAbout } from "../../../domain/DecisionAbout.ts"
import { DecisionId } from "../../situation/DecisionId.ts"
import type { Exits } from "../../situation/Exits.ts"
import { cameLaterWarning } from "../../situation/LaterGifts.ts"
import { isForfeited, type PlannedExit } from "../../situation/PlannedExit.ts"
import { labelIn } from "../../situation/ProtocolLabels.ts"
import type { Situation } from "../../situation/Situation.ts"
import { isRewardsAlone } from "../payouts/OwnRewards.ts"
import { payoutValue } from "../payouts/PayoutValue.ts"
import { heldValues } from "../payouts/PositionValues.ts"

const groupOf = (
  { giftState }: PlannedExit
): string | null => (giftState?._tag === "Open" || giftState?._tag === "Grouped" ? giftState.group : null)

/** Whether a question of its own asks about a position: not where it is one of many, nor where it came later. */
export const isAskedAlone = (one: PlannedExit): boolean => groupOf(one) === null && one.giftState?._tag !== "Later"

const named = (all: ReadonlyArray<PlannedExit>): string => {
  const first = all.slice(0, 10).map(({ position: { contract } }) => contract)
  return `${first.join(", ")}${all.length > first.length ? ", and others" : ""}`
}

/** Whether the answer to a question about many names each of them. */
const covers = ({ input: { answers } }: Situation, id: string, all: ReadonlyArray<PlannedExit>): boolean => {
  const answer = answers.to({ id })
  return answer !== undefined && all.every(({ giftState }) => giftState?._tag === "Grouped") &&
    (answer.choice === "exit" || all.length <= (answer.params?.maxCount ?? 0))
}

const aboutMany = (situation: Situation, id: string, all: ReadonlyArray<PlannedExit>): DecisionAbout => {
  const [first] = id === DecisionId.otherPositions ? [] : all
  const protocol = first?.position.protocol ?? null
  return { kind: "positions", protocol, label: protocol === null ? null : labelIn(situation, protocol), count: all.length }
}

const pointOf = (situation: Situation, id: string, all: ReadonlyArray<PlannedExit>): DecisionPoint => {
  const ids = all.map((one) => one.id).toSorted().slice(0, mostGiftIds)
  const params = { ids, maxCount: 2 * all.length + 1000 }
  const loses = heldValues(situation, all)
  const left = "You give them up permanently. This covers only the positions in ids."
  return {
    id,
    type: "positions",
    subject: `${counted(all.length, "position")} that others can give, in ${named(all)}`,
    about: aboutMany(situation, id, all),
    options: id === DecisionId.otherPositions
      ? [{ id: "forfeit", note: `Their payouts have no known buyer. ${left}`, loses, params }]
      : [{ id: "exit", note: "Each is exited by its own call, in its own transaction.", params: { ids } }, {
        id: "acknowledge_forfeit",
        note: left,
        loses,
        params
      }],
    default: null,
    required: true,
    answered: covers(situation, id, all)
  }
}

/** Decision points about several gifts together. */
export const giftPoints = (situation: Situation): ReadonlyArray<DecisionPoint> => {
  const groups = Map.groupBy(situation.exits.planned, groupOf)
  return [...groups].flatMap(([id, all]) => (id === null ? [] : [pointOf(situation, id, all)]))
}

/** Gifts that are left behind: those that came later, and those given up together. `cutoff`: the ledger that the owner answered for. */
export const giftWarnings = ({ planned }: Pick<Exits, "planned">, cutoff: number | null): ReadonlyArray<PlanBlocker> => {
  const later = planned.filter((one) => one.giftState?._tag === "Later" || isRewardsAlone(one))
  const given = new Map<string, number>()
  for (const one of planned) {
    if (one.giftState?._tag === "Grouped" && isForfeited(one)) given.set(one.giftState.group, (given.get(one.giftState.group) ?? 0) + 1)
  }
  return [
    ...(cutoff === null
      ? []
      : later.slice(0, 20).map(({ id, position }) => cameLaterWarning(`A position in ${position.protocol}`, cutoff, id))),
    ...(cutoff === null || later.length <= 20 ? [] : [cameLaterWarning(counted(later.length - 20, "more position"), cutoff)]),
    ...[...given].map(([group, count]) =>
      warning("forfeit_acknowledged", `Left behind permanently, as decided: ${counted(count, "position")} that others gave.`, group)
    )
  ]
}

/** What the projection assumes of gifts that are not decided, in words. */
export const undecidedGifts = ({ planned }: Pick<Exits, "planned">): ReadonlyArray<string> => {
  const open = planned.filter(({ giftState }) => giftState?._tag === "Open")
  return open.length === 0
    ? []
    : [
      `Not decided, and left behind in the projection: ${
        open.length === 1 ? open[0]?.id ?? "" : `${open.length} positions that others can give`
      }.`
    ]
}

/** Something that a plan saw: its decision, and stroops of lumens that it is quoted at. */
interface QuotedSubject {
  readonly id: string
  readonly lumens: bigint
}

/** Positions, and the tokens that leaving them pays: shares among these are no gift either. */
const positionsSeen = (situation: Situation): ReadonlyArray<QuotedSubject> =>
  situation.exits.planned.flatMap((one) => {
    const lumens = payoutValue(situation, one) ?? 0n
    return [one.id, ...one.position.pays.map(DecisionId.token)].map((id) => ({ id, lumens }))
  })

/** Tokens that are held, that cannot be read, and that there was no room to ask. */
const tokensSeen = ({ snapshot: { tokens }, tokenWork }: Situation): ReadonlyArray<QuotedSubject> => {
  const quoted = new Map(tokenWork.tokens.map(({ id, route }) => [id, route?.amountOut ?? 0n]))
  return [...tokens.held.map(({ contract }) => contract), ...tokens.unreadable, ...tokens.unasked].map(DecisionId.token).map((id) => ({
    id,
    lumens: quoted.get(id) ?? 0n
  }))
}

/** Claimable balances as they are listed. Of those in other assets the larger ones count as dearer. */
const claimsSeen = ({ snapshot: { state } }: Situation): ReadonlyArray<QuotedSubject> =>
  state.claimableBalances.map(({ amount, asset, id }) => ({
    id: DecisionId.claim(id),
    lumens: asset === native ? amount : amount / 1_000n
  }))

/** The ids of what a plan saw, the dearest first where there are more than there is room for. */
const hadIn = (situation: Situation): ReadonlyArray<string> => {
  const all = new Map<string, bigint>()
  for (const { id, lumens } of [...positionsSeen(situation), ...tokensSeen(situation), ...claimsSeen(situation)]) {
    const known = all.get(id)
    if (known === undefined || known < lumens) all.set(id, lumens)
  }
  if (all.size <= mostGiftIds) return [...all.keys()].toSorted()
  return [...all].toSorted(([, a], [, b]) => (a < b ? 1 : -1)).slice(0, mostGiftIds).map(([id]) => id)
}

/** The params of the answer that was given or accepted; null: neither. */
const givenParams = ({ input: { accept, given, later } }: Situation): DecisionParams | null => {
  if (given.later?.params !== undefined) return given.later.params
  if (accept === null || later === null || later.maxLumensEach === null) return null
  return { ledger: accept.ledger, had: accept.had, maxLumensEach: stroops(later.maxLumensEach) }
}

/**
 * The point `later`, which every plan has and no close needs decided. Without a decision, what strangers add gets points of its own. A
 * given decision is repeated unchanged, so that what came since never counts as seen.
 */
export const laterPoint = (situation: Situation): DecisionPoint => {
  const ledger = situation.snapshot.header.ledgerSeq
  const params = givenParams(situation) ?? { ledger, had: hadIn(situation) }
  return {
    id: DecisionId.later,
    type: "later",
    subject: "Claimable balances, tokens and shares that strangers add from now on",
    about: { kind: "later", ledger: params.ledger ?? ledger },
    options: [{
      id: "leave_what_came_later",
      note:
        "Leaves behind what came after this ledger and is not in had, so that no gift can delay the close. Add maxLumensEach to decide about anything worth more.",
      // What others will give is not there yet.
      loses: [],
      params
    }],
    default: null,
    required: false,
    answered: situation.input.later !== null
  }
}
