import { Config, ConfigError, Either, Option, Schema } from "effect"
import { TransactionHash } from "../../domain/Ledger.ts"
import type { Network } from "../../domain/Network.ts"

const isHash = Schema.is(TransactionHash)

/** `MAINNET_MEDIATOR_CHECKED_UNTIL` or `TESTNET_MEDIATOR_CHECKED_UNTIL`. */
export const checkedUntilSetting = (network: Network): string => `${network.toUpperCase()}_MEDIATOR_CHECKED_UNTIL`

/** The newest transaction of the mediator's account that a person has looked at; none when it is unset. */
export const checkedUntil = (network: Network): Config.Config<Option.Option<TransactionHash>> => {
  const name = checkedUntilSetting(network)
  return Config.option(Config.nonEmptyString(name)).pipe(
    Config.mapOrFail(Option.match({
      onNone: () => Either.right(Option.none()),
      onSome: (text) =>
        isHash(text)
          ? Either.right(Option.some(text))
          : Either.left(ConfigError.InvalidData([name], "must be a transaction hash (64 lower-case hex characters)"))
    }))
  )
}
