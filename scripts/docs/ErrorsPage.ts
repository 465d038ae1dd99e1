import { errorRows, type HelpEntry, helpIntroduction, type HelpMeaning, helpSections } from "../../src/api/HelpEntries.ts"
import { who } from "../../src/domain/Help.ts"
import { protocolHelp } from "../../src/domain/ProtocolHelp.ts"
import { type OwnProtocol, ownProtocols } from "../../src/domain/ProtocolName.ts"

/** A heading; its anchor on every common host is `<kind>-<code>`. */
const heading = (kind: string, code: string): string => `### ${kind} \`${code}\``

const table: ReadonlyArray<string> = [
  "| Status | Code | Retry | Meaning |",
  "|---|---|---|---|",
  ...errorRows.map(({ code, meaning, retry, status }) => `| ${status} | [\`${code}\`](#error-${code}) | ${retry} | ${meaning} |`),
  ""
]

const ofMeaning = ({ answer, by, cause, remedy }: HelpMeaning): ReadonlyArray<string> => [
  ...(answer === null ? [] : [`Status ${answer.status}, retry \`${answer.retry}\`.`, ""]),
  `*Cause:* ${cause}`,
  "",
  `*What to do:* ${remedy}`,
  "",
  `*By whom:* ${by.map((one) => who[one]).join("; ")}.`,
  ""
]

const ofEntry = ({ code, kind, meanings }: HelpEntry): ReadonlyArray<string> => [heading(kind, code), "", ...meanings.flatMap(ofMeaning)]

const ofProtocol = (name: OwnProtocol): ReadonlyArray<string> => {
  const { label, leaves, reads } = protocolHelp[name]
  return [heading("Protocol", name), "", `${label}. ${reads}`, "", `*How the close exits it:* ${leaves}`, ""]
}

/** The page of errors, blockers, warnings and protocols. */
export const errorsPage = (): string =>
  [
    "# Errors, blockers, warnings",
    "",
    "Written by `npm run docs` from `src/api/HelpEntries.ts` and the tables it imports. The service serves the same page as `GET /docs/errors.md`.",
    "",
    ...helpIntroduction.flatMap((paragraph) => [paragraph, ""]),
    ...helpSections.flatMap(({ entries, title }) => [
      `## ${title}`,
      "",
      ...(title === "Errors" ? table : []),
      ...entries.flatMap(ofEntry)
    ]),
    "## Protocols",
    "",
    "Protocols of other packages are described by those packages.",
    "",
    ...ownProtocols.flatMap(ofProtocol)
  ].join("\n").trimEnd() + "\n"
