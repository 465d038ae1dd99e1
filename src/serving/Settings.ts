import type { FileSystem } from "@effect/platform"
import { Config, type ConfigError, Effect, Layer } from "effect"
import { explorerUrl } from "../chain/Explorer.ts"
import { maxLedgerAge, maxLedgerAgeSetting } from "../chain/LedgerAge.ts"
import { NetworkSettings } from "../chain/NetworkSettings.ts"
import { ledgerApiConcurrency } from "../close/market/MarketSource.ts"
import { recommendedImpactSetting } from "../close/market/SaleSettings.ts"
import { FormerMediators, formerMediatorsSetting } from "../close/read/FormerMediators.ts"
import { mostFeeSetting, mostResourceFeeSetting } from "../close/situation/FeeSettings.ts"
import { mostFloatSetting, warnFloatSetting } from "../close/situation/FloatSettings.ts"
import { mediatorSecretSetting, MediatorSigner } from "../close/situation/MediatorSigner.ts"
import { sweepAccount, sweepAccountSetting } from "../close/sweep/MediatorSweep.ts"
import { checkedUntil, checkedUntilSetting } from "../close/watch/CheckedUntil.ts"
import { dataDirectorySetting } from "../DataDirectory.ts"
import { type Network, networks } from "../domain/Network.ts"
import { publicUrlSetting } from "../domain/PublicUrl.ts"
import { adminTokenSetting } from "../http/AdminToken.ts"
import { closePageSetting } from "../http/close-page/ClosePageState.ts"
import { hostSetting, portSetting } from "../http/Listener.ts"
import { metricsPortSetting } from "../http/metrics/MetricsListener.ts"
import { metricsTokenSetting } from "../http/metrics/MetricsToken.ts"
import { limitSetting, windowSetting } from "../http/rate/RateLimit.ts"
import { rateLimitStoreSetting } from "../http/rate/RateLimitStore.ts"
import { trustedProxyHops } from "../http/request/ClientAddress.ts"
import { corsOrigins } from "../http/wire/Cors.ts"
import { keyStoreSetting } from "../keys/database/KeyDatabase.ts"
import { sep10Setting } from "../keys/ServerIdentity.ts"
import { keysFileSetting, staticKeysSetting } from "../keys/StaticKeys.ts"
import { codeByInterfaceSetting } from "../protocols/kit/ListedContracts.ts"
import { ContractAddresses } from "../registry/ContractAddresses.ts"
import { ExchangeRegistry } from "../registry/ExchangeRegistry.ts"
import type { RegistryFileInvalid } from "../registry/RegistryFile.ts"
import { TokenLists } from "../registry/TokenLists.ts"
import { scanRequestsSetting, scanSecondsSetting, windowLedgersSetting } from "../tokens/EventBudget.ts"
import { collectorNames, collectorSetting } from "../tracing/CollectorSettings.ts"
import { logFormat } from "./Logging.ts"
import { sandboxSetting, sweptSomewhere } from "./Serving.ts"

/** Why a setting, or the file it names, cannot be used. */
export type SettingFailure = ConfigError.ConfigError | RegistryFileInvalid

/** Settings that are checked together. The first is named where a check does not say which of them is wrong. */
export interface Setting {
  readonly names: readonly [string, ...ReadonlyArray<string>]
  /** A value of the first that would do. */
  readonly example: string
  /** Reads it as the service does. */
  readonly check: Effect.Effect<unknown, SettingFailure, FileSystem.FileSystem>
}

const built = <A, E>(layer: Layer.Layer<A, E, FileSystem.FileSystem>) => Effect.scoped(Layer.build(layer))

const ifSet = <E, R>(name: string, check: Effect.Effect<unknown, E, R>): Effect.Effect<void, E | ConfigError.ConfigError, R> =>
  Effect.flatMap(
    Config.option(Config.string(name)),
    ({ _tag }) => _tag === "Some" ? Effect.asVoid(Effect.zipRight(Config.nonEmptyString(name), check)) : Effect.void
  )

/** Of one network, whether it is served or off: what is wrong with one that is off is wrong once it is on. */
const ofNetwork = (network: Network): ReadonlyArray<Setting> => {
  const prefix = network.toUpperCase()
  return [
    {
      names: [
        `${prefix}_RPC_URLS`,
        `${prefix}_RPC_HEADERS`,
        `${prefix}_LEDGER_API_URLS`,
        `${prefix}_RPC_ONLY`,
        `${prefix}_PASSPHRASE`
      ],
      example: "https://rpc.example.com,https://rpc.example.org",
      check: NetworkSettings.config(network)
    },
    {
      names: [`${prefix}_CONTRACTS_FILE`],
      example: "/etc/closeout/contracts.json",
      check: built(ContractAddresses.layerFile(network))
    },
    {
      names: [`${prefix}_TOKENS_FILE`],
      example: "/etc/closeout/tokens.json",
      check: built(Layer.provide(TokenLists.layerFile(network), ContractAddresses.layerNone))
    },
    { names: [`${prefix}_EXPLORER_URL`], example: "https://explorer.example.com", check: explorerUrl(`${prefix}_EXPLORER_URL`) },
    { names: [maxLedgerAgeSetting(network)], example: "60", check: maxLedgerAge(network, 0) },
    { names: [mediatorSecretSetting(network)], example: "S and 55 characters", check: built(MediatorSigner.layerConfig(network)) },
    {
      names: [sweepAccountSetting(network)],
      example: "G and 55 characters",
      check: Effect.zipRight(sweepAccount(network), sweptSomewhere(network))
    },
    { names: [checkedUntilSetting(network)], example: "64 hex characters", check: checkedUntil(network) },
    { names: [formerMediatorsSetting(network)], example: "G and 55 characters", check: built(FormerMediators.layerConfig(network)) }
  ]
}

/** Everything that can be set. */
export const settings: ReadonlyArray<Setting> = [
  { names: ["PORT"], example: "8080", check: portSetting },
  { names: ["HOST"], example: "127.0.0.1", check: hostSetting },
  { names: ["LOG_FORMAT"], example: "json", check: logFormat },
  ...networks.flatMap(ofNetwork),
  { names: ["NETWORK_SANDBOX"], example: "testnet", check: sandboxSetting },
  { names: ["DATA_DIR"], example: "./data", check: ifSet("DATA_DIR", dataDirectorySetting) },
  { names: ["API_KEYS"], example: "shop=lk_ and 43 characters", check: staticKeysSetting },
  { names: ["API_KEYS_FILE"], example: "/etc/closeout/keys.txt", check: keysFileSetting },
  { names: ["KEY_STORE_URL"], example: "postgres://user:password@host:5432/database", check: keyStoreSetting },
  { names: ["RATE_LIMIT_STORE_URL"], example: "redis://:password@host:6379/0", check: rateLimitStoreSetting },
  { names: ["ADMIN_TOKEN"], example: "a-long-random-text", check: adminTokenSetting },
  { names: ["SEP10_SECRET"], example: "S and 55 characters", check: sep10Setting },
  { names: ["PUBLIC_URL"], example: "https://keys.example.org", check: publicUrlSetting },
  { names: ["CLOSE_PAGE"], example: "on", check: closePageSetting },
  { names: ["EVENT_SCAN_REQUESTS"], example: "100", check: scanRequestsSetting },
  { names: ["EVENT_SCAN_SECONDS"], example: "8", check: scanSecondsSetting },
  { names: ["EVENT_WINDOW_LEDGERS"], example: "10000", check: windowLedgersSetting },
  { names: ["RATE_LIMIT"], example: "120", check: limitSetting },
  { names: ["RATE_WINDOW_SECONDS"], example: "60", check: windowSetting },
  { names: ["TRUSTED_PROXY_HOPS"], example: "1", check: trustedProxyHops },
  { names: ["CORS_ORIGINS"], example: "https://example.com", check: corsOrigins },
  { names: ["METRICS_TOKEN"], example: "a-long-random-text", check: ifSet("METRICS_TOKEN", metricsTokenSetting) },
  { names: collectorNames, example: "http://127.0.0.1:4318", check: collectorSetting },
  { names: ["METRICS_PORT"], example: "9464", check: metricsPortSetting },
  { names: ["EXCHANGE_REGISTRY_FILE"], example: "/etc/closeout/exchanges.json", check: built(ExchangeRegistry.layerFile) },
  { names: ["MAX_FEE_STROOPS_PER_OPERATION"], example: "10000", check: mostFeeSetting },
  { names: ["MAX_RESOURCE_FEE_LUMENS"], example: "5", check: mostResourceFeeSetting },
  { names: ["RECOMMENDED_PRICE_IMPACT_BPS"], example: "300", check: recommendedImpactSetting },
  { names: ["MEDIATOR_WARN_FLOAT_LUMENS"], example: "0.1", check: warnFloatSetting },
  { names: ["MEDIATOR_MAX_FLOAT_LUMENS"], example: "1", check: mostFloatSetting },
  { names: ["LEDGER_API_CONCURRENCY"], example: "8", check: ledgerApiConcurrency },
  { names: ["CODE_BY_INTERFACE"], example: "on", check: codeByInterfaceSetting }
]
