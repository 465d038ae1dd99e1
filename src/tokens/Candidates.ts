import type { ContractAddress } from "../domain/Address.ts"
import type { TokenSource } from "./HeldToken.ts"

/** The most token contracts that one read of an account asks about: what they take fits into one call (`RpcPolicy.maxKeysPerCall`). */
export const mostCandidates = 100

/** The order in which sources are reported. */
export const tokenSources: ReadonlyArray<TokenSource> = ["manual", "positions", "list", "events", "explorer"]

/** Token contracts that sources name, each source's likeliest first. */
export type NamedTokens = { readonly [Source in TokenSource]: ReadonlyArray<ContractAddress> }

/** What is known of them beside who names them. */
export interface CandidateHints {
  /** Tokens that an earlier plan saw, by the caller's word. They count even where no source names them any more: the caller does. */
  readonly had: Iterable<ContractAddress>
  /** What the account's own calls had to do with, the likeliest first. Those that no source names do not count: they need be no tokens. */
  readonly called: Iterable<ContractAddress>
  /** Those that are looked at without being asked: they take no room. */
  readonly free: ReadonlySet<ContractAddress>
}

/** Which of the named tokens are queried. */
export interface CandidateChoice {
  /** With everyone who named them, in the order in which room was found for them. */
  readonly tokens: ReadonlyMap<ContractAddress, ReadonlyArray<TokenSource>>
  /** How many of each source there was no room for, each counted where it was named first. */
  readonly dropped: ReadonlyMap<TokenSource, number>
  /** Those there was no room for. */
  readonly unasked: ReadonlyArray<ContractAddress>
}

/** Sources that share what is left by turns. */
const sharing = ["positions", "events", "explorer"] as const

/** What a queue still has that no one named before; none when it is at its end. */
const next = (queue: Iterator<ContractAddress>, seen: ReadonlySet<ContractAddress>): ContractAddress | null => {
  for (let one = queue.next(); one.done !== true; one = queue.next()) if (!seen.has(one.value)) return one.value
  return null
}

/** One of each source by turns, each token once: what another source named before costs a source no turn. */
function* byTurns(named: NamedTokens, seen: Set<ContractAddress>): Generator<ContractAddress> {
  let open = sharing.map((source) => named[source].values())
  while (open.length > 0) {
    const left: typeof open = []
    for (const queue of open) {
      const token = next(queue, seen)
      if (token === null) continue
      seen.add(token)
      yield token
      left.push(queue)
    }
    open = left
  }
}

/** Who names a token that an earlier plan saw and that no source names any more. */
const ofCaller: ReadonlyArray<TokenSource> = ["manual"]

/** Everyone who names each token, in the order of the sources. */
const namingOf = (named: NamedTokens): ReadonlyMap<ContractAddress, ReadonlyArray<TokenSource>> => {
  const naming = new Map<ContractAddress, Array<TokenSource>>()
  for (const source of tokenSources) {
    for (const token of new Set(named[source])) {
      const sources = naming.get(token)
      if (sources === undefined) naming.set(token, [source])
      else sources.push(source)
    }
  }
  return naming
}

/**
 * Chooses tokens until there is no room for more. First come those named by hand, then those listed, then those that an earlier plan saw,
 * then those of own calls that any source names. The rest are taken from the other sources in turn, one each.
 */
export const candidateChoice = (
  named: NamedTokens,
  { called, free, had }: CandidateHints,
  most: number = mostCandidates
): CandidateChoice => {
  const naming = namingOf(named)
  const first = new Set([...named.manual, ...named.list, ...had, ...[...called].filter((token) => naming.has(token))])
  const tokens = new Map<ContractAddress, ReadonlyArray<TokenSource>>()
  const dropped = new Map<TokenSource, number>()
  const unasked: Array<ContractAddress> = []
  let room = most
  for (const token of [...first, ...byTurns(named, new Set(first))]) {
    const sources = naming.get(token) ?? ofCaller
    if (free.has(token) || room-- > 0) tokens.set(token, sources)
    else {
      unasked.push(token)
      for (const source of sources.slice(0, 1)) dropped.set(source, (dropped.get(source) ?? 0) + 1)
    }
  }
  return { tokens, dropped, unasked }
}

/** Those that will be chosen in any case: they need not wait for the other sources. */
export const certainCandidates = (
  { list, manual }: Pick<NamedTokens, "manual" | "list">,
  most: number = mostCandidates
): ReadonlyArray<ContractAddress> => [...new Set([...manual, ...list])].slice(0, most)
