import { Config, ConfigError, Either } from "effect"

/** The bounds of a setting, both included, and what holds where it is not set. */
export interface WholeNumberBounds {
  readonly least: number
  readonly most: number
  readonly usual: number
}

const form = /^[0-9]{1,15}$/

/** A setting that is a whole number. What is wrong with it is reported with its name. */
export const wholeNumberSetting = (name: string, { least, most, usual }: WholeNumberBounds): Config.Config<number> =>
  Config.string().pipe(
    Config.mapOrFail((text) => {
      const value = form.test(text.trim()) ? Number(text) : Number.NaN
      return value >= least && value <= most
        ? Either.right(value)
        : Either.left(ConfigError.InvalidData([], `must be a whole number from ${least} to ${most}`))
    }),
    Config.nested(name),
    Config.withDefault(usual)
  )
