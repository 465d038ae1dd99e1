import { Config, ConfigError, Effect, Option, Redacted } from "effect"

/** A token that could be guessed would give everything away. */
const shortest = 16

/** A setting that is a bearer token; none where it is not set. One that is short or holds a blank is refused at start. */
export const tokenSetting = (name: string): Effect.Effect<Option.Option<Redacted.Redacted>, ConfigError.ConfigError> =>
  Effect.filterOrFail(
    Config.option(Config.redacted(Config.nonEmptyString(name))),
    Option.match({
      onNone: () => true,
      onSome: (token) => Redacted.value(token).length >= shortest && /^\S+$/.test(Redacted.value(token))
    }),
    () => ConfigError.InvalidData([name], `needs at least ${shortest} characters, none of them a blank`)
  )
