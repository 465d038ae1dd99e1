import { Config, ConfigError, Effect, Option } from "effect"

const invalid = () =>
  ConfigError.InvalidData(
    ["PUBLIC_URL"],
    "must be the service's address as people see it, without path or credentials: https://keys.example.org"
  )

/** Only an origin: links are made under it, wallets show its host, and credentials in it would be shown to everybody. */
const isWeb = ({ hash, host, origin, password, pathname, protocol, search, username }: URL): boolean =>
  (protocol === "https:" || protocol === "http:") && host.length <= 59 && origin !== "null" && pathname === "/" &&
  `${username}${password}${search}${hash}` === ""

/** `PUBLIC_URL`: the service's address as people see it; none where it is not set. */
export const publicUrlSetting: Effect.Effect<Option.Option<URL>, ConfigError.ConfigError> = Effect.flatMap(
  Config.option(Config.nonEmptyString("PUBLIC_URL")),
  Option.match({
    onNone: () => Effect.succeedNone,
    onSome: (text) => (URL.canParse(text) && isWeb(new URL(text)) ? Effect.succeedSome(new URL(text)) : Effect.fail(invalid()))
  })
)
