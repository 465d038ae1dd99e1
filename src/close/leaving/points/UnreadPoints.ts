import { blocker } from "../../../domain/Blocker.ts"
import type { DecisionParams, DecisionPoint } from "../../../domain/Decision.ts"
import { PlanChanged, PositionsUnread } from "../../../domain/failure/Planning.ts"
import { agreedGap, coversGap } from "../../situation/AgreedGap.ts"
import type { AnswerFailure } from "../../situation/AnswerFailure.ts"
import type { CloseInput } from "../../situation/CloseInput.ts"
import { DecisionId } from "../../situation/DecisionId.ts"
import type { Unreadable } from "../../situation/Exits.ts"
import type { Blocker } from "../../situation/Gate.ts"
import { labelIn } from "../../situation/ProtocolLabels.ts"
import type { Situation } from "../../situation/Situation.ts"

/** Why something cannot be read, for people. */
const reasonsOf = ({ gap, items, protocol, reason }: Unreadable): ReadonlyArray<string> => [
  ...(items.length === 0 && reason !== null ? [`Positions in ${protocol}, which cannot be read: ${reason}`] : []),
  ...(items.length === 0
    ? []
    : [`An item in ${protocol} that cannot be read, in ${[...new Set(items.map(({ contract }) => contract))].join(", ")}`]),
  ...(gap === null
    ? []
    : [
      `Anything held in contracts of ${protocol} that were deployed in ledgers ${gap.fromLedger} to ${gap.toLedger}: no source that could be read names them`
    ])
]

/** Whether an answer is about all of this: every contract, and the whole gap. */
const isCovered = ({ contracts, gap }: Unreadable, params: DecisionParams | undefined): boolean => {
  const named = new Set(params?.contracts ?? [])
  return contracts.every((one) => named.has(one)) && coversGap(params?.gap ?? null, gap)
}

const answerTo = ({ answers }: CloseInput, one: Unreadable) => answers.unreadPositions(one.protocol)

/** Whether the owner gives up by name what cannot be read. */
const isGivenUp = (input: CloseInput, one: Unreadable): boolean => {
  const answer = answerTo(input, one)
  return answer !== undefined && isCovered(one, answer.params)
}

const pointOf = (situation: Situation, one: Unreadable): DecisionPoint => ({
  id: DecisionId.unreadPositions(one.protocol),
  type: "positions_unread",
  subject: reasonsOf(one).join(". "),
  about: { kind: "positions_unread", protocol: one.protocol, label: labelIn(situation, one.protocol) },
  options: [{
    id: "i_accept_unread_positions",
    note: "You give up anything held there permanently.",
    loses: [],
    params: { contracts: one.contracts, gap: one.gap === null ? null : agreedGap(one.gap) }
  }],
  default: null,
  required: true,
  answered: isGivenUp(situation.input, one)
})

/** Every question about what cannot be read. */
export const unreadPoints = (situation: Situation): ReadonlyArray<DecisionPoint> =>
  situation.exits.unreadable.map((one) => pointOf(situation, one))

/** Answers that were given for less than is unreadable now. They do not give up what became unreadable since. */
export const unreadObstacles = ({ exits, input }: Situation): ReadonlyArray<{ readonly id: string; readonly failure: AnswerFailure }> =>
  exits.unreadable.filter((one) => answerTo(input, one) !== undefined && !isGivenUp(input, one)).map((one) => ({
    id: DecisionId.unreadPositions(one.protocol),
    failure: new PlanChanged({ planHash: null, changes: [{ kind: "facts", subject: DecisionId.unreadPositions(one.protocol) }] })
  }))

/** What no one answered for. */
export const unreadFindings = ({ exits, input }: Situation): ReadonlyArray<Blocker> =>
  exits.unreadable.filter((one) => answerTo(input, one) === undefined).flatMap(({ gap, items, protocol, reason }) => {
    const failure = new PositionsUnread({ protocols: [protocol] })
    const liftedBy = [{ id: DecisionId.unreadPositions(protocol), choice: "i_accept_unread_positions" }]
    const unread = (message: string): Blocker => ({ failure, shown: blocker("positions_unread", message, protocol), liftedBy })
    return [
      ...(items.length === 0 && reason !== null ? [unread(`Positions in ${protocol} cannot be read: ${reason}.`)] : []),
      ...items.map((item): Blocker => ({
        failure,
        shown: blocker(
          "position_unrecognized",
          `An item in ${protocol} was not recognised (${item.rawType}): ${item.reason}`,
          item.contract
        ),
        liftedBy
      })),
      ...(gap === null
        ? []
        : [
          unread(
            `Contracts of ${protocol} that no source names may have been deployed in ledgers ${gap.fromLedger} to ${gap.toLedger}, and the account may hold something there.`
          )
        ])
    ]
  })
