import type { FileSystem } from "@effect/platform"
import { Config, type ConfigError, Context, Effect, Layer, Option, Schema } from "effect"
import { Network } from "../domain/Network.ts"
import { ContractAddresses, TokenAddresses, type TokenContracts } from "./ContractAddresses.ts"
import { readRegistryFile, RegistryFileInvalid } from "./RegistryFile.ts"

/** The contents of a token list file: token contracts in which accounts of the network may hold something, the likeliest first. */
export const TokenListDocument = Schema.Struct({
  network: Network,
  tokens: TokenAddresses
})
export type TokenListDocument = typeof TokenListDocument.Type

const readFile = (network: Network, file: string) =>
  Effect.gen(function*() {
    const document = yield* readRegistryFile(file, TokenListDocument)
    if (document.network !== network) {
      return yield* new RegistryFileInvalid({ file, reason: `lists tokens of ${document.network}, not of ${network}` })
    }
    return document.tokens
  })

/** Token contracts in which every account of this network is looked for, the likeliest first; `none` where the network has no contract tokens at all. */
export class TokenLists extends Context.Tag("closeout/registry/TokenLists")<TokenLists, TokenContracts>() {
  /** From the file that `MAINNET_TOKENS_FILE` or `TESTNET_TOKENS_FILE` names, else the `tokens` of the contracts file. */
  static readonly layerFile = (
    network: Network
  ): Layer.Layer<TokenLists, RegistryFileInvalid | ConfigError.ConfigError, FileSystem.FileSystem | ContractAddresses> =>
    Layer.effect(
      TokenLists,
      Effect.gen(function*() {
        const file = yield* Config.option(Config.nonEmptyString(`${network.toUpperCase()}_TOKENS_FILE`))
        return Option.isNone(file) ? (yield* ContractAddresses).tokens : yield* readFile(network, file.value)
      })
    )

  /** The `tokens` of the contracts file. */
  static readonly layerContracts: Layer.Layer<TokenLists, never, ContractAddresses> = Layer.effect(
    TokenLists,
    Effect.map(ContractAddresses, ({ tokens }) => tokens)
  )
}
