import { Config, type Option, Schema } from "effect"
import { TransactionHash } from "../../domain/Ledger.ts"
import type { Network } from "../../domain/Network.ts"

/** `MAINNET_MEDIATOR_CHECKED_UNTIL` or `TESTNET_MEDIATOR_CHECKED_UNTIL`. */
export const checkedUntilSetting = (network: Network): string => `${network.toUpperCase()}_MEDIATOR_CHECKED_UNTIL`

/** The newest transaction of the mediator's account that a person has looked at; none when it is unset. */
export const checkedUntil = (network: Network): Config.Config<Option.Option<TransactionHash>> =>
  Config.option(Config.validate(Config.nonEmptyString(checkedUntilSetting(network)), {
    message: "must be a transaction hash (64 lower-case hex characters)",
    validation: Schema.is(TransactionHash)
  }))
