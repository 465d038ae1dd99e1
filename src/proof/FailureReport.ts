import { Cause } from "effect"
import { createHash } from "node:crypto"
import type { Stoppable } from "../chain/pace/Turns.ts"
import type { Outcome } from "./Computation.ts"
import type { ProofBundle, SourceCall } from "./ProofBundle.ts"
import type { Recorded } from "./Recorded.ts"
import { Redaction } from "./Redaction.ts"

/** Characters of the answers of sources that a report holds at most, before they are decoded. */
const mostAnswered = 1_000_000

/** What came when the same was computed once more. */
const again = (outcome: Outcome): string =>
  outcome._tag === "Answer"
    ? "an answer: the failure did not come again"
    : `${outcome.isDefect ? "a defect" : "a failure"}: ${outcome.reason}`

/** The calls, with answers as far as there is room for them. */
const bounded = (calls: ReadonlyArray<SourceCall>): ReadonlyArray<SourceCall> => {
  let left = mostAnswered
  return calls.map((call) => {
    if (!("text" in call.end)) return call
    left -= call.end.text.length
    return left >= 0 ? call : { ...call, end: { ...call.end, text: "(left out: too long)" } }
  })
}

const hashed = (files: ProofBundle["terms"]["files"]) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [name, `sha256 ${createHash("sha256").update(text).digest("base64")}`]))

/** A report of a failure, as the text of a file. It names no account in full, and cannot be computed again. Yields between the calls. */
export function* failureReport(cause: Cause.Cause<unknown>, { calls, outcome, terms, versions }: Recorded): Stoppable<string> {
  const redaction = new Redaction()
  const { files, scans, ...rest } = terms
  const shown: Array<unknown> = []
  for (const call of bounded(calls)) {
    shown.push(redaction.of(call))
    yield
  }
  return JSON.stringify(
    {
      format: "closeout-failure-1",
      note:
        "Recorded right after the failure, by computing the same request once more. Accounts and hashes have pseudonyms, memos are left out, XDR is " +
        "decoded. It cannot be replayed. Amounts are as they were: together with the ledger they show whose account it was.",
      versions,
      failure: redaction.of(Cause.pretty(cause, { renderErrorCause: true })),
      again: redaction.of(again(outcome)),
      terms: redaction.of(rest),
      files: hashed(files),
      scans: Object.keys(scans).length,
      calls: shown
    },
    null,
    1
  )
}
