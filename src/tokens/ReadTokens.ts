import { Effect, type Either } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { Getter } from "../chain/Getter.ts"
import type { LedgerEntries } from "../chain/LedgerEntries.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import { account } from "../stellar/ScValCodec.ts"
import { balanceFromBoth, balanceFromEntry, type BalanceReading } from "./BalanceReading.ts"
import { keepsEntries } from "./StandardCode.ts"
import { type StoredToken, storedToken, tokenKeys } from "./StoredToken.ts"
import { decimalsIn, symbolIn, type TokenName, unnamedToken } from "./TokenName.ts"
import type { TokenAnswer } from "./TokenQuery.ts"
import type { Confirmation, ConfirmedAnswer } from "./TwoOrigins.ts"

/** The reading of one candidate contract. */
export type TokenReading =
  /** There is no such contract. */
  | { readonly _tag: "Nothing" }
  /** It stands for an asset of the ledger. */
  | { readonly _tag: "Asset" }
  | {
    readonly _tag: "Token"
    readonly balance: BalanceReading
    readonly names: TokenName
    /** Whether the entry alone tells the balance. */
    readonly inEntry: boolean
    /** How what the token says is confirmed; left out where it was not asked. */
    readonly confirmation?: Confirmation
  }

/** Where tokens are read. */
export interface TokenSources {
  readonly entries: LedgerEntries["Type"]
  /** Asks for balances, one word a question, in their order. */
  readonly askBalances: (getters: ReadonlyArray<Getter>) => Effect.Effect<ReadonlyArray<ConfirmedAnswer>>
  /** Asks tokens what they call themselves, one answer a question; null: they are not asked. */
  readonly askNames: ((getters: ReadonlyArray<Getter>) => Effect.Effect<ReadonlyArray<TokenAnswer>>) | null
  readonly passphrase: string
}

type Stored = Extract<StoredToken, { readonly _tag: "Token" }>

/** What the ledger has of some tokens, in one call for all of them (`getLedgerEntries`). */
const readStored = (
  { entries, passphrase }: TokenSources,
  tokens: ReadonlyArray<ContractAddress>,
  holder: AccountAddress
): Effect.Effect<ReadonlyMap<ContractAddress, StoredToken>, ChainFailure> =>
  Effect.map(entries.answers(tokens.flatMap((token) => tokenKeys(token, holder))), (answers) =>
    new Map(tokens.flatMap((token, index) => {
      const [instance, balance] = [answers[2 * index], answers[2 * index + 1]]
      return instance === undefined || balance === undefined ? [] : [[token, storedToken(token, passphrase, instance, balance)] as const]
    })))

const getter = (contract: ContractAddress, name: string, ...args: Getter["args"]): Getter => ({ contract, function: name, args })

const valueOf = (told: TokenAnswer | undefined) => (told?._tag === "Value" ? told.value : undefined)

/** What tokens without metadata of the common form call themselves. */
const namesFromTokens = (
  { askNames }: TokenSources,
  tokens: ReadonlyArray<ContractAddress>
): Effect.Effect<ReadonlyMap<ContractAddress, TokenName>> =>
  tokens.length === 0 || askNames === null ? Effect.succeed(new Map()) : Effect.map(
    askNames(tokens.flatMap((token) => [getter(token, "decimals"), getter(token, "symbol")])),
    (told) =>
      new Map(
        tokens.map((
          token,
          index
        ) => [token, { decimals: decimalsIn(valueOf(told[2 * index])), symbol: symbolIn(valueOf(told[2 * index + 1])) }])
      )
  )

const confirmedAs = (word: ConfirmedAnswer | undefined) => (word === undefined ? {} : { confirmation: word.confirmation })

/**
 * Reads what a holder has of some tokens: from the entry where most tokens keep it, and from the token's own getter where its code is not
 * recorded as keeping every balance there. Left: the entries could not be read, and nothing is known. Takes one call, one more for tokens
 * that are queried, and one more for the names of held tokens that only their getters give.
 */
export const readTokens = (
  sources: TokenSources,
  tokens: ReadonlyArray<ContractAddress>,
  holder: AccountAddress
): Effect.Effect<Either.Either<ReadonlyMap<ContractAddress, TokenReading>, ChainFailure>> =>
  Effect.either(Effect.gen(function*() {
    const stored = tokens.length === 0 ? new Map<ContractAddress, StoredToken>() : yield* readStored(sources, tokens, holder)
    const real = [...stored].flatMap(([token, one]): ReadonlyArray<readonly [ContractAddress, Stored]> =>
      one._tag === "Token" ? [[token, one]] : []
    )
    const doubted = real.filter(([, { balance, code }]) => balance._tag === "Odd" || !keepsEntries(code))
    const said = doubted.length === 0
      ? []
      : yield* sources.askBalances(doubted.map(([token]) => getter(token, "balance", account.encode(holder))))
    const told = new Map(doubted.map(([token], index): readonly [ContractAddress, ConfirmedAnswer | undefined] => [token, said[index]]))
    const balances = new Map(real.map(([token, { balance }]): readonly [ContractAddress, BalanceReading] => {
      const word = told.get(token)
      return [token, word === undefined ? balanceFromEntry(balance) : balanceFromBoth(balance, word.answer)]
    }))
    const isHeld = (token: ContractAddress): boolean => {
      const balance = balances.get(token)
      return balance?._tag === "Amount" && balance.amount > 0n
    }
    const names = yield* namesFromTokens(sources, real.flatMap(([token, one]) => (one.names === null && isHeld(token) ? [token] : [])))
    return new Map([...stored].map(([token, one]): readonly [ContractAddress, TokenReading] => {
      const balance = balances.get(token)
      return one._tag !== "Token" || balance === undefined
        ? [token, { _tag: one._tag === "Asset" ? "Asset" : "Nothing" }]
        : [token, {
          _tag: "Token",
          balance,
          names: one.names ?? names.get(token) ?? unnamedToken,
          inEntry: !told.has(token),
          ...confirmedAs(told.get(token))
        }]
    }))
  }))
