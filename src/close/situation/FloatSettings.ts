import { Config, ConfigError, Context, Effect, Either, Layer } from "effect"
import { parseAmount } from "../../domain/Amount.ts"

const lumens = (name: string, otherwise: string) =>
  Config.nonEmptyString(name).pipe(
    Config.withDefault(otherwise),
    Config.mapOrFail((text) => {
      const amount = parseAmount(text)
      return amount === null
        ? Either.left(ConfigError.InvalidData([name], "must be an amount of lumens, for example 1 or 0.5"))
        : Either.right(amount)
    })
  )

/** `MEDIATOR_WARN_FLOAT_LUMENS`, default 0.1; stroops. */
export const warnFloatSetting = lumens("MEDIATOR_WARN_FLOAT_LUMENS", "0.1")

/** `MEDIATOR_MAX_FLOAT_LUMENS`, default 1; stroops. */
export const mostFloatSetting = lumens("MEDIATOR_MAX_FLOAT_LUMENS", "1")

/** How many lumens the mediator may hold beyond its base reserve: all that can ever be lost through it. */
export class FloatSettings extends Context.Tag("closeout/close/FloatSettings")<FloatSettings, {
  /** Stroops above which health and metrics speak of it, and the surplus is moved. */
  readonly warn: bigint
  /** Stroops above which nothing is co-signed any more. */
  readonly max: bigint
}>() {
  /** `MEDIATOR_WARN_FLOAT_LUMENS`, default 0.1, and `MEDIATOR_MAX_FLOAT_LUMENS`, default 1. */
  static readonly layer: Layer.Layer<FloatSettings, ConfigError.ConfigError> = Layer.effect(
    FloatSettings,
    Effect.all({ warn: warnFloatSetting, max: mostFloatSetting })
  )
}
