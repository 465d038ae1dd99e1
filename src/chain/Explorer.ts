import { HttpClient, HttpClientRequest } from "@effect/platform"
import { Config, type ConfigError, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { type AccountAddress, ContractAddress } from "../domain/Address.ts"
import { UpstreamRateLimited, UpstreamUnusable } from "../domain/failure/Upstream.ts"
import type { Network } from "../domain/Network.ts"
import { httpUrlSetting } from "../domain/UrlSetting.ts"
import type { ChainFailure } from "./ChainFailure.ts"
import { exchange, quiet } from "./Exchange.ts"
import type { Fault } from "./Fault.ts"
import { timelyOr } from "./pace/Stalls.ts"
import { yieldBefore } from "./pace/Turns.ts"

/** The queries that an explorer answers. */
export interface ExplorerApi {
  /** Token contracts in which it knows a balance of the account; empty where it does not know the account. */
  readonly tokensOf: (address: AccountAddress) => Effect.Effect<ReadonlyArray<ContractAddress>, ChainFailure>
}

/** How long it is waited for. It is queried once. A close is rejected where it does not answer: it may know a token that no other source names. */
const patience = Duration.seconds(3)

/** What an account holds, as explorers list it: `asset` is a contract's address, or an asset of the ledger in any notation. */
const Balances = Schema.parseJson(Schema.Struct({ balances: Schema.Array(Schema.Struct({ asset: Schema.String })) }))

const unusable = new UpstreamUnusable({ source: "explorer" })

const failureOf = (fault: Fault): ChainFailure => {
  if (fault._tag !== "Throttled") return unusable
  const seconds = fault.retryAfter === null ? 1 : Math.ceil(Duration.toSeconds(fault.retryAfter))
  return new UpstreamRateLimited({ retryAfterSeconds: Math.max(1, seconds) })
}

const explorerAt = (base: URL, client: HttpClient.HttpClient): ExplorerApi => ({
  tokensOf: Effect.fnUntraced(
    function*(address) {
      const url = new URL(base)
      url.pathname = `${base.pathname.replace(/\/+$/, "")}/account/${address}/value`
      const { status, text } = yield* exchange(
        client,
        { endpoint: base, method: "account/value" },
        HttpClientRequest.acceptJson(HttpClientRequest.get(url))
      ).pipe(
        Effect.mapError(failureOf)
      )
      if (status === 404) return []
      if (status !== 200) return yield* unusable
      yield* yieldBefore(text)
      const { balances } = yield* Effect.mapError(Schema.decode(Balances)(text), () => unusable)
      return [...new Set(balances.map(({ asset }) => asset).filter(Schema.is(ContractAddress)))]
    },
    (asking) => timelyOr(patience, () => unusable)(asking)
  )
})

/** The setting of an explorer's URL; none where it is not set. */
export const explorerUrl = (name: string): Config.Config<Option.Option<URL>> => Config.option(httpUrlSetting(name))

/** An index of the ledger that a third party keeps. None unless the operator names one: it learns every address that is read. */
export class Explorer extends Context.Tag("closeout/chain/Explorer")<Explorer, Option.Option<ExplorerApi>>() {
  /** No explorer: no address is sent to a third party. */
  static readonly layerNone: Layer.Layer<Explorer> = Layer.succeed(Explorer, Option.none())

  /**
   * The one that `MAINNET_EXPLORER_URL` or `TESTNET_EXPLORER_URL` names, else none. It is queried at `<URL>/account/<G…>/value`; 404 means
   * that it knows nothing of the account, and any other response without an answer is a failure.
   */
  static readonly layerConfig = (network: Network): Layer.Layer<Explorer, ConfigError.ConfigError, HttpClient.HttpClient> =>
    Layer.effect(
      Explorer,
      Effect.gen(function*() {
        const url = yield* explorerUrl(`${network.toUpperCase()}_EXPLORER_URL`)
        const client = quiet(yield* HttpClient.HttpClient)
        return Option.map(url, (base) => explorerAt(base, client))
      })
    )
}
