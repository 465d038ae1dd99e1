import type { ContractAddress } from "../domain/Address.ts"
import type { TokenSource } from "./HeldToken.ts"

/** The most token contracts that one read of an account asks about: what they take fits into one call (`RpcPolicy.maxKeysPerCall`). */
export const mostCandidates = 100

/** The order in which sources are told of. */
export const tokenSources: ReadonlyArray<TokenSource> = ["manual", "positions", "list", "events", "explorer"]

/** Token contracts that sources name, each source's likeliest first. */
export type Named = { readonly [Source in TokenSource]: ReadonlyArray<ContractAddress> }

/** Which of the named are asked about. */
export interface Chosen {
  /** With everybody who named them, in the order in which room was found for them. */
  readonly tokens: ReadonlyMap<ContractAddress, ReadonlyArray<TokenSource>>
  /** How many of each source there was no room for. */
  readonly dropped: ReadonlyMap<TokenSource, number>
  /** Those there was no room for. */
  readonly unasked: ReadonlyArray<ContractAddress>
}

/** What one source names, with those first that others take for likelier, in their order. */
export const likelierFirst = (
  named: ReadonlyArray<ContractAddress>,
  likelier: Iterable<ContractAddress>
): ReadonlyArray<ContractAddress> => {
  const all = new Set(named)
  return [...new Set([...[...likelier].filter((token) => all.has(token)), ...named])]
}

/** Sources that share what those named by hand leave. */
const sharing = tokenSources.filter((source) => source !== "manual")

/** What a queue still has that nobody named before; none when it is at its end. */
const next = (queue: Iterator<ContractAddress>, seen: ReadonlySet<ContractAddress>): ContractAddress | null => {
  for (let one = queue.next(); one.done !== true; one = queue.next()) if (!seen.has(one.value)) return one.value
  return null
}

/** One of each source by turns, each token once: what another source named before costs a source no turn. */
function* byTurns(named: Named, seen: Set<ContractAddress>): Generator<readonly [TokenSource, ContractAddress]> {
  let open = sharing.map((source) => ({ source, queue: named[source].values() }))
  while (open.length > 0) {
    const left: typeof open = []
    for (const one of open) {
      const token = next(one.queue, seen)
      if (token === null) continue
      seen.add(token)
      yield [one.source, token]
      left.push(one)
    }
    open = left
  }
}

/** Those named by hand first, then one of each other source by turns, until there is room for no more. */
export const choose = (named: Named, most: number = mostCandidates): Chosen => {
  const manual = new Set(named.manual)
  const inTurn = [...Array.from(manual, (token) => ["manual", token] as const), ...byTurns(named, new Set(manual))]
  const tokens = new Map<ContractAddress, Array<TokenSource>>(inTurn.slice(0, most).map(([, token]) => [token, []]))
  for (const source of tokenSources) for (const token of new Set(named[source])) tokens.get(token)?.push(source)
  const dropped = new Map<TokenSource, number>()
  const left = inTurn.slice(most)
  for (const [source] of left) dropped.set(source, (dropped.get(source) ?? 0) + 1)
  return { tokens, dropped, unasked: left.map(([, token]) => token) }
}

/**
 * Those that will be chosen whatever the other sources name: they need not wait for them. What the list is sure of is its share where every
 * source names as many as it likes.
 */
export const chosenAnyway = (
  { list, manual }: Pick<Named, "manual" | "list">,
  most: number = mostCandidates
): ReadonlyArray<ContractAddress> => {
  const first = [...new Set(manual)].slice(0, most)
  const taken = new Set(first)
  const share = Math.floor((most - first.length) / sharing.length)
  return [...first, ...list.filter((token) => !taken.has(token)).slice(0, share)]
}
