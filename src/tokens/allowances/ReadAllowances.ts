import { Duration, Effect, Either, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { ContractRpc } from "../../chain/ContractRpc.ts"
import type { Getter } from "../../chain/Getter.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { assetIn } from "../../stellar/AssetTokens.ts"
import { codeOf } from "../../stellar/CodeReference.ts"
import { instanceKey } from "../../stellar/ContractKeys.ts"
import { address, i128 } from "../../stellar/ScValCodec.ts"
import { largerBalance } from "../BalanceReading.ts"
import { controlGetter } from "../ControlGetter.ts"
import { keepsEntries } from "../StandardCode.ts"
import { decimalsIn, metadataIn, symbolIn, type TokenName, unnamedToken } from "../TokenName.ts"
import { timeForRounds, type TokenAnswer, type TokenQuery } from "../TokenQuery.ts"
import { type ConfirmedQuery, oneOriginQuery, queriesByOrigin, twoOriginQuery } from "../TwoOrigins.ts"
import { type AllowanceSource, type Candidate, type DroppedCounts, type NamedAllowances, pairsOf, tokensOf } from "./AllowanceCandidates.ts"
import { type AllowanceEntry, readAllowanceEntries } from "./AllowanceEntries.ts"

/** What runs in a token, and what it calls itself. */
interface TokenCode {
  /** Whether it is the contract of an asset of the ledger, at that asset's own address. */
  readonly isAsset: boolean
  /** SHA-256 of its wasm (hex); null where it has none of its own. */
  readonly code: string | null
  /** Null where its instance has no metadata of the common form. */
  readonly names: TokenName | null
}

/** Those of some tokens that are contracts (`getLedgerEntries`). */
const readTokenCode = (
  entries: LedgerEntries["Type"],
  passphrase: string,
  tokens: ReadonlyArray<ContractAddress>
): Effect.Effect<ReadonlyMap<ContractAddress, TokenCode>, ChainFailure> =>
  Effect.map(
    entries.many(tokens.map(instanceKey)),
    (found) =>
      new Map(tokens.flatMap((token, index): ReadonlyArray<readonly [ContractAddress, TokenCode]> => {
        const data = Option.getOrNull(found[index] ?? Option.none())?.entry?.data
        const value = data?.type === "contractData" ? data.contractData.val : null
        if (value === null) return []
        // In a form of a newer protocol: the contract exists, and its getter is called.
        if (value.type !== "scvContractInstance") return [[token, { isAsset: false, code: null, names: null }]]
        const code = codeOf(value.instance)
        return [[token, {
          isAsset: assetIn(token, value.instance, passphrase) !== null,
          code: code._tag === "Wasm" ? code.hash : null,
          names: metadataIn(value.instance)
        }]]
      }))
  )

/** Where allowances are read. */
export interface AllowanceSources {
  readonly entries: LedgerEntries["Type"]
  readonly rpc: ContractRpc["Type"]
  readonly passphrase: string
}

/** The reading of one owner and spender pair. */
export type AllowanceReading =
  /** `isStored`: its entry says so; else only the token does. */
  | { readonly _tag: "Live"; readonly pair: Candidate; readonly amount: bigint; readonly until: number; readonly isStored: boolean }
  /** Someone may take something, and how much or until when cannot be made out; null: how much. */
  | { readonly _tag: "Odd"; readonly pair: Candidate; readonly amount: bigint | null; readonly isStored: boolean }
  | { readonly _tag: "Nothing"; readonly pair: Candidate }
  /** The token keeps allowances in a way of its own and does not report this one; a retry returns no more. */
  | { readonly _tag: "NoValue"; readonly pair: Candidate }
  /** The same, and the source did not answer. */
  | { readonly _tag: "Unasked"; readonly pair: Candidate; readonly failure: ChainFailure }

/** What was read of the pairs that sources name. */
export interface AllowanceReadings {
  readonly all: ReadonlyArray<AllowanceReading>
  /** Names of the tokens of live allowances, by token. Tokens whose instances do not give them are queried. */
  readonly names: Effect.Effect<ReadonlyMap<ContractAddress, TokenName>>
  /** Pairs that only tokens can report, and for which there was no room or no time. */
  readonly unasked: ReadonlyArray<Candidate>
  /** How much there was no room or no time for. */
  readonly dropped: ReadonlyArray<DroppedCounts>
}

/** The most tokens that are queried for their names. */
const mostNamed = 50

/** The longest that tokens are waited for, for what is left of allowances and for what they call themselves. */
const longest = { allowances: Duration.seconds(8), names: Duration.seconds(2) }

/** What is made of an answer; null: there was no time to ask. */
const wordOf = (pair: Candidate, told: TokenAnswer, ledger: number): AllowanceReading | null => {
  if (told._tag === "Unasked") return null
  if (told._tag === "NoValue") return { _tag: "NoValue", pair }
  if (told._tag === "Failed") return { _tag: "Unasked", pair, failure: told.failure }
  const amount = Either.getOrNull(i128.decode(told.value))
  if (amount === null) return { _tag: "NoValue", pair }
  if (amount <= 0n) return { _tag: "Nothing", pair }
  // The token itself says that it is live; until when, only its event does.
  return pair.until === null || pair.until < ledger
    ? { _tag: "Odd", pair, amount, isStored: false }
    : { _tag: "Live", pair, amount, until: pair.until, isStored: false }
}

const storedOf = (pair: Candidate, entry: Exclude<AllowanceEntry, { readonly _tag: "Absent" }>): AllowanceReading => {
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
const counted = (pairs: ReadonlyArray<Candidate>): DroppedCounts => {
  const counts = new Map<AllowanceSource, number>()
  for (const { sources: [first] } of pairs) if (first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1)
  return counts
}

/** What tokens without metadata of the common form call themselves. */
const namesOf = (
  ask: TokenQuery,
  tokens: ReadonlyArray<ContractAddress>,
  codes: ReadonlyMap<ContractAddress, TokenCode>
): Effect.Effect<ReadonlyMap<ContractAddress, TokenName>> =>
  Effect.gen(function*() {
    const unnamed = tokens.filter((token) => codes.get(token)?.names === null).slice(0, mostNamed)
    const getters = unnamed.flatMap((
      contract
    ) => [{ contract, function: "decimals", args: [] }, { contract, function: "symbol", args: [] }])
    const told = getters.length === 0 ? [] : yield* timeForRounds(longest.names)((until) => ask(getters, until))
    const valueAt = (at: number) => {
      const one = told[at]
      return one?._tag === "Value" ? one.value : undefined
    }
    const asked = new Map(
      unnamed.map((token, index): readonly [ContractAddress, TokenName] => [token, {
        decimals: decimalsIn(valueAt(2 * index)),
        symbol: symbolIn(valueAt(2 * index + 1))
      }])
    )
    return new Map(tokens.map((token) => [token, codes.get(token)?.names ?? asked.get(token) ?? unnamedToken]))
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

/** What tokens say of pairs, as far as there was time to ask: of two origins the one that says more. */
const askPairs = (
  ask: ConfirmedQuery,
  owner: AccountAddress,
  pairs: ReadonlyArray<Candidate>,
  ledger: number
): Effect.Effect<ReadonlyMap<Candidate, AllowanceReading>> => {
  const getters = pairs.map(({ spender, token }): Getter => ({
    contract: token,
    function: "allowance",
    args: [address.encode(owner), address.encode(spender)]
  }))
  return getters.length === 0
    ? Effect.succeed(new Map())
    : Effect.map(timeForRounds(longest.allowances)((until) => ask(getters, until)), (words) =>
      new Map(pairs.flatMap((pair, at) => {
        const told = words[at]?.answer
        const word = told === undefined ? null : wordOf(pair, told, ledger)
        return word === null ? [] : [[pair, word] as const]
      })))
}

/**
 * Reads what is left of the allowances that an owner may have given: from the entry where most tokens keep it, in either form of its key.
 * Where no entry exists and the token's code is not recorded as keeping it there, the token itself is queried, at two origins. Takes two
 * rounds of entries, a round of simulations for tokens with storage of their own, and one more for names that only a getter gives.
 *
 * @param mostAsked the most pairs that are queried at tokens, in their order
 */
export const readAllowances = (
  sources: AllowanceSources,
  owner: AccountAddress,
  named: NamedAllowances,
  mostAsked: number
): Effect.Effect<AllowanceReadings, ChainFailure> =>
  Effect.gen(function*() {
    const chosen = tokensOf(named)
    const codes = yield* readTokenCode(sources.entries, sources.passphrase, chosen.tokens)
    const { dropped, pairs } = pairsOf(named, (token) => codes.has(token))
    const stored = yield* readStored(sources, owner, pairs, codes)
    const doubted = doubtedIn(stored, codes)
    const asking = yield* queriesByOrigin(sources.rpc, controlGetter(sources.passphrase))
    const words = yield* askPairs(twoOriginQuery(asking, largerBalance), owner, doubted.slice(0, mostAsked), stored.ledger)
    const doubts = new Set(doubted)
    const all = stored.found.flatMap(([pair, entry]): ReadonlyArray<AllowanceReading> => {
      const word = words.get(pair)
      if (word !== undefined) return [word]
      if (doubts.has(pair)) return []
      return entry._tag === "Absent" ? [{ _tag: "Nothing", pair }] : [storedOf(pair, entry)]
    })
    const live = [...new Set(all.flatMap((one) => (one._tag === "Live" ? [one.pair.token] : [])))]
    const unasked = doubted.filter((pair) => !words.has(pair))
    return { all, names: namesOf(oneOriginQuery(asking), live, codes), unasked, dropped: [chosen.dropped, dropped, counted(unasked)] }
  })
