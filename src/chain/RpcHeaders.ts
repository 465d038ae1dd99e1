import { Config, ConfigError, Either, Redacted } from "effect"

/** A header that an endpoint of the contract RPC asks for, as providers do for their keys. */
export interface RpcHeader {
  readonly name: string
  readonly value: Redacted.Redacted
}

/** The headers of endpoints, by their URL as `NetworkSettings` has it; an endpoint without one is not in it. */
export type RpcHeaders = ReadonlyMap<URL, RpcHeader>

/** `Name: value`, both of visible ASCII. */
const headerPattern = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/

/** Names that the exchange itself sets. */
const own = new Set([
  "accept",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

const headerIn = (text: string): RpcHeader | null => {
  const [, name = "", value = ""] = headerPattern.exec(text) ?? []
  return name === "" || own.has(name.toLowerCase()) ? null : { name, value: Redacted.make(value) }
}

/**
 * A comma list of `Name: value`; an empty entry is null, an endpoint that needs none. A value is a secret, is never shown, and has no comma.
 * Empty when unset.
 */
export const headerList = (name: string): Config.Config<ReadonlyArray<RpcHeader | null>> =>
  Config.withDefault(Config.redacted(name), Redacted.make("")).pipe(
    Config.mapOrFail((setting) => {
      const text = Redacted.value(setting).trim()
      const entries = text === "" ? [] : text.split(",").map((entry) => entry.trim())
      const headers = entries.map((entry) => (entry === "" ? null : headerIn(entry)))
      return headers.every((header, at) => header !== null || entries[at] === "")
        ? Either.right(headers)
        : Either.left(ConfigError.InvalidData([name], "must be a comma-separated list of `Name: value`"))
    })
  )

/** The headers of some endpoints, given in their order; null where there is not one entry for each. */
export const headersOf = (urls: ReadonlyArray<URL>, list: ReadonlyArray<RpcHeader | null>): RpcHeaders | null => {
  if (list.length > 0 && list.length !== urls.length) return null
  return new Map(urls.flatMap((url, at) => {
    const header = list[at] ?? null
    return header === null ? [] : [[url, header] as const]
  }))
}
