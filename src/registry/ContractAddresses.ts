import type { FileSystem } from "@effect/platform"
import { Config, type ConfigError, Context, Effect, Layer, Option, Schema } from "effect"
import { ContractAddress } from "../domain/Address.ts"
import { textLeaf } from "../domain/Leaf.ts"
import { Network } from "../domain/Network.ts"
import { optional } from "../domain/OptionalField.ts"
import { OutsideProtocol, OwnProtocol, ownProtocols } from "../domain/ProtocolName.ts"
import mainnet from "./contracts.mainnet.json" with { type: "json" }
import testnet from "./contracts.testnet.json" with { type: "json" }
import { decodeRegistryFile, readRegistryFile, RegistryFileInvalid } from "./RegistryFile.ts"

const isDistinct = (all: ReadonlyArray<string>): boolean => new Set(all).size === all.length

/** The contracts of one protocol by their role, each once, or `none` when the protocol does not exist on the network. */
export const ProtocolContracts = Schema.Union(
  Schema.Literal("none"),
  Schema.Record({ key: Schema.String, value: Schema.NonEmptyArray(ContractAddress) }).pipe(
    Schema.filter((roles) => Object.keys(roles).length > 0 || "at least one role, or none"),
    // A contract that is read twice makes two positions of one.
    Schema.filter((roles) => isDistinct(Object.values(roles).flat()) || "each address once")
  )
)
export type ProtocolContracts = typeof ProtocolContracts.Type

/** The most token contracts that one read of an account queries, from all sources together. */
const mostTokens = 100

/** Token contracts in which accounts of the network may hold something, each once, the likeliest first. */
export const TokenAddresses = Schema.NonEmptyArray(ContractAddress).pipe(
  Schema.filter((tokens) => tokens.length <= mostTokens || `at most ${mostTokens} tokens`),
  Schema.filter((tokens) => isDistinct(tokens) || "each token once")
)

/** Token contracts worth asking for a balance, or `none` when the network has no contract tokens at all. */
export const TokenContracts = Schema.Union(Schema.Literal("none"), TokenAddresses)
export type TokenContracts = typeof TokenContracts.Type

/** SHA-256 of a contract's wasm: 64 lower-case hex characters. */
export const WasmHash = textLeaf("WasmHash", { pattern: "^[0-9a-f]{64}$" })
export type WasmHash = typeof WasmHash.Type

/**
 * The code that each decoder was written for, by what it is (`poolV1`, `vaults`): code that is not listed is neither read nor called.
 * One hash stands for one thing only.
 */
export const ProtocolCode = Schema.Record({ key: Schema.String, value: Schema.NonEmptyArray(WasmHash) }).pipe(
  Schema.filter((kinds) => isDistinct(Object.values(kinds).flat()) || "each hash once")
)
export type ProtocolCode = typeof ProtocolCode.Type

/**
 * For each contract that deploys others and keeps no list of them, the ledger up to which the file lists every one. Only who has read all its
 * events can say that (`npm run contracts:scan`); of a contract that is left out nothing is claimed.
 */
export const ListedTo = Schema.Record({
  // A record takes texts that a filter narrows, and no schema of one step, for its keys.
  key: Schema.String.pipe(Schema.filter(Schema.is(ContractAddress))),
  value: Schema.NonNegativeInt
})
export type ListedTo = typeof ListedTo.Type

/** No protocol at all. */
export const noContracts = Schema.decodeUnknownSync(Schema.Record({ key: OwnProtocol, value: Schema.Literal("none") }))(
  Object.fromEntries(ownProtocols.map((name) => [name, "none"]))
)

/** The contracts of each protocol. Ours are all declared, so that a forgotten one is not taken for absent; others declare their own. */
const ContractsByProtocol = Schema.extend(
  Schema.Record({ key: OwnProtocol, value: ProtocolContracts }),
  Schema.Record({ key: OutsideProtocol, value: ProtocolContracts })
)

const CodeByProtocol = Schema.extend(
  Schema.partialWith(Schema.Record({ key: OwnProtocol, value: ProtocolCode }), { exact: true }),
  Schema.Record({ key: OutsideProtocol, value: ProtocolCode })
)

/** The contents of a contracts file. */
export const ContractsDocument = Schema.Struct({
  network: Network,
  protocols: ContractsByProtocol,
  /** What is left out has no known code. */
  code: optional(CodeByProtocol),
  listedTo: optional(ListedTo),
  tokens: TokenContracts
})
export type ContractsDocument = typeof ContractsDocument.Type

const shipped: Readonly<Record<Network, unknown>> = { mainnet, testnet }

const fileSetting = (network: Network) => Config.option(Config.nonEmptyString(`${network.toUpperCase()}_CONTRACTS_FILE`))

const fromFile = (network: Network) =>
  Effect.gen(function*() {
    const set = yield* fileSetting(network)
    const file = Option.getOrElse(set, () => `contracts.${network}.json`)
    const document = Option.isSome(set)
      ? yield* readRegistryFile(file, ContractsDocument)
      : yield* decodeRegistryFile(file, ContractsDocument, shipped[network])
    if (document.network !== network) {
      return yield* new RegistryFileInvalid({ file, reason: `declares the contracts of ${document.network}, not of ${network}` })
    }
    return document
  })

/**
 * Where the protocols and token contracts of this network live.
 * `none` counts as read and empty; addresses without a decoder block every merge.
 */
export class ContractAddresses extends Context.Tag("closeout/registry/ContractAddresses")<ContractAddresses, {
  /** Contracts of each protocol by role, or `none`. */
  readonly protocols: ContractsDocument["protocols"]
  /** The code that decoders may read and call, by protocol and kind. */
  readonly code?: NonNullable<ContractsDocument["code"]>
  /** Ledgers up to which the file lists what a contract deployed. */
  readonly listedTo?: ListedTo
  /** Known token contracts, or `none`. */
  readonly tokens: TokenContracts
}>() {
  /** From the file that `MAINNET_CONTRACTS_FILE` or `TESTNET_CONTRACTS_FILE` names, else the shipped one. */
  static readonly layerFile = (
    network: Network
  ): Layer.Layer<ContractAddresses, RegistryFileInvalid | ConfigError.ConfigError, FileSystem.FileSystem> =>
    Layer.effect(ContractAddresses, fromFile(network))

  /** From a value. */
  static readonly layerValue = (value: Omit<ContractsDocument, "network">): Layer.Layer<ContractAddresses> =>
    Layer.succeed(ContractAddresses, value)

  /** Nothing is deployed: what the embedded sandbox declares. */
  static readonly layerNone: Layer.Layer<ContractAddresses> = ContractAddresses.layerValue({
    protocols: noContracts,
    tokens: "none"
  })
}
