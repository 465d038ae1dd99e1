import { Context, Duration, Effect, Either, Layer, Option } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { ContractRpc } from "../chain/ContractRpc.ts"
import { Explorer } from "../chain/Explorer.ts"
import { LedgerEntries } from "../chain/LedgerEntries.ts"
import { NetworkSettings } from "../chain/NetworkSettings.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { ProtocolReading } from "../protocols/ProtocolRegistry.ts"
import { TokenLists } from "../registry/TokenLists.ts"
import { largerBalance } from "./BalanceReading.ts"
import { type CandidateChoice, candidateChoice, certainCandidates, type NamedTokens } from "./Candidates.ts"
import { controlGetter } from "./ControlGetter.ts"
import { type EventsReport, OwnerEvents } from "./OwnerEvents.ts"
import { readTokens, type TokenReading, type TokenSources } from "./ReadTokens.ts"
import {
  fromCaller,
  fromEvents,
  fromExplorer,
  fromList,
  fromPositions,
  paidBy,
  type SourceReport,
  undeclaredSource
} from "./SourceReport.ts"
import { timeForRounds } from "./TokenQuery.ts"
import { type TokenReadings, tokensResult } from "./TokensResult.ts"
import { oneOriginQuery, queriesByOrigin, twoOriginQuery } from "./TwoOrigins.ts"

/** Assets' contracts that were met lately. */
const mostKnown = 10_000

/**
 * Token contracts that stand for assets of the ledger. That an address is the contract of an asset can be computed from the asset's name and
 * never changes, so what was found once need not be read again.
 */
interface KnownAssets {
  readonly has: (token: ContractAddress) => boolean
  readonly add: (token: ContractAddress) => void
}

/** Of a network of which only these are known; the oldest of the others is forgotten first. */
const knownAssets = (...always: ReadonlyArray<ContractAddress>): KnownAssets => {
  const met = new Set<ContractAddress>()
  return {
    has: (token) => always.includes(token) || met.has(token),
    add: (token) => {
      met.add(token)
      const [oldest] = met
      if (met.size > mostKnown && oldest !== undefined) met.delete(oldest)
    }
  }
}

export type { TokenReadings as TokensRead } from "./TokensResult.ts"

/** Whose tokens are read, and what is known of the account already. */
export interface TokenQuestion {
  readonly user: AccountAddress
  /** Token contracts that the caller names. */
  readonly manual: ReadonlyArray<ContractAddress>
  /** What it holds in protocols, once that is known: what their exits pay, and share tokens that are no tokens of their own. */
  readonly readings: Effect.Effect<ReadonlyArray<ProtocolReading>>
  /** Tokens that an earlier plan saw, by the caller's word. They are queried after those listed, whether or not a source names them. */
  readonly had: ReadonlyArray<ContractAddress>
  /** Contracts that its own calls had to do with, once they are known, the likeliest first. They are queried next where a source names them. */
  readonly called: Effect.Effect<Iterable<ContractAddress>>
  /** Whether to query tokens for their names where no other source gives them. */
  readonly names: boolean
}

/** What was read of candidates so far. */
interface Progress {
  readonly tokens: Map<ContractAddress, TokenReading>
  readonly unread: Map<ContractAddress, ChainFailure>
}

/** The longest that one read waits for what tokens say of balances: a hundred answers of a source that allows 15 requests a second take seven seconds. */
const longestBalances = Duration.seconds(10)

/** The longest that it waits for what tokens call themselves: nothing rests on that. */
const longestNames = Duration.seconds(2)

/** How often candidates are chosen anew, because some took room and are the contracts of assets. */
const mostRounds = 3

const ofAsset = "it is the contract of a classic asset, whose balances are in trustlines, or of lumens"
const ofProtocol = "it is a share of a position, and reported there"

/** Whether what is held of a candidate was read without a question to it. */
const tellsUnasked = (read: TokenReading | undefined): boolean => read?._tag === "Nothing" || (read?._tag === "Token" && read.inEntry)

/** Reads those of the candidates that were not read yet, and notes which of them stand for assets. */
const readMore = Effect.fnUntraced(function*(
  { assets, sources }: { readonly assets: KnownAssets; readonly sources: TokenSources },
  user: AccountAddress,
  { tokens, unread }: Progress,
  candidates: Iterable<ContractAddress>
) {
  const missing = [...candidates].filter((token) => !tokens.has(token) && !unread.has(token) && !assets.has(token))
  if (missing.length === 0) return
  const read = yield* readTokens(sources, missing, user)
  if (Either.isLeft(read)) { for (const token of missing) unread.set(token, read.left) }
  else {
    for (const [token, one] of read.right) {
      tokens.set(token, one)
      if (one._tag === "Asset") assets.add(token)
    }
  }
})

/** Contracts by the source that names them, without those that are no tokens of their own. */
const namedBy = (reports: ReadonlyArray<SourceReport>, isOther: (token: ContractAddress) => boolean): NamedTokens => {
  const of = (wanted: SourceReport["source"]) =>
    reports.flatMap(({ source, tokens }) => (source === wanted ? tokens : [])).filter((token) => !isOther(token))
  return { manual: of("manual"), positions: of("positions"), list: of("list"), events: of("events"), explorer: of("explorer") }
}

/** Those of the progress that were chosen. */
const among = <A>(of: ReadonlyMap<ContractAddress, A>, { tokens }: CandidateChoice): ReadonlyMap<ContractAddress, A> =>
  new Map([...of].filter(([token]) => tokens.has(token)))

/** The sources of one network, and which contracts are known to stand for assets. */
interface Reader {
  readonly list: TokenLists["Type"]
  readonly events: OwnerEvents["Type"]
  readonly explorer: Explorer["Type"]
  readonly assets: KnownAssets
  /** How one read asks: balances at two origins, names at that of the endpoint that the request keeps to. */
  readonly sources: (names: boolean) => Effect.Effect<TokenSources>
}

const named = ({ events, explorer, list }: Reader, user: AccountAddress) =>
  Effect.all([
    list === "none" ? Effect.succeed<EventsReport | null>(null) : events.of(user),
    list === "none" || Option.isNone(explorer) ? Effect.succeed(null) : Effect.either(explorer.value.tokensOf(user))
  ], { concurrency: "unbounded" })

const readAll = (reader: Reader) =>
  Effect.fnUntraced(function*({ called, had, manual, names, readings, user }: TokenQuestion) {
    const { assets, list } = reader
    const asking = { assets, sources: yield* reader.sources(names) }
    const progress: Progress = { tokens: new Map(), unread: new Map() }
    const listed = list === "none" ? [] : list
    const certain = certainCandidates({ manual, list: listed.filter((token) => !assets.has(token)) })
    const [protocols, [told, explored]] = yield* Effect.all([
      readings,
      named(reader, user),
      readMore(asking, user, progress, certain)
    ], { concurrency: "unbounded" })
    const reports = [
      fromCaller(manual),
      fromPositions(protocols),
      fromList(list),
      told === null ? undeclaredSource("events") : fromEvents(told),
      list === "none" ? undeclaredSource("explorer") : fromExplorer(explored)
    ]
    const own = yield* called
    const whole = protocols.filter((one) => one._tag === "Read")
    const shares = new Set(whole.flatMap((one) => one.shares))
    const isOther = (token: ContractAddress) => assets.has(token) || shares.has(token)
    const chosenNow = (): CandidateChoice =>
      candidateChoice(namedBy(reports, isOther), {
        had: had.filter((token) => !isOther(token)),
        called: own,
        free: new Set(listed.filter((token) => tellsUnasked(progress.tokens.get(token))))
      })
    let chosen = chosenNow()
    for (let round = 0; round < mostRounds; round++) {
      yield* readMore(asking, user, progress, chosen.tokens.keys())
      chosen = chosenNow()
    }
    return tokensResult({
      reports,
      chosen,
      tokens: among(progress.tokens, chosen),
      unread: among(progress.unread, chosen),
      elsewhere: new Map(manual.filter(isOther).map((token) => [token, assets.has(token) ? ofAsset : ofProtocol] as const)),
      paid: new Set(whole.flatMap(paidBy)),
      told
    })
  })

const readHeld = (reader: Reader) =>
  Effect.fnUntraced(function*(user: AccountAddress, tokens: ReadonlyArray<ContractAddress>) {
    const found = yield* Effect.flatten(readTokens(yield* reader.sources(false), tokens, user))
    const amounts = new Map<ContractAddress, bigint>()
    for (const [token, one] of found) {
      if (one._tag !== "Token" || one.balance._tag === "Unreadable" || one.balance._tag === "Unasked") continue
      if (one.balance._tag === "Failed") return yield* Effect.fail(one.balance.failure)
      amounts.set(token, one.balance.amount)
    }
    return amounts
  })

/** Reads what an account holds in contract tokens. A source that fails is reported, and never counts as one that found nothing. */
export class TokenReader extends Context.Tag("closeout/tokens/TokenReader")<TokenReader, {
  readonly read: (question: TokenQuestion) => Effect.Effect<TokenReadings>
  /** What someone holds of these, base units; nothing is said of assets of the ledger, nor of a token that does not tell. Fails with its sources. */
  readonly held: (
    user: AccountAddress,
    tokens: ReadonlyArray<ContractAddress>
  ) => Effect.Effect<ReadonlyMap<ContractAddress, bigint>, ChainFailure>
}>() {
  /** Over the sources of one network. Which contracts stand for assets is kept, and nothing of accounts. */
  static readonly layer = Layer.effect(
    TokenReader,
    Effect.gen(function*() {
      const entries = yield* LedgerEntries
      const rpc = yield* ContractRpc
      const { passphrase } = yield* NetworkSettings
      const control = controlGetter(passphrase)
      const reader: Reader = {
        list: yield* TokenLists,
        events: yield* OwnerEvents,
        explorer: yield* Explorer,
        assets: knownAssets(control.contract),
        sources: (names) =>
          Effect.map(queriesByOrigin(rpc, control), (asking) => {
            const [inBalances, inNames] = [timeForRounds(longestBalances), timeForRounds(longestNames)]
            const [askTwo, askOne] = [twoOriginQuery(asking, largerBalance), oneOriginQuery(asking)]
            return {
              entries,
              passphrase,
              askBalances: (getters) => inBalances((until) => askTwo(getters, until)),
              askNames: names ? (getters) => inNames((until) => askOne(getters, until)) : null
            }
          })
      }
      return TokenReader.of({ held: readHeld(reader), read: readAll(reader) })
    })
  )
}
