import { Either } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { ContractAddress } from "../domain/Address.ts"
import type { ContractTokensResult } from "../domain/ContractToken.ts"
import type { ProtocolReading } from "../protocols/ProtocolRegistry.ts"
import type { TokenContracts } from "../registry/ContractAddresses.ts"
import type { TokenSource } from "./HeldToken.ts"
import type { EventsReport } from "./OwnerEvents.ts"

/** What one source names, and how it fared. */
export interface SourceReport {
  readonly source: TokenSource
  /** The likeliest first. */
  readonly tokens: ReadonlyArray<ContractAddress>
  readonly status: ContractTokensResult["coverage"][number]["status"]
  /** Why, or how far it looked; in words. Null where there is nothing to say. */
  readonly detail: string | null
  /** Why a close is rejected for now. Null where the source answered, or where the failure is reported elsewhere. */
  readonly failure: ChainFailure | null
  /** How many it named that it had no room for itself. */
  readonly dropped: number
  /** Whether something may be held that it did not get to. */
  readonly partly: boolean
}

const report = (source: TokenSource, tokens: ReadonlyArray<ContractAddress>, detail: string | null = null): SourceReport => ({
  source,
  tokens,
  status: "ok",
  detail,
  failure: null,
  dropped: 0,
  partly: false
})

/** A source that was not asked, because there is nothing to ask. */
const skipped = (source: TokenSource, detail: string): SourceReport => ({ ...report(source, [], detail), status: "skipped" })

const undeclared = "no contract tokens are declared on this network"

/** Tokens that the caller names. */
export const fromCaller = (tokens: ReadonlyArray<ContractAddress>): SourceReport =>
  tokens.length === 0 ? skipped("manual", "the request named none") : report("manual", tokens)

/** The token list of the network. */
export const fromList = (list: TokenContracts): SourceReport => (list === "none" ? skipped("list", undeclared) : report("list", list))

/** Tokens that exits of positions may pay. Protocols that were not read are reported with the positions. */
export const fromPositions = (readings: ReadonlyArray<ProtocolReading>): SourceReport => {
  const tokens = new Set(readings.flatMap((one) => one._tag === "Read" ? paidBy(one) : []))
  const unread = readings.flatMap(({ _tag, protocol }) => (_tag === "Read" ? [] : [protocol.name]))
  return unread.length === 0
    ? report("positions", [...tokens])
    : { ...report("positions", [...tokens], `not read: ${unread.join(", ")}`), status: "failed" }
}

/** Tokens that exits of what was read pay. */
export const paidBy = ({ positions }: Extract<ProtocolReading, { readonly _tag: "Read" }>): ReadonlyArray<ContractAddress> =>
  positions.flatMap(({ pays, rewards = [] }) => [...pays, ...rewards.map(({ token }) => token)])

/** Tokens with events for transfers to or from the account, or for mints to it. */
export const fromEvents = ({ complete, dropped, failure, scanned, tokens }: EventsReport): SourceReport => {
  const range = scanned === null ? "no ledger was scanned" : `ledgers ${scanned.fromLedger} to ${scanned.toLedger}`
  const told = { ...report("events", tokens, complete ? range : `${range}; older ones were not scanned`), dropped: dropped.tokens }
  if (failure !== null) return { ...told, status: "failed", failure }
  return complete ? told : { ...told, status: "skipped", partly: true }
}

/** Tokens that an explorer names. */
export const fromExplorer = (named: Either.Either<ReadonlyArray<ContractAddress>, ChainFailure> | null): SourceReport => {
  if (named === null) return skipped("explorer", "none is configured")
  return Either.match(named, {
    onLeft: (failure): SourceReport => ({ ...report("explorer", [], "did not answer"), status: "failed", failure }),
    onRight: (tokens) => report("explorer", tokens)
  })
}

/** A source of what is seen on the ledger, where the network has no contract tokens. */
export const undeclaredSource = (source: TokenSource): SourceReport => skipped(source, undeclared)
