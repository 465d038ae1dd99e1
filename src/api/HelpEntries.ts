import { BlockerReason, WarningCode } from "../domain/Blocker.ts"
import { blockerHelp } from "../domain/BlockerHelp.ts"
import type { Help } from "../domain/Help.ts"
import { warningHelp } from "../domain/WarningHelp.ts"
import type { Retry } from "./ErrorRow.ts"
import { ErrorTable, type FailureTag } from "./ErrorTable.ts"
import { remedies } from "./Remedies.ts"

/** One meaning of an error, a blocker or a warning. Only errors have a status and a retry. */
export interface HelpMeaning extends Help {
  readonly answer: { readonly status: number; readonly retry: Retry } | null
}

/** What the documentation says about a code. Some error codes have more than one meaning. */
export interface HelpEntry {
  readonly kind: "Error" | "Blocker" | "Warning"
  readonly code: string
  readonly meanings: ReadonlyArray<HelpMeaning>
}

/** The anchor of an entry on every page that shows it. */
export const entryAnchor = ({ code, kind }: HelpEntry): string => `${kind.toLowerCase()}-${code}`

/** The error table, in its order. */
export const errorRows = (Object.keys(ErrorTable) as ReadonlyArray<FailureTag>).map((tag) => ({ ...ErrorTable[tag], tag }))

const errorMeanings = new Map<string, Array<HelpMeaning>>()
for (const { code, meaning, retry, status, tag } of errorRows) {
  const meanings = errorMeanings.get(code) ?? []
  errorMeanings.set(code, [...meanings, { ...remedies[tag], cause: meaning, answer: { status, retry } }])
}

/** Everything that stops or warns a caller, by section. Error codes come in the order of the table. */
export const helpSections: ReadonlyArray<{ readonly title: string; readonly entries: ReadonlyArray<HelpEntry> }> = [
  { title: "Errors", entries: [...errorMeanings].map(([code, meanings]) => ({ kind: "Error", code, meanings })) },
  {
    title: "Blockers of a plan",
    entries: BlockerReason.literals.map((code) => ({ kind: "Blocker", code, meanings: [{ ...blockerHelp[code], answer: null }] }))
  },
  {
    title: "Warnings",
    entries: WarningCode.literals.map((code) => ({ kind: "Warning", code, meanings: [{ ...warningHelp[code], answer: null }] }))
  }
]

/** How a caller reads errors, blockers and warnings. Paragraphs with code spans. */
export const helpIntroduction: ReadonlyArray<string> = [
  "Every error is `{\"error\":{\"code\",\"message\",\"details\"}}`. Branch on `code`. `message` is for people and may be reworded. " +
  "`details` always has `retry`, `requestId` and `helpUrl`.",
  "`retry` says what helps: `never` no repetition, `after_fix` another request, `after_delay` time, `replan` a new plan. " +
  "Answers with status 503 carry `Retry-After`, unless `retry` is `never`.",
  "A plan answers 200 for everything found on the ledger. Its `blockers` have a `reason`, its `warnings` a `code`, and each has a `helpUrl` that names its heading here."
]
