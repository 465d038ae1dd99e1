import { Order } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { ContractAddress } from "../domain/Address.ts"
import { type PlanBlocker, warning } from "../domain/Blocker.ts"
import type { ContractTokensResult } from "../domain/ContractToken.ts"
import { counted } from "../domain/CountedNoun.ts"
import { type CandidateChoice, tokenSources } from "./Candidates.ts"
import type { HeldToken, TokenSource } from "./HeldToken.ts"
import type { EventsReport } from "./OwnerEvents.ts"
import type { TokenReading } from "./ReadTokens.ts"
import type { SourceReport } from "./SourceReport.ts"
import type { Confirmation } from "./TwoOrigins.ts"

/** What was read of an account's contract tokens. */
export interface TokenReadings {
  /** By contract address. */
  readonly held: ReadonlyArray<HeldToken>
  /** Candidates of which asking again tells no more: they trap, hang, or answer what is no amount. By address. */
  readonly unreadable: ReadonlyArray<ContractAddress>
  /** Sources and balances that could not be queried now. The close is rejected with the first failure. */
  readonly failed: ReadonlyArray<ChainFailure>
  /** Candidates that were not looked at, because there are too many, or no time was left. */
  readonly dropped: number
  /** Those of them that are known by name. */
  readonly unasked: ReadonlyArray<ContractAddress>
  /** What events told; null where none are looked for. */
  readonly told: EventsReport | null
  /** How it is confirmed that nothing is held of queried tokens: by another origin, not yet, or not at all. */
  readonly confirmation: Confirmation
  /** Tokens whose balance was queried at two origins, which both answered. */
  readonly queried: ReadonlyArray<ContractAddress>
  /** The same for the wire. */
  readonly result: ContractTokensResult
}

/** Everything that was found out. */
export interface TokenFindings {
  readonly reports: ReadonlyArray<SourceReport>
  readonly chosen: CandidateChoice
  readonly tokens: ReadonlyMap<ContractAddress, TokenReading>
  /** Candidates of which nothing could be read now. */
  readonly unread: ReadonlyMap<ContractAddress, ChainFailure>
  /** Tokens that detected exits pay. */
  readonly paid: ReadonlySet<ContractAddress>
  /** Tokens that the caller named and that are none of their own, with what they are instead, in words. */
  readonly elsewhere: ReadonlyMap<ContractAddress, string>
  /** What events told; null where none are looked for. */
  readonly told: EventsReport | null
}

/** Balances that the sources could not tell now, each with why. */
const failedOf = ({ tokens, unread }: TokenFindings): ReadonlyMap<ContractAddress, ChainFailure> =>
  new Map([
    ...unread,
    ...[...tokens].flatMap(([token, one]) =>
      one._tag === "Token" && one.balance._tag === "Failed" ? [[token, one.balance.failure] as const] : []
    )
  ])

const heldOf = ({ chosen, paid, tokens }: TokenFindings): ReadonlyArray<HeldToken> =>
  [...tokens].flatMap(([contract, one]): ReadonlyArray<HeldToken> => {
    if (one._tag !== "Token" || one.balance._tag !== "Amount") return []
    const { balance: { amount, modified }, inEntry, names } = one
    return amount > 0n || paid.has(contract)
      ? [{ contract, balance: amount, ...names, sources: chosen.tokens.get(contract) ?? [], modified, inEntry }]
      : []
  }).toSorted(Order.mapInput(Order.string, ({ contract }) => contract))

const unreadableOf = ({ tokens }: TokenFindings): ReadonlyArray<ContractAddress> =>
  [...tokens].flatMap(([token, one]) => (one._tag === "Token" && one.balance._tag === "Unreadable" ? [token] : [])).toSorted(Order.string)

const isUnasked = (one: TokenReading | undefined): boolean => one === undefined || (one._tag === "Token" && one.balance._tag === "Unasked")

/** Chosen tokens that there was no time to ask, or that no round got to. */
const lateIn = ({ chosen, tokens, unread }: TokenFindings): ReadonlyArray<ContractAddress> =>
  [...chosen.tokens.keys()].filter((token) => !unread.has(token) && isUnasked(tokens.get(token)))

/** How many of what a source named first were not looked at. */
const missedOf = ({ dropped, source }: SourceReport, findings: TokenFindings): number => {
  const late = lateIn(findings).filter((token) => findings.chosen.tokens.get(token)?.[0] === source)
  return dropped + (findings.chosen.dropped.get(source) ?? 0) + late.length
}

/** How a source fared, with what became of the tokens it named. */
const coverageOf = (
  report: SourceReport,
  findings: TokenFindings,
  lost: ReadonlySet<TokenSource>
): ContractTokensResult["coverage"][number] => {
  const { detail, source, status } = report
  const missed = missedOf(report, findings)
  const details = [
    ...(detail === null ? [] : [detail]),
    ...(missed === 0 ? [] : [`${counted(missed, "candidate")} dropped`]),
    ...(lost.has(source) ? ["balances were not read"] : [])
  ]
  return { source, status: lost.has(source) ? "failed" : status, ...(details.length === 0 ? {} : { detail: details.join("; ") }) }
}

const sourceWarnings = ({ partly, source, status }: SourceReport): ReadonlyArray<PlanBlocker> => {
  // What of the protocols was not read has warnings of its own.
  if (status === "failed" && source !== "positions") {
    return [
      warning(
        "source_failed",
        `The source ${source} of contract tokens did not respond, so tokens may be missing. Read again shortly.`,
        source
      )
    ]
  }
  return partly
    ? [
      warning(
        "tokens_not_checked",
        "Not all transfers that the contract RPC still has were scanned in time, so tokens may be missing. Read again shortly.",
        source
      )
    ]
    : []
}

const droppedOf = (findings: TokenFindings): number => findings.reports.reduce((sum, one) => sum + missedOf(one, findings), 0)

const warningsOf = (
  findings: TokenFindings,
  unreadable: ReadonlyArray<ContractAddress>,
  failed: ReadonlyMap<ContractAddress, ChainFailure>
): ReadonlyArray<PlanBlocker> => {
  const { chosen, elsewhere, reports, tokens } = findings
  const dropped = droppedOf(findings)
  const absent = [...tokens].flatMap((
    [token, { _tag }]
  ) => (_tag === "Nothing" && chosen.tokens.get(token)?.includes("manual") === true ? [token] : []))
  return [
    ...reports.flatMap(sourceWarnings),
    ...(dropped === 0
      ? []
      : [
        warning(
          "candidates_dropped",
          `${counted(dropped, "more token contract")} than this service queries may hold a balance of the account.`,
          "tokens"
        )
      ]),
    ...(failed.size === 0
      ? []
      : [
        warning(
          "source_failed",
          `Balances in ${counted(failed.size, "token contract")} were not read, so something held may be missing. Read again shortly.`,
          "tokens"
        )
      ]),
    ...unreadable.map((token) =>
      warning("tokens_not_checked", `The token contract ${token} returns no readable balance, so the account may hold some of it.`, token)
    ),
    ...Array.from(elsewhere, ([token, what]) => warning("tokens_not_checked", `${token} is not listed: ${what}.`, token)),
    ...absent.map((token) => warning("tokens_not_checked", `The contract ${token} does not exist, so the account holds none of it.`, token))
  ]
}

/** Tokens of which something is held or unread are never taken for nothing. */
const confirmationIn = ({ tokens }: TokenFindings): Confirmation => {
  const all = [...tokens.values()].flatMap((one) =>
    one._tag === "Token" && one.balance._tag === "Amount" && one.balance.amount === 0n ? one.confirmation ?? [] : []
  )
  if (all.includes("behind")) return "behind"
  return all.includes("alone") ? "alone" : "confirmed"
}

const queriedIn = ({ tokens }: TokenFindings): ReadonlyArray<ContractAddress> =>
  [...tokens].flatMap(([token, one]) => (one._tag === "Token" && one.confirmation === "confirmed" ? [token] : []))

/** What was read, for the close and for the wire. */
export const tokensResult = (findings: TokenFindings): TokenReadings => {
  const { chosen, reports, told } = findings
  const held = heldOf(findings)
  const unreadable = unreadableOf(findings)
  const failed = failedOf(findings)
  const lost = new Set([...failed.keys()].flatMap((token) => chosen.tokens.get(token) ?? []))
  return {
    held,
    unreadable,
    told,
    confirmation: confirmationIn(findings),
    queried: queriedIn(findings),
    dropped: droppedOf(findings),
    unasked: [...chosen.unasked, ...lateIn(findings)],
    failed: [...reports.flatMap(({ failure }) => (failure === null ? [] : [failure])), ...failed.values()],
    result: {
      tokens: held.map(({ balance, contract, decimals, sources, symbol }) => ({
        contract,
        balance: balance.toString(),
        symbol,
        decimals,
        sources
      })),
      unreadable: [...unreadable, ...failed.keys()].toSorted(),
      coverage: tokenSources.flatMap((source) =>
        reports.filter((one) => one.source === source).map((one) => coverageOf(one, findings, lost))
      ),
      eventsScanned: told?.scanned ?? null,
      warnings: warningsOf(findings, unreadable, failed)
    }
  }
}
