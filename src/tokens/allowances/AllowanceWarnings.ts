import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import { counted } from "../../domain/CountedNoun.ts"
import type { EventsReport } from "../OwnerEvents.ts"
import type { TokenName } from "../TokenName.ts"
import { type AllowanceSource, allowanceSources, type DroppedCounts } from "./AllowanceCandidates.ts"
import type { AllowanceReading } from "./ReadAllowances.ts"

/** Ledgers that an entry can be kept alive for at most (the ledger's own setting, about half a year): an allowance lives no longer. */
const longestLife = 3_110_400

/** The first ledger in which anything can have happened. */
const firstLedger = 2

/** Things of one kind that warnings name one by one. */
const mostNamed = 20

/** What the events leave open. */
export const eventWarnings = ({ complete, dropped, failure, scanned }: EventsReport): ReadonlyArray<PlanBlocker> => {
  const range = scanned === null ? "no ledger" : `ledgers ${scanned.fromLedger} to ${scanned.toLedger}`
  const warnings: Array<PlanBlocker> = []
  if (failure !== null) {
    warnings.push(
      warning(
        "source_failed",
        `Events could not be read to the end: ${range} were scanned. An allowance may be missing. Read again shortly.`,
        "events"
      )
    )
  } else if (!complete) {
    warnings.push(
      warning(
        "history_not_scanned",
        `Not all events were read in time: ${range} were scanned. Read again: the scanned part is cached.`,
        "events"
      )
    )
  }
  if (complete && scanned !== null && scanned.fromLedger > Math.max(firstLedger, scanned.toLedger - longestLife)) {
    warnings.push(
      warning(
        "history_not_scanned",
        `The source has events from ledger ${scanned.fromLedger} on. An older allowance is found only in known tokens and for known spenders. List others in \`tokens\` and \`spenders\`.`,
        "events"
      )
    )
  }
  if (dropped.approvals > 0) {
    warnings.push(
      warning(
        "candidates_dropped",
        `Events name more approvals than this service reads: ${dropped.approvals} older ones were left out.`,
        "events"
      )
    )
  }
  return warnings
}

/** What there was no room for, of what each source named. */
export const droppedWarnings = (dropped: ReadonlyArray<DroppedCounts>): ReadonlyArray<PlanBlocker> =>
  allowanceSources.flatMap((source) => {
    const count = dropped.reduce((sum, one) => sum + (one.get(source) ?? 0), 0)
    return count === 0
      ? []
      : [warning("candidates_dropped", `Not read, because there are too many: ${counted(count, "candidate")} named by ${source}.`, source)]
  })

const subjectOf = ({ pair: { spender, token } }: AllowanceReading): string => `allowance:${token}:${spender}`

/** Allowances that are no rows, because how much or until when cannot be made out. */
const oddWarnings = (all: ReadonlyArray<AllowanceReading>): ReadonlyArray<PlanBlocker> => {
  const odd = all.flatMap((one) => (one._tag === "Odd" ? [one] : []))
  const named = odd.slice(0, mostNamed).map((one) =>
    warning(
      "allowance_live",
      one.amount === null
        ? "A spender may take tokens, but the amount cannot be read. Revoke the allowance to be sure."
        : `A spender may take ${counted(one.amount, "base unit")}, but the expiry cannot be read. Revoke the allowance to be sure.`,
      subjectOf(one)
    )
  )
  const rest = odd.length - named.length
  return rest === 0 ? named : [
    ...named,
    warning("allowance_live", `${counted(rest, "more allowance")} cannot be read either.`)
  ]
}

/** Tokens that keep allowances in a way of their own and do not say. */
const untoldWarnings = (all: ReadonlyArray<AllowanceReading>): ReadonlyArray<PlanBlocker> => {
  const tokens = [...new Set(all.flatMap((one) => (one._tag === "NoValue" ? [one.pair.token] : [])))]
  const named = tokens.slice(0, mostNamed).map((token) =>
    warning("allowance_unreadable", "The token stores allowances in its own way and does not report what is left of them.", token)
  )
  const rest = tokens.length - named.length
  return rest === 0 ? named : [...named, warning("allowance_unreadable", `The same is true of ${counted(rest, "more token")}.`)]
}

/** Whether a source named a pair for which no origin could be queried. */
export const isUnasked = (all: ReadonlyArray<AllowanceReading>, source: AllowanceSource): boolean =>
  all.some((one) => one._tag === "Unasked" && one.pair.sources.includes(source))

const unaskedWarnings = (all: ReadonlyArray<AllowanceReading>): ReadonlyArray<PlanBlocker> => {
  const count = all.filter(({ _tag }) => _tag === "Unasked").length
  return count === 0
    ? []
    : [
      warning(
        "source_failed",
        `${counted(count, "candidate")} could not be queried. An allowance may be missing. Read again shortly.`,
        "contract_rpc"
      )
    ]
}

/** What reading the candidates left open. */
export const readWarnings = (all: ReadonlyArray<AllowanceReading>): ReadonlyArray<PlanBlocker> => [
  ...unaskedWarnings(all),
  ...oddWarnings(all),
  ...untoldWarnings(all)
]

/** Tokens of rows that do not tell their decimals. */
export const decimalWarnings = (names: ReadonlyMap<string, TokenName>): ReadonlyArray<PlanBlocker> => {
  const unknown = [...names].flatMap(([token, { decimals }]) => (decimals === null ? [token] : []))
  const named = unknown.slice(0, mostNamed).map((token) =>
    warning("decimals_unknown", "The token does not report its decimals. The response shows 0, and amounts are base units.", token)
  )
  const rest = unknown.length - named.length
  return rest === 0 ? named : [...named, warning("decimals_unknown", `The same is true of ${counted(rest, "more token")}.`)]
}
