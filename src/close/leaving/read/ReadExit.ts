import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { HeldPosition, ProtocolRegistry } from "../../../protocols/ProtocolRegistry.ts"
import { DecisionId } from "../../situation/DecisionId.ts"
import type { PlannedExit } from "../../situation/PlannedExit.ts"
import type { ExitFacts, ExitQuestion } from "./ExitFacts.ts"

/** Whether only a debt that cannot be paid now stops an exit. */
export const isShort = ({ exit }: PlannedExit): boolean => exit._tag === "Refused" && exit.refusal._tag === "RepayAssetShort"

/** The sources that exits are read with. */
export interface ExitSources {
  readonly protocols: ProtocolRegistry["Type"]
  readonly question: ExitQuestion
  readonly facts: ExitFacts
}

/** How a position is left now, by its protocol and the owner's decision. */
export const readExit = (
  { facts: { at, claims, contextOf }, protocols, question }: ExitSources,
  position: HeldPosition
): Effect.Effect<PlannedExit, ChainFailure> => {
  const id = DecisionId.position(position)
  const answer = question.input.answers.position(position)
  return Effect.map(
    protocols.exit(at, position, contextOf({ answer, id })),
    (exit) => ({ id, position, answer, exit, claims: claims(id), lastClaims: new Map(), simulation: null, foreseen: [] })
  )
}
