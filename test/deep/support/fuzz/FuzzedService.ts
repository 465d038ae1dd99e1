import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { Serving } from "../../../../src/serving/Serving.ts"
import type { PlanBody } from "../../../close/support/Client.ts"
import { closingBy, openedBy } from "../../../keys/support/Proving.ts"
import { startTestService, type TestService } from "../../../support/TestService.ts"
import type { Pools } from "./NearlyValid.ts"

const adminToken = "the-operators-token-of-the-fuzzed-service"

/** Tokens for the callers, by the beginning of a route; the first match counts. */
interface Bearers {
  readonly admin: string
  readonly session: string
  readonly close: string
  readonly key: string
}

/** The token for a route. */
export const bearerFor = (path: string, { admin, close, key, session }: Bearers): string => {
  if (/^\/(admin|metrics)/.test(path)) return `Bearer ${admin}`
  if (path.startsWith("/keys/")) return `Bearer ${session}`
  return `Bearer ${path.startsWith("/close/") ? close : key}`
}

const distinct = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]

/** The subjects of requests: accounts of the sandbox, decisions of their plans, built envelopes. */
const poolsOf = (service: TestService) =>
  Effect.gen(function*() {
    const { call, mediator, prepared, serving } = service
    const pairs = prepared.map(({ destination, source }) => ({ source: source.publicKey(), destination: destination.publicKey() }))
    const plans = yield* Effect.forEach(pairs, (pair) =>
      Effect.map(call<PlanBody>("POST", "/v1/testnet/close/plan", pair), ({ body }) => body))
    const points = plans.flatMap(({ decisionPoints }) =>
      decisionPoints
    )
    const built = yield* Effect.forEach(plans, ({ decisionPoints }, at) =>
      Effect.map(
        call<{ readonly transactions?: ReadonlyArray<{ readonly xdr: string; readonly hash: string }> }>(
          "POST",
          "/v1/testnet/close/transactions",
          {
            ...pairs[at],
            decisions: decisionPoints.flatMap(({ id, options: [option] }) =>
              option === undefined || option.needs.length > 0
                ? []
                : [{ id, choice: option.id, ...(option.params === undefined ? {} : { params: option.params }) }]
            )
          }
        ),
        ({ body }) => body.transactions ?? []
      ))
    const challenge = yield* call<{ readonly transaction: string }>(
      "POST",
      "/keys/challenge",
      { network: "testnet", address: pairs[0]?.source ?? "" },
      { authorization: "" }
    )
    const exchanges = serving.sandbox?.registry.entries.map(({ address }) => address) ?? []
    const accounts = distinct([
      ...pairs.flatMap(({ destination, source }) => [source, destination]),
      ...exchanges,
      mediator,
      Keypair.random().publicKey()
    ])
    const sources = pairs.map(({ source }) => source)
    const envelopes = built.flat()
    const contracts = distinct(points.flatMap(({ id }) => /C[A-Z2-7]{55}/.exec(id) ?? []))
    const assets = distinct([
      "native",
      ...points.flatMap(({ id }) => /^asset:(.*)$/.exec(id)?.slice(1) ?? []).map((one) => one.replace("-", ":"))
    ])
    const hashes = distinct([...envelopes.map(({ hash }) => hash), "0".repeat(64)])
    const xdr = [...envelopes.map((one) => one.xdr), challenge.body.transaction]
    const pools: Pools = {
      schemas: {
        AccountAddress: accounts,
        DestinationAddress: accounts,
        ContractAddress: contracts,
        AssetId: assets,
        Network: ["testnet", "testnet", "testnet", "mainnet"],
        TransactionHash: hashes
      },
      fields: {
        source: sources,
        address: accounts,
        owner: accounts,
        token: contracts,
        spender: [...contracts, ...accounts],
        id: distinct(points.map(({ id }) => id)),
        choice: distinct(points.flatMap(({ options }) => options.map(({ id }) => id))),
        network: ["testnet", "testnet", "testnet", "mainnet"],
        mergeHash: hashes,
        planHash: plans.map(({ planHash }) => planHash ?? ""),
        signedXdr: xdr,
        transaction: xdr,
        xdr,
        method: ["initialize", "ping", "tools/list", "tools/call", "notifications/initialized"]
      }
    }
    return pools
  })

/** The service over a sandbox with every protocol, with the subjects of requests, and a token for each kind of route. */
export const fuzzedService = Effect.gen(function*() {
  const service = yield* startTestService({
    RATE_LIMIT: "1000000",
    ADMIN_TOKEN: adminToken,
    METRICS_TOKEN: adminToken,
    SEP10_SECRET: Keypair.random().secret(),
    PUBLIC_URL: "https://close.example.org/"
  }, Serving.layerWith({ closeEvery: "1 second", protocols: true, accounts: true }))
  const [first] = service.prepared
  if (first === undefined) return yield* Effect.dieMessage("no account is prepared")
  const address = first.source.publicKey()
  const { token: session } = yield* openedBy(service, address, first.source)
  const { token: close } = yield* closingBy(service, address, first.source)
  const bearers: Bearers = { admin: adminToken, session, close, key: service.key }
  return { ...service, bearers, pools: yield* poolsOf(service) }
})
