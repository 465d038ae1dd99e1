import { Keypair, type xdr } from "@stellar/stellar-sdk"
import { Config, ConfigError, Context, Effect, Layer, Option, Redacted } from "effect"
import { AccountAddress } from "../../domain/Address.ts"
import type { Network } from "../../domain/Network.ts"

/** An account that can sign for itself, without its key ever being shown. */
export interface SigningAccount {
  readonly address: AccountAddress
  /** Signs the 32-byte hash of a transaction. The only thing the key is used for. */
  readonly sign: (hash: Uint8Array) => Effect.Effect<xdr.DecoratedSignature>
}

const ofSecret = (secret: Redacted.Redacted): Effect.Effect<SigningAccount, string> =>
  Effect.try({
    try: () => {
      const pair = Keypair.fromSecret(Redacted.value(secret))
      const address = AccountAddress.make(pair.publicKey())
      return { address, sign: (hash: Uint8Array) => Effect.sync(() => pair.signDecorated(hash)) }
    },
    // What was thrown may quote the text that was given.
    catch: () => "must be a secret seed: S and 55 characters with a valid checksum"
  })

/** The setting that holds the mediator's secret seed on a network. */
export const mediatorSecretSetting = (network: Network): string => `${network.toUpperCase()}_MEDIATOR_SECRET`

/**
 * The account that passes lumens on to exchanges that credit payments but no merges. To keep its key elsewhere, in an HSM or a key
 * management service, provide this tag with a layer of your own.
 */
export class MediatorSigner extends Context.Tag("closeout/close/MediatorSigner")<MediatorSigner, {
  /** None: this network has no mediator. */
  readonly mediator: Option.Option<SigningAccount>
}>() {
  /** A network without a mediator. */
  static readonly layerNone: Layer.Layer<MediatorSigner> = Layer.succeed(MediatorSigner, { mediator: Option.none() })

  /** The key in the memory of this process. A text that is no secret seed is a defect that does not show it. */
  static readonly layerSecret = (secret: Redacted.Redacted): Layer.Layer<MediatorSigner> =>
    Layer.effect(MediatorSigner, Effect.map(Effect.orDie(ofSecret(secret)), (mediator) => ({ mediator: Option.some(mediator) })))

  /** `MAINNET_MEDIATOR_SECRET` or `TESTNET_MEDIATOR_SECRET`; no mediator when it is unset. */
  static readonly layerConfig = (network: Network): Layer.Layer<MediatorSigner, ConfigError.ConfigError> =>
    Layer.effect(
      MediatorSigner,
      Config.option(Config.redacted(Config.nonEmptyString(mediatorSecretSetting(network)))).pipe(
        Effect.flatMap(Option.match({
          onNone: () => Effect.succeedNone,
          onSome: (secret) =>
            Effect.asSome(
              Effect.mapError(ofSecret(secret), (problem) => ConfigError.InvalidData([mediatorSecretSetting(network)], problem))
            )
        })),
        Effect.map((mediator) => ({ mediator }))
      )
    )
}
