import { Clock, Config, Effect, Layer, Option, Schema } from "effect"
import { explorerUrl } from "../chain/Explorer.ts"
import { maxLedgerAgeSetting } from "../chain/LedgerAge.ts"
import { formerMediatorsSetting } from "../close/read/FormerMediators.ts"
import { MediatorSigner } from "../close/situation/MediatorSigner.ts"
import type { Network } from "../domain/Network.ts"
import { ExchangeRegistry as RegistryDocument } from "../domain/RegistryDocument.ts"
import type { ServedNetwork } from "../Networks.ts"
import { ContractAddresses, ContractsDocument } from "../registry/ContractAddresses.ts"
import { ExchangeRegistry } from "../registry/ExchangeRegistry.ts"
import { TokenListDocument, TokenLists } from "../registry/TokenLists.ts"
import type { Operation, ProofTerms } from "./ProofBundle.ts"
import { type NetworkStandIns, standInsOf } from "./StandIns.ts"

/** The settings that an answer of a close depends on. None of them is a secret, or an address of an endpoint. */
const settingsOf = (network: Network): ReadonlyArray<string> => [
  "CODE_BY_INTERFACE",
  "EVENT_SCAN_REQUESTS",
  "EVENT_SCAN_SECONDS",
  "EVENT_WINDOW_LEDGERS",
  "LEDGER_API_CONCURRENCY",
  "MAX_FEE_STROOPS_PER_OPERATION",
  "MAX_RESOURCE_FEE_LUMENS",
  "MEDIATOR_MAX_FLOAT_LUMENS",
  "MEDIATOR_WARN_FLOAT_LUMENS",
  "RECOMMENDED_PRICE_IMPACT_BPS",
  formerMediatorsSetting(network),
  maxLedgerAgeSetting(network)
]

const valuesOf = (names: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(names, (name) => Effect.map(Config.option(Config.string(name)), (value) => [name, value] as const)),
    (all) => all.flatMap(([name, value]) => (Option.isSome(value) ? [[name, value.value] as const] : []))
  )

const [contractsFile, tokensFile, exchangesFile] = ["contracts.json", "tokens.json", "exchanges.json"] as const

const encoded = <A, I>(schema: Schema.Schema<A, I>, value: A) => Effect.orDie(Schema.encode(Schema.parseJson(schema, { space: 1 }))(value))

/** What files say of contracts, tokens and exchanges, and the settings that name them. */
const documents = ({ address: { network }, contracts }: ServedNetwork) =>
  Effect.gen(function*() {
    const [listed, tokens] = yield* Effect.all([ContractAddresses, TokenLists]).pipe(
      Effect.provide(Layer.provideMerge(TokenLists.layerFile(network), Layer.fresh(contracts)))
    )
    const prefix = network.toUpperCase()
    const { document } = yield* ExchangeRegistry
    const files: Array<readonly [setting: string, file: string, text: string]> = [
      [`${prefix}_CONTRACTS_FILE`, contractsFile, yield* encoded(ContractsDocument, { network, ...listed })],
      ["EXCHANGE_REGISTRY_FILE", exchangesFile, yield* encoded(RegistryDocument, document)]
    ]
    if (tokens !== "none" && tokens !== listed.tokens) {
      files.push([`${prefix}_TOKENS_FILE`, tokensFile, yield* encoded(TokenListDocument, { network, tokens })])
    }
    return files
  })

/** What is to be computed. */
export interface Order {
  readonly operation: Operation
  readonly request: ProofTerms["request"]
}

/** The terms of a computation that begins now, by the settings of this process, and what stands for its endpoints. */
export const termsOf = (
  served: ServedNetwork,
  { operation, request }: Order
) =>
  Effect.gen(function*() {
    const { network, passphrase, sandbox } = served.address
    const files = yield* documents(served)
    const explorer = yield* explorerUrl(`${network.toUpperCase()}_EXPLORER_URL`)
    const standIns: NetworkStandIns = standInsOf(served.address, Option.getOrNull(explorer))
    const { mediator } = yield* Effect.provide(MediatorSigner, Layer.fresh(served.mediator))
    const terms: ProofTerms = {
      operation,
      request,
      date: yield* Clock.currentTimeMillis,
      network,
      passphrase,
      sandbox,
      rpcUrls: [standIns.rpc[0].shown.href, ...standIns.rpc.slice(1).map(({ shown }) => shown.href)],
      ledgerApiUrls: standIns.ledgerApi.map(({ shown }) => shown.href),
      mediator: Option.getOrNull(Option.map(mediator, ({ address }) => address)),
      settings: Object.fromEntries([
        ...yield* valuesOf(settingsOf(network)),
        ...files.map(([setting, file]) => [setting, file] as const),
        ...(standIns.explorer === null ? [] : [[`${network.toUpperCase()}_EXPLORER_URL`, standIns.explorer.shown.href] as const])
      ]),
      files: Object.fromEntries(files.map(([, file, text]) => [file, text])),
      scans: {}
    }
    return { terms, standIns: [...standIns.rpc, ...standIns.ledgerApi, ...(standIns.explorer === null ? [] : [standIns.explorer])] }
  })
