import type { xdr } from "@stellar/stellar-sdk"
import type { Duration, Effect } from "effect"
import { Array as Arr } from "effect"
import { withTimeLimit } from "./Attempt.ts"
import type { ChainFailure } from "./ChainFailure.ts"
import { getEvents } from "./contract-rpc/EventsAnswer.ts"
import type { EventsAnswer, EventsQuestion } from "./contract-rpc/EventsAnswer.ts"
import { searchEvents } from "./contract-rpc/EventSearch.ts"
import type { EventSearch, SearchedPage } from "./contract-rpc/EventSearch.ts"
import type { Call } from "./contract-rpc/JsonRpc.ts"
import { getLatestLedger } from "./contract-rpc/LatestLedger.ts"
import type { LatestLedger } from "./contract-rpc/LatestLedger.ts"
import { getLedgerEntries } from "./contract-rpc/LiveEntry.ts"
import type { LiveEntries } from "./contract-rpc/LiveEntry.ts"
import { getRetention } from "./contract-rpc/Retention.ts"
import type { Retention } from "./contract-rpc/Retention.ts"
import { simulateTransaction } from "./contract-rpc/SimulationAnswer.ts"
import type { SimulationAnswer } from "./contract-rpc/SimulationAnswer.ts"
import type { Endpoints, Run } from "./Endpoints.ts"
import type { Pin } from "./Pin.ts"

/** What a contract RPC says of the ledger. The members are those of `ContractRpc`. */
export interface RpcQuestions {
  readonly latestLedger: Effect.Effect<LatestLedger, ChainFailure>
  /** At most 200 distinct keys. */
  readonly ledgerEntries: (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<LiveEntries, ChainFailure>
  readonly simulateTransaction: (
    envelope: string,
    instructionLeeway: number,
    brief?: Duration.Duration
  ) => Effect.Effect<SimulationAnswer, ChainFailure>
  readonly retention: Effect.Effect<Retention, ChainFailure>
  readonly events: (question: EventsQuestion) => Effect.Effect<EventsAnswer, ChainFailure>
  readonly searchEvents: (search: EventSearch) => Effect.Effect<SearchedPage, ChainFailure>
}

/** The endpoints of one operator: those of one URL origin. Its questions go to no other origin, and no request keeps to it. */
export interface RpcOrigin extends RpcQuestions {
  readonly name: string
  /** Its endpoints, by their places in the settings. */
  readonly places: Arr.NonEmptyReadonlyArray<number>
}

/** The questions that go to some endpoints, and to no others. */
const questionsTo = (run: Run, call: Call): RpcQuestions => ({
  latestLedger: run(getLatestLedger(call)),
  ledgerEntries: (keys) => run(getLedgerEntries(call)(keys)),
  simulateTransaction: (envelope, leeway, brief) => run(simulateTransaction(call)(envelope, leeway), withTimeLimit(brief)),
  retention: run(getRetention(call)),
  events: (question) => run(getEvents(call)(question), { searched: true }),
  searchEvents: (search) => run(searchEvents(call)(search), { searched: true })
})

/** The origins of some endpoints, in the order of the settings. */
export const originsOf = (urls: Arr.NonEmptyReadonlyArray<URL>, among: Endpoints["among"], call: Call): ReadonlyArray<RpcOrigin> => {
  const all = Arr.groupBy(urls.map(({ origin }, place) => ({ origin, place })), ({ origin }) => origin)
  return Object.entries(all).map(([name, own]): RpcOrigin => {
    const places = Arr.map(own, ({ place }) => place)
    return { name, places, ...questionsTo(among(places), call) }
  })
}

/** One endpoint: its questions go to no other. */
export interface RpcEndpoint extends RpcQuestions {
  /** The origin of its URL. */
  readonly origin: string
}

/** Each of some endpoints. */
export const eachOf = (urls: Arr.NonEmptyReadonlyArray<URL>, among: Endpoints["among"], call: Call): ReadonlyArray<RpcEndpoint> =>
  urls.map(({ origin }, place) => ({ origin, ...questionsTo(among([place]), call) }))

/** The one that has the endpoint that a request keeps to; before its first answer that is the first of all. */
export const ownOf = (origins: ReadonlyArray<RpcOrigin>, pin: Pick<Pin, "index"> | null): ReadonlyArray<RpcOrigin> =>
  origins.filter(({ places }) => places.includes(pin?.index ?? 0))

/** Those that do not have the endpoint that a request keeps to; before its first answer that is the first of all. */
export const othersOf = (origins: ReadonlyArray<RpcOrigin>, pin: Pick<Pin, "index"> | null): ReadonlyArray<RpcOrigin> =>
  origins.filter(({ places }) => !places.includes(pin?.index ?? 0))
