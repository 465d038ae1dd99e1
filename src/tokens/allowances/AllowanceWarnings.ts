import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import type { EventsReport } from "../OwnerEvents.ts"
import type { TokenNames } from "../TokenNames.ts"
import { type AllowanceSource, allowanceSources, type DroppedCounts } from "./AllowanceCandidates.ts"
import type { AllowanceReading } from "./ReadAllowances.ts"

/** Ledgers that an entry can be kept alive for at most (the ledger's own setting, about half a year): an allowance lives no longer. */
const longestLife = 3_110_400

/** The first ledger in which anything can have happened. */
const firstLedger = 2

/** Things of one kind that warnings name one by one. */
const mostNamed = 20

const some = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

/** What the events leave open. */
export const eventWarnings = ({ complete, dropped, failure, scanned }: EventsReport): ReadonlyArray<PlanBlocker> => {
  const range = scanned === null ? "no ledger" : `ledgers ${scanned.fromLedger} to ${scanned.toLedger}`
  const warnings: Array<PlanBlocker> = []
  if (failure !== null) {
    warnings.push(
      warning(
        "source_failed",
        `Events could not be read to the end: ${range} were looked through. An allowance may be missing; read again shortly.`,
        "events"
      )
    )
  } else if (!complete) {
    warnings.push(
      warning(
        "history_not_scanned",
        `There was no time for all events: ${range} were looked through. Read again: what was looked through is remembered.`,
        "events"
      )
    )
  }
  if (complete && scanned !== null && scanned.fromLedger > Math.max(firstLedger, scanned.toLedger - longestLife)) {
    warnings.push(
      warning(
        "history_not_scanned",
        `The source remembers events from ledger ${scanned.fromLedger} on. An older allowance is found only in known tokens and for known spenders; name others in \`tokens\` and \`spenders\`.`,
        "events"
      )
    )
  }
  if (dropped.approvals > 0) {
    warnings.push(
      warning(
        "candidates_dropped",
        `Events tell of more approvals than are looked at: ${dropped.approvals} older ones were left out.`,
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
      : [warning("candidates_dropped", `${some(count, "candidate")} named by ${source} were not looked at: there are too many.`, source)]
  })

const subjectOf = ({ pair: { spender, token } }: AllowanceReading): string => `allowance:${token}:${spender}`

/** Allowances that are no rows, because how much or until when cannot be made out. */
const oddWarnings = (all: ReadonlyArray<AllowanceReading>): ReadonlyArray<PlanBlocker> => {
  const odd = all.flatMap((one) => (one._tag === "Odd" ? [one] : []))
  const named = odd.slice(0, mostNamed).map((one) =>
    warning(
      "allowance_live",
      one.amount === null
        ? "Somebody may take tokens, but how many cannot be made out. Revoke it to be sure."
        : `Somebody may take ${one.amount} base units, but until when cannot be made out. Revoke it to be sure.`,
      subjectOf(one)
    )
  )
  const rest = odd.length - named.length
  return rest === 0 ? named : [
    ...named,
    warning("allowance_live", `${some(rest, "more allowance")} cannot be made out either.`)
  ]
}

/** Tokens that keep allowances in a way of their own and do not say. */
const untoldWarnings = (all: ReadonlyArray<AllowanceReading>): ReadonlyArray<PlanBlocker> => {
  const tokens = [...new Set(all.flatMap((one) => (one._tag === "NoValue" ? [one.pair.token] : [])))]
  const named = tokens.slice(0, mostNamed).map((token) =>
    warning("allowance_unreadable", "The token keeps allowances in a way of its own, and does not say what is left of them.", token)
  )
  const rest = tokens.length - named.length
  return rest === 0 ? named : [...named, warning("allowance_unreadable", `${some(rest, "more token")} do not say either.`)]
}

/** Whether a source named a pair of which nobody could be asked. */
export const isUnasked = (all: ReadonlyArray<AllowanceReading>, source: AllowanceSource): boolean =>
  all.some((one) => one._tag === "Unasked" && one.pair.sources.includes(source))

const unaskedWarnings = (all: ReadonlyArray<AllowanceReading>): ReadonlyArray<PlanBlocker> => {
  const count = all.filter(({ _tag }) => _tag === "Unasked").length
  return count === 0
    ? []
    : [
      warning(
        "source_failed",
        `${some(count, "candidate")} could not be asked about. An allowance may be missing; read again shortly.`,
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
export const decimalWarnings = (names: ReadonlyMap<string, TokenNames>): ReadonlyArray<PlanBlocker> => {
  const unknown = [...names].flatMap(([token, { decimals }]) => (decimals === null ? [token] : []))
  const named = unknown.slice(0, mostNamed).map((token) =>
    warning("decimals_unknown", "The token does not tell its decimals: 0 stands for them, and amounts are base units.", token)
  )
  const rest = unknown.length - named.length
  return rest === 0 ? named : [...named, warning("decimals_unknown", `${some(rest, "more token")} do not tell their decimals either.`)]
}
