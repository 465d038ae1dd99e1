import { Options } from "@effect/cli"
import type { Keypair } from "@stellar/stellar-sdk/base"
import { Config, Effect, Option, Redacted } from "effect"
import { readFileSync } from "node:fs"
import type { CloseOptions } from "../client/CloseOptions.ts"
import { serviceClient } from "../client/ServiceClient.ts"
import type { WitnessUrls } from "../client/WitnessSource.ts"
import { contractBookOf, type ContractsFile } from "../verify/ContractBook.ts"
import { wrongInput } from "./CommandFailed.ts"
import { loaded } from "./Loaded.ts"
import { textOf } from "./Secrets.ts"
import { witnessUrls } from "./WitnessKind.ts"

const embeddedAccounts = ["classic", "plain", "positions"] as const

const orVariable = (option: Options.Options<string>, variable: string) =>
  option.pipe(Options.withFallbackConfig(Config.string(variable)), Options.optional)

/** The service, and its network. */
export const connectionOptions = {
  url: orVariable(
    Options.text("url").pipe(
      Options.withDescription("The service's address. Also: CLOSEOUT_URL. Its API key is read from CLOSEOUT_API_KEY")
    ),
    "CLOSEOUT_URL"
  ),
  apiKeyFd: Options.integer("api-key-fd").pipe(
    Options.withDescription("The file descriptor that the API key is read from, in place of CLOSEOUT_API_KEY"),
    Options.optional
  ),
  network: Options.choice("network", ["testnet", "mainnet"]).pipe(
    Options.withDescription("The network. Also: CLOSEOUT_NETWORK"),
    Options.withFallbackConfig(Config.literal("testnet", "mainnet")("CLOSEOUT_NETWORK")),
    Options.withDefault("testnet")
  ),
  passphrase: orVariable(
    Options.text("passphrase").pipe(
      Options.withDescription("The network's passphrase, where it is neither of the two public ones. Also: CLOSEOUT_PASSPHRASE")
    ),
    "CLOSEOUT_PASSPHRASE"
  ),
  contracts: Options.file("contracts", { exists: "yes" }).pipe(
    Options.withDescription("A contracts file: the contracts that calls may reach. Default: the list of this package"),
    Options.optional
  ),
  embedded: Options.boolean("embedded").pipe(
    Options.withDescription("Start a service of its own in this process, with a sandbox network, and use that")
  ),
  account: Options.choice("embedded-account", embeddedAccounts).pipe(
    Options.withDescription(
      "The account of the embedded sandbox: a bit of everything classic, lumens only, or positions in every protocol"
    ),
    Options.withDefault("classic")
  ),
  witness: Options.text("witness").pipe(
    Options.withDescription(
      "A ledger API or a contract RPC of your own. Sequence, balance and prices are then read there. May be repeated"
    ),
    Options.repeated
  )
}

export const jsonOption = Options.boolean("json").pipe(Options.withDescription("Write JSON for machines, and ask nothing"))

export interface ConnectionInput {
  readonly url: Option.Option<string>
  readonly apiKeyFd: Option.Option<number>
  readonly network: "testnet" | "mainnet"
  readonly passphrase: Option.Option<string>
  readonly contracts: Option.Option<string>
  readonly embedded: boolean
  readonly account: (typeof embeddedAccounts)[number]
  readonly witness: ReadonlyArray<string>
}

/** The parts of a close's options that say where the service is, and what is known of the network. */
type Where = Pick<CloseOptions, "baseUrl" | "apiKey" | "network" | "networkPassphrase" | "contracts" | "witness">

/** A service that can be called. */
export interface Connection {
  readonly where: Where
  /** The test account of an embedded sandbox; null: another service is used. */
  readonly prepared: { readonly name: string; readonly source: Keypair; readonly destination: Keypair } | null
}

const keyFrom = ({ apiKeyFd }: ConnectionInput) =>
  Effect.gen(function*() {
    if (Option.isSome(apiKeyFd)) return (yield* textOf(apiKeyFd.value)).trim()
    const key = yield* Effect.orDie(Config.option(Config.redacted("CLOSEOUT_API_KEY")))
    return Option.match(key, { onNone: () => "", onSome: Redacted.value })
  })

const isContractsFile = (value: unknown): value is ContractsFile =>
  typeof value === "object" && value !== null && "protocols" in value && "tokens" in value && typeof value.protocols === "object"

const bookIn = (file: string) =>
  Effect.flatMap(
    Effect.try({
      try: (): unknown => JSON.parse(readFileSync(file, "utf8")),
      catch: () => wrongInput(`${file} is no JSON file.`)
    }),
    (value) => (isContractsFile(value) ? Effect.succeed(contractBookOf(value)) : Effect.fail(wrongInput(`${file} is no contracts file.`)))
  )

/** Starts a service with a sandbox until the scope closes, with the account of it that was named. */
export const embeddedService = ({ account }: ConnectionInput) =>
  Effect.gen(function*() {
    const { startEmbedded } = yield* loaded("The embedded service is made", () => import("../serving/EmbeddedService.ts"))
    const service = yield* startEmbedded({ protocols: account === "positions" })
    const prepared = service.accounts[embeddedAccounts.indexOf(account)]
    return prepared === undefined ? yield* Effect.dieMessage("the sandbox has no such account") : { service, prepared }
  })

const embedded = (input: ConnectionInput) =>
  Effect.gen(function*() {
    const { prepared, service } = yield* embeddedService(input)
    const connection: Connection = {
      where: {
        baseUrl: service.url,
        apiKey: service.key,
        network: "testnet",
        networkPassphrase: service.passphrase,
        contracts: contractBookOf(service.contracts),
        witness: { rpcUrl: service.rpcUrl, ledgerApiUrl: service.ledgerApiUrl }
      },
      prepared
    }
    return connection
  })

const witnessOf = (urls: ReadonlyArray<string>) =>
  urls.length === 0
    ? Effect.succeed<{ readonly witness?: WitnessUrls }>({})
    : Effect.map(witnessUrls(urls), (witness) => ({ witness }))

/** Finds the service that is to be used, or starts one until the scope closes. */
export const connected = (input: ConnectionInput) =>
  Effect.gen(function*() {
    if (input.embedded) return yield* embedded(input)
    if (Option.isNone(input.url)) {
      return yield* wrongInput("Name the service by --url or CLOSEOUT_URL, or add --embedded to try it on a sandbox.")
    }
    if (!URL.canParse(input.url.value)) return yield* wrongInput("--url is no address, for instance https://closeout.example.")
    const apiKey = yield* keyFrom(input)
    const connection: Connection = {
      where: {
        baseUrl: input.url.value,
        network: input.network,
        ...(apiKey === "" ? {} : { apiKey }),
        ...(Option.isSome(input.passphrase) ? { networkPassphrase: input.passphrase.value } : {}),
        ...(Option.isSome(input.contracts) ? { contracts: yield* bookIn(input.contracts.value) } : {}),
        ...(yield* witnessOf(input.witness))
      },
      prepared: null
    }
    return connection
  })

/** The same with the typed client of the service. */
export const connectedClient = (input: ConnectionInput) =>
  Effect.flatMap(connected(input), (connection) => Effect.map(serviceClient(connection.where), (client) => ({ ...connection, client })))
