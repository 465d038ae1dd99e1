import { Effect, Either } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { ContractRpc } from "../../chain/ContractRpc.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { address, i128 } from "../../stellar/ScValCodec.ts"
import { askingTokens, type AskTokens, type Told } from "../AskTokens.ts"
import { controlGetter } from "../ControlGetter.ts"
import { keepsEntries } from "../StandardCode.ts"
import { decimalsIn, noNames, symbolIn, type TokenNames } from "../TokenNames.ts"
import { type AllowanceSource, type Candidate, type Dropped, type Named, pairsOf, tokensOf } from "./AllowanceCandidates.ts"
import { type AllowanceEntry, readAllowanceEntries } from "./AllowanceEntries.ts"
import { readTokenCode, type TokenCode } from "./TokenCode.ts"

/** Where allowances are read. */
export interface AllowanceSources {
  readonly entries: LedgerEntries["Type"]
  readonly rpc: ContractRpc["Type"]
  readonly passphrase: string
}

/** What became of a pair. */
export type ReadAllowance =
  /** `isStored`: its entry says so; else only the token does. */
  | { readonly _tag: "Live"; readonly pair: Candidate; readonly amount: bigint; readonly until: number; readonly isStored: boolean }
  /** Somebody may take something, and how much or until when cannot be made out; null: how much. */
  | { readonly _tag: "Odd"; readonly pair: Candidate; readonly amount: bigint | null; readonly isStored: boolean }
  | { readonly _tag: "Nothing"; readonly pair: Candidate }
  /** The token keeps allowances in a way of its own and does not say, however often it is asked. */
  | { readonly _tag: "Untold"; readonly pair: Candidate }
  /** The same, and the source did not answer. */
  | { readonly _tag: "Unasked"; readonly pair: Candidate; readonly failure: ChainFailure }

/** What was read of the pairs that sources name. */
export interface AllowancesRead {
  readonly all: ReadonlyArray<ReadAllowance>
  /** What live allowances are of, by token; those whose instances do not tell are asked. */
  readonly names: Effect.Effect<ReadonlyMap<ContractAddress, TokenNames>>
  readonly dropped: ReadonlyArray<Dropped>
}

/** The most tokens that are asked what they call themselves. */
const mostNamed = 50

const wordOf = (pair: Candidate, told: Told | undefined, ledger: number): ReadAllowance => {
  if (told === undefined || told._tag === "Untold") return { _tag: "Untold", pair }
  if (told._tag === "Unasked") return { _tag: "Unasked", pair, failure: told.failure }
  const amount = Either.getOrNull(i128.decode(told.value))
  if (amount === null) return { _tag: "Untold", pair }
  if (amount <= 0n) return { _tag: "Nothing", pair }
  // The token itself says that it is live; until when, only its event does.
  return pair.until === null || pair.until < ledger
    ? { _tag: "Odd", pair, amount, isStored: false }
    : { _tag: "Live", pair, amount, until: pair.until, isStored: false }
}

const storedOf = (pair: Candidate, entry: Exclude<AllowanceEntry, { readonly _tag: "Absent" }>): ReadAllowance => {
  switch (entry._tag) {
    case "Live":
      return { ...entry, pair, isStored: true }
    case "Odd":
      return { ...entry, pair, isStored: true }
    case "Over":
      return { _tag: "Nothing", pair }
  }
}

/** By the first source that named each. */
const counted = (pairs: ReadonlyArray<Candidate>): Dropped => {
  const counts = new Map<AllowanceSource, number>()
  for (const { sources: [first] } of pairs) if (first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1)
  return counts
}

/** What tokens without metadata of the common form call themselves. */
const namesOf = (
  ask: AskTokens,
  tokens: ReadonlyArray<ContractAddress>,
  codes: ReadonlyMap<ContractAddress, TokenCode>
): Effect.Effect<ReadonlyMap<ContractAddress, TokenNames>> =>
  Effect.gen(function*() {
    const unnamed = tokens.filter((token) => codes.get(token)?.names === null).slice(0, mostNamed)
    const getters = unnamed.flatMap((
      contract
    ) => [{ contract, function: "decimals", args: [] }, { contract, function: "symbol", args: [] }])
    const told = getters.length === 0 ? [] : yield* ask(getters)
    const valueAt = (at: number) => {
      const one = told[at]
      return one?._tag === "Told" ? one.value : undefined
    }
    const asked = new Map(
      unnamed.map((token, index): readonly [ContractAddress, TokenNames] => [token, {
        decimals: decimalsIn(valueAt(2 * index)),
        symbol: symbolIn(valueAt(2 * index + 1))
      }])
    )
    return new Map(tokens.map((token) => [token, codes.get(token)?.names ?? asked.get(token) ?? noNames]))
  })

/** Code that keeps every allowance where most tokens do. */
const isCommon = (code: TokenCode | undefined): boolean => code !== undefined && (code.isAsset || keepsEntries(code.code))

/** By pair, in their order, what the ledger has. */
interface Stored {
  readonly found: ReadonlyArray<readonly [Candidate, AllowanceEntry]>
  readonly ledger: number
}

const readStored = (
  { entries }: AllowanceSources,
  owner: AccountAddress,
  pairs: ReadonlyArray<Candidate>,
  codes: ReadonlyMap<ContractAddress, TokenCode>
): Effect.Effect<Stored, ChainFailure> =>
  Effect.map(
    readAllowanceEntries(
      entries,
      owner,
      pairs.map(({ spender, token }) => ({ spender, token, isCommon: isCommon(codes.get(token)) }))
    ),
    ({ found, ledger }) => ({ found: pairs.map((pair, at) => [pair, found[at] ?? { _tag: "Absent" }] as const), ledger })
  )

/** Pairs without an entry whose token may keep them elsewhere: that one allowance stands in its entry says nothing of another. */
const doubtedIn = ({ found }: Stored, codes: ReadonlyMap<ContractAddress, TokenCode>): ReadonlyArray<Candidate> =>
  found.flatMap(([pair, { _tag }]) => {
    const code = codes.get(pair.token)
    return _tag === "Absent" && code !== undefined && !isCommon(code) ? [pair] : []
  })

/** What tokens say of pairs. */
const askPairs = (
  ask: AskTokens,
  owner: AccountAddress,
  pairs: ReadonlyArray<Candidate>,
  ledger: number
): Effect.Effect<ReadonlyMap<Candidate, ReadAllowance>> =>
  pairs.length === 0 ? Effect.succeed(new Map()) : Effect.map(
    ask(
      pairs.map(({ spender, token }) => ({
        contract: token,
        function: "allowance",
        args: [address.encode(owner), address.encode(spender)]
      }))
    ),
    (told) => new Map(pairs.map((pair, at) => [pair, wordOf(pair, told[at], ledger)]))
  )

/**
 * Reads what is left of the allowances that an owner may have given: from the entry where most tokens keep it, in either form of its key, and by
 * the token's own word where none is there and its code is not recorded as keeping it there. Takes two rounds of entries, a round of
 * simulations for tokens with storage of their own, and one more where names are wanted, of those that tell theirs only when asked.
 *
 * @param mostAsked of the pairs that only tokens tell of, in their order, so many are asked about
 */
export const readAllowances = (
  sources: AllowanceSources,
  owner: AccountAddress,
  named: Named,
  mostAsked: number
): Effect.Effect<AllowancesRead, ChainFailure> =>
  Effect.gen(function*() {
    const chosen = tokensOf(named)
    const codes = yield* readTokenCode(sources.entries, sources.passphrase, chosen.tokens)
    const { dropped, pairs } = pairsOf(named, (token) => codes.has(token))
    const stored = yield* readStored(sources, owner, pairs, codes)
    const doubted = doubtedIn(stored, codes)
    const ask = askingTokens(sources.rpc, controlGetter(sources.passphrase))
    const words = yield* askPairs(ask, owner, doubted.slice(0, mostAsked), stored.ledger)
    const unasked = new Set(doubted.slice(mostAsked))
    const all = stored.found.flatMap(([pair, entry]): ReadonlyArray<ReadAllowance> => {
      const word = words.get(pair)
      if (word !== undefined) return [word]
      if (unasked.has(pair)) return []
      return entry._tag === "Absent" ? [{ _tag: "Nothing", pair }] : [storedOf(pair, entry)]
    })
    const live = [...new Set(all.flatMap((one) => (one._tag === "Live" ? [one.pair.token] : [])))]
    return { all, names: namesOf(ask, live, codes), dropped: [chosen.dropped, dropped, counted([...unasked])] }
  })
