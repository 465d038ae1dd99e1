import { type PlanBlocker, warning } from "../domain/Blocker.ts"
import { counted } from "../domain/CountedNoun.ts"
import type { ProtocolName } from "../domain/ProtocolName.ts"
import type { KnownReading, PositionsReading } from "./Positions.ts"

/** Code that no list has: of factories and routers, whose lists are read by their shape, and of contracts known by what they declare. */
const codeWarnings = ({ found, positions: held }: KnownReading): ReadonlyArray<PlanBlocker> => [
  ...(found?.unlisted ?? []).map((contract) =>
    warning(
      "code_known_by_interface",
      `The code of ${contract} is not in this service's list. The contracts file names the contract, and its entries have the expected shape.`,
      contract
    )
  ),
  ...[...new Set(held.flatMap(({ knownByInterface = [] }) => knownByInterface))].map((contract) =>
    warning(
      "code_known_by_interface",
      `The code of ${contract} is not in this service's list. Its protocol names the contract as its own, and the contract declares every function and type that an exit uses.`,
      contract
    )
  )
]

/** What the list of a protocol's contracts may lack: positions in those are not looked for. */
const listWarnings = ({ found, protocol: { name } }: KnownReading): ReadonlyArray<PlanBlocker> => [
  ...(found === null || found.doubt === null
    ? []
    : [
      warning(
        "lists_have_gap",
        `Contracts of ${name} that no list names may have been deployed in ledgers ${found.doubt.gap.fromLedger} to ${found.doubt.gap.toLedger}. A position in one of them is not shown.`,
        name
      )
    ]),
  ...(found?.doubts ?? []).map((doubt) =>
    warning(
      "source_failed",
      `The list of contracts of ${name} may be incomplete, so a position may be missing: ${doubt}.`,
      name
    )
  ),
  ...(found === null || found.dropped === 0
    ? []
    : [
      warning(
        "candidates_dropped",
        `Not read, because there are too many: ${counted(found.dropped, "contract")} of ${name}. A position may be missing.`,
        name
      )
    ])
]

/** Warnings of a protocol that was not read, or not wholly. */
export const positionWarnings = (untracked: ReadonlyArray<ProtocolName>, { readings }: PositionsReading): ReadonlyArray<PlanBlocker> => [
  ...untracked.map((name) =>
    warning("protocol_not_read", `Positions in ${name} cannot be read by this service, so a position may be missing.`, name)
  ),
  ...readings.flatMap((one) => {
    switch (one._tag) {
      case "Read":
        return [...listWarnings(one), ...codeWarnings(one)]
      case "Unread":
        return [
          warning(
            "source_failed",
            `Positions in ${one.protocol.name} were not read, so something held may be missing. Read again shortly.`,
            one.protocol.name
          )
        ]
      case "Broken":
        return [
          warning(
            "source_failed",
            `Positions in ${one.protocol.name} could not be decoded, so a position may be missing: ${one.reason}.`,
            one.protocol.name
          )
        ]
    }
  })
]
