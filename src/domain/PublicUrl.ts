import { Config, ConfigError, Effect, Option } from "effect"
import { httpUrlIn } from "./UrlSetting.ts"

const invalid = () =>
  ConfigError.InvalidData(
    ["PUBLIC_URL"],
    "must be the service's public address, without path or credentials: https://keys.example.org"
  )

/** Only an origin: links are made under it, wallets show its host, and credentials in it would be shown to everyone. */
const isOrigin = ({ hash, host, password, pathname, search, username }: URL): boolean =>
  host.length <= 59 && pathname === "/" && `${username}${password}${search}${hash}` === ""

/** `PUBLIC_URL`: the service's address as people see it; none where it is not set. */
export const publicUrlSetting: Effect.Effect<Option.Option<URL>, ConfigError.ConfigError> = Effect.flatMap(
  Config.option(Config.nonEmptyString("PUBLIC_URL")),
  Option.match({
    onNone: () => Effect.succeedNone,
    onSome: (text) => {
      const url = httpUrlIn(text)
      return url !== null && isOrigin(url) ? Effect.succeedSome(url) : Effect.fail(invalid())
    }
  })
)
