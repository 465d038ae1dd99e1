import { Config, ConfigError, Effect, Option } from "effect"

const invalid = () => ConfigError.InvalidData(["PUBLIC_URL"], "must be the service's address as people see it, https://keys.example.org")

const isWeb = ({ host, protocol }: URL): boolean => (protocol === "https:" || protocol === "http:") && host.length <= 59

/** `PUBLIC_URL`: the service's address as people see it; none where it is not set. */
export const publicUrlSetting: Effect.Effect<Option.Option<URL>, ConfigError.ConfigError> = Effect.flatMap(
  Config.option(Config.nonEmptyString("PUBLIC_URL")),
  Option.match({
    onNone: () => Effect.succeedNone,
    onSome: (text) => (URL.canParse(text) && isWeb(new URL(text)) ? Effect.succeedSome(new URL(text)) : Effect.fail(invalid()))
  })
)
