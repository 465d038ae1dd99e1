import { Config, ConfigError, Context, Either, Layer, Schema } from "effect"
import { AccountAddress } from "../../domain/Address.ts"
import type { Network } from "../../domain/Network.ts"

const isAddress = Schema.is(AccountAddress)

const addresses = (name: string): Config.Config<ReadonlyArray<AccountAddress>> =>
  Config.withDefault(Config.string(name), "").pipe(
    Config.mapOrFail((text) => {
      const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "")
      return parts.every((part) => isAddress(part))
        ? Either.right(parts)
        : Either.left(ConfigError.InvalidData([name], "must be a comma-separated list of account addresses (G...)"))
    })
  )

/** `MAINNET_MEDIATOR_FORMER` or `TESTNET_MEDIATOR_FORMER`. */
export const formerMediatorsSetting = (network: Network): string => `${network.toUpperCase()}_MEDIATOR_FORMER`

/** Addresses that the mediator of a network had before its key was changed: a close that went through one of them is still a close. */
export class FormerMediators extends Context.Tag("closeout/close/FormerMediators")<FormerMediators, ReadonlyArray<AccountAddress>>() {
  /** `MAINNET_MEDIATOR_FORMER` or `TESTNET_MEDIATOR_FORMER`; none by default. */
  static readonly layerConfig = (network: Network): Layer.Layer<FormerMediators, ConfigError.ConfigError> =>
    Layer.effect(FormerMediators, addresses(formerMediatorsSetting(network)))
}
