import { ErrorTable, type FailureTag } from "../../src/api/ErrorTable.ts"
import { remedies } from "../../src/api/Remedies.ts"
import { BlockerReason, WarningCode } from "../../src/domain/Blocker.ts"
import { blockerHelp } from "../../src/domain/BlockerHelp.ts"
import { type Help, who } from "../../src/domain/Help.ts"
import { protocolHelp } from "../../src/domain/ProtocolHelp.ts"
import { type OwnProtocol, ownProtocols } from "../../src/domain/ProtocolName.ts"
import { warningHelp } from "../../src/domain/WarningHelp.ts"

/** A heading; its anchor on every common host is `<kind>-<code>`. */
const heading = (kind: string, code: string): string => `### ${kind} \`${code}\``

const body = (
  { by, cause, remedy }: Help
): ReadonlyArray<string> => [`*Cause:* ${cause}`, "", `*What to do:* ${remedy}`, "", `*By whom:* ${by.map((one) => who[one]).join("; ")}.`]

type Row = (typeof ErrorTable)[FailureTag] & { readonly tag: FailureTag }

const rows: ReadonlyArray<Row> = (Object.keys(ErrorTable) as ReadonlyArray<FailureTag>).map((tag) => ({ ...ErrorTable[tag], tag }))

/** Failures by their code: one code may stand for more than one. */
const byCode: ReadonlyMap<string, ReadonlyArray<Row>> = new Map(rows.map(({ code }) => [code, rows.filter((one) => one.code === code)]))

const table = (): ReadonlyArray<string> => [
  "| Status | Code | Retry | Meaning |",
  "|---|---|---|---|",
  ...rows.map(({ code, meaning, retry, status }) => `| ${status} | [\`${code}\`](#error-${code}) | ${retry} | ${meaning} |`)
]

const ofCode = (code: string, found: ReadonlyArray<Row>): ReadonlyArray<string> => [
  heading("Error", code),
  "",
  ...found.flatMap((
    { meaning, retry, status, tag }
  ) => [`Status ${status}, retry \`${retry}\`.`, "", ...body({ ...remedies[tag], cause: meaning }), ""])
]

const ofHelp = (kind: string, code: string, help: Help): ReadonlyArray<string> => [heading(kind, code), "", ...body(help), ""]

const ofProtocol = (name: OwnProtocol): ReadonlyArray<string> => {
  const { label, leaves, reads } = protocolHelp[name]
  return [heading("Protocol", name), "", `${label}. ${reads}`, "", `*How the close exits it:* ${leaves}`, ""]
}

/** The page of everything that can stand in the way: errors, blockers of a plan, warnings. */
export const errorsPage = (): string =>
  [
    "# Errors, blockers, warnings",
    "",
    "Written by `npm run docs` from `src/api/ErrorTable.ts`, `src/api/Remedies.ts`, `src/domain/BlockerHelp.ts` and `src/domain/WarningHelp.ts`.",
    "",
    "Every error is `{\"error\":{\"code\",\"message\",\"details\"}}`. Branch on `code`; `message` is for people and may be reworded. `details` always",
    "holds `retry`, `requestId` and `helpUrl`. *Retry* says what helps: `never` no repetition, `after_fix` another request, `after_delay` time,",
    "`replan` a new plan. Answers with status 503 carry `Retry-After`, unless *retry* is `never`. A plan answers 200 for whatever it finds on the ledger: what stands in the way is in `blockers`, by `reason`, and what only",
    "warns in `warnings`, by `code`; `helpUrl` of each names its heading on this page, which the service serves as well",
    "(`GET /docs/errors.md`).",
    "",
    "## Errors",
    "",
    ...table(),
    "",
    ...[...byCode].flatMap(([code, found]) => ofCode(code, found)),
    "## Blockers of a plan",
    "",
    ...BlockerReason.literals.flatMap((reason) => ofHelp("Blocker", reason, blockerHelp[reason])),
    "## Warnings",
    "",
    ...WarningCode.literals.flatMap((code) => ofHelp("Warning", code, warningHelp[code])),
    "## Protocols",
    "",
    "Protocols of other packages are described by those packages.",
    "",
    ...ownProtocols.flatMap(ofProtocol)
  ].join("\n").trimEnd() + "\n"
