import { Config, ConfigError, Either } from "effect"

/** The URL that a text is, with a host and one of these schemes; null for any other text. */
export const urlIn = (text: string, schemes: ReadonlyArray<string>): URL | null => {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  return url.hostname !== "" && schemes.includes(url.protocol.slice(0, -1)) ? url : null
}

/** The URL that a text is where it begins with http or https; null for any other text. */
export const httpUrlIn = (text: string): URL | null => urlIn(text, ["http", "https"])

/** A setting that is an http or https URL. Fails with `MissingData` where it is not set or empty. */
export const httpUrlSetting = (name: string): Config.Config<URL> =>
  Config.nonEmptyString(name).pipe(
    Config.mapOrFail((text) => Either.fromNullable(httpUrlIn(text), () => ConfigError.InvalidData([name], "must be an http or https URL")))
  )

/** A setting that is a comma list of http or https URLs; no URL where it is not set or empty. */
export const httpUrlsSetting = (name: string): Config.Config<ReadonlyArray<URL>> =>
  Config.withDefault(Config.string(name), "").pipe(
    Config.mapOrFail((text) => {
      const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "")
      const urls = parts.map(httpUrlIn).filter((url) => url !== null)
      return urls.length === parts.length
        ? Either.right(urls)
        : Either.left(ConfigError.InvalidData([name], "must be a comma-separated list of http or https URLs"))
    })
  )
