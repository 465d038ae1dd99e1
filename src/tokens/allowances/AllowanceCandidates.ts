import type { ContractAddress } from "../../domain/Address.ts"
import type { Allowance } from "../../domain/Allowance.ts"
import type { ApprovalEvent } from "../Approval.ts"

/** Who named a pair of token and spender. */
export type AllowanceSource = (typeof Allowance.Type)["sources"][number]

/** The order in which sources are reported. */
export const allowanceSources: ReadonlyArray<AllowanceSource> = ["events", "registry", "manual"]

/** The most tokens, and pairs of a token and a spender, that one read asks about. */
export const most = { tokens: 600, pairs: 2_000 }

/** Tokens and spenders, each of the first with each of the second, the likeliest first. */
export interface Parties {
  readonly tokens: ReadonlyArray<ContractAddress>
  readonly spenders: ReadonlyArray<string>
}

/** What sources name. */
export interface NamedAllowances {
  /** What events told, the newest first. */
  readonly events: ReadonlyArray<ApprovalEvent>
  /** Known tokens and the contracts of protocols that holders let spend. */
  readonly registry: Parties
  /** What the caller lists. */
  readonly manual: Parties
}

/** A pair that is queried, with all sources that named it. */
export interface Candidate extends ApprovalEvent {
  readonly sources: ReadonlyArray<AllowanceSource>
}

/** A source, and how much of what it named there was no room for. */
export type DroppedCounts = ReadonlyMap<AllowanceSource, number>

const add = (dropped: Map<AllowanceSource, number>, source: AllowanceSource) => dropped.set(source, (dropped.get(source) ?? 0) + 1)

/**
 * The tokens to query, in the order in which room is found for them: the caller's, those of events, those that are known. The caller,
 * strangers and the account control how many there are of each.
 */
export const tokensOf = (
  { events, manual, registry }: NamedAllowances
): { readonly tokens: ReadonlyArray<ContractAddress>; readonly dropped: DroppedCounts } => {
  const tokens = new Set<ContractAddress>()
  const missed = new Set<ContractAddress>()
  const dropped = new Map<AllowanceSource, number>()
  const take = (source: AllowanceSource, room: number) => (token: ContractAddress) => {
    if (tokens.has(token) || missed.has(token)) return
    if (tokens.size < room) tokens.add(token)
    else {
      missed.add(token)
      add(dropped, source)
    }
  }
  manual.tokens.forEach(take("manual", most.tokens))
  // Strangers leave room for what is known of the account.
  events.forEach(({ token }) => take("events", most.tokens - 200)(token))
  registry.tokens.forEach(take("registry", most.tokens))
  return { tokens: [...tokens], dropped }
}

const nameOf = ({ spender, token }: { readonly token: string; readonly spender: string }): string => `${token} ${spender}`

/**
 * The pairs of tokens that exist, as far as there is room: the caller's tokens with the caller's spenders, what events told, the caller's tokens
 * and spenders with known ones, and known ones with one another.
 */
export const pairsOf = (
  { events, manual, registry }: NamedAllowances,
  exists: (token: ContractAddress) => boolean
): { readonly pairs: ReadonlyArray<Candidate>; readonly dropped: DroppedCounts } => {
  const pairs = new Map<string, Candidate>()
  const missed = new Set<string>()
  const dropped = new Map<AllowanceSource, number>()
  const take = (source: AllowanceSource, one: ApprovalEvent) => {
    if (!exists(one.token)) return
    const name = nameOf(one)
    const known = pairs.get(name)
    if (known !== undefined) {
      if (!known.sources.includes(source)) {
        pairs.set(name, { ...known, sources: allowanceSources.filter((other) => other === source || known.sources.includes(other)) })
      }
    } else if (pairs.size < most.pairs) {
      pairs.set(name, { ...one, sources: [source] })
    } else if (!missed.has(name)) {
      missed.add(name)
      add(dropped, source)
    }
  }
  const cross = (source: AllowanceSource, tokens: ReadonlyArray<ContractAddress>, spenders: ReadonlyArray<string>) => {
    for (const token of tokens) for (const spender of spenders) take(source, { token, spender, until: null })
  }
  cross("manual", manual.tokens, manual.spenders)
  for (const told of events) take("events", told)
  cross("manual", manual.tokens, registry.spenders)
  cross("manual", [...new Set(events.map(({ token }) => token))], manual.spenders)
  cross("manual", registry.tokens, manual.spenders)
  cross("registry", registry.tokens, registry.spenders)
  return { pairs: [...pairs.values()], dropped }
}
