import { type PlanBlocker, warning } from "../../../domain/Blocker.ts"
import { type Exits, isForfeited, type PlannedExit } from "../../situation/Exits.ts"

/** Beyond so many of one protocol they are told together: strangers give such shares away. */
const mostSingle = 20

const mostNamed = 10

const single = ({ id, position: { contract, dust = "nothing", protocol } }: PlannedExit): PlanBlocker =>
  warning(
    "position_too_small",
    `A position in ${protocol}, ${contract}, is left behind: it comes to ${dust}, for which the contract pays nothing.`,
    id
  )

const together = (protocol: string, all: ReadonlyArray<PlannedExit>): PlanBlocker =>
  warning(
    "position_too_small",
    `${all.length} positions in ${protocol} come to so little that their contracts pay nothing for them, and are left behind: ${
      all.slice(0, mostNamed).map(({ position: { contract, dust } }) => `${contract} (${dust})`).join(", ")
    }, and others.`,
    protocol
  )

/** Positions too small to be left, which the account closes over. */
export const dustWarnings = ({ planned }: Pick<Exits, "planned">): ReadonlyArray<PlanBlocker> => {
  const dust = planned.filter((one) => one.exit._tag === "Gone" && one.position.dust !== undefined && !isForfeited(one))
  const protocols = [...new Set(dust.map(({ position: { protocol } }) => protocol))]
  return protocols.flatMap((protocol) => {
    const all = dust.filter(({ position }) => position.protocol === protocol)
    return all.length > mostSingle ? [together(protocol, all)] : all.map(single)
  })
}
