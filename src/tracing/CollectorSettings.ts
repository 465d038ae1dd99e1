import { Config, ConfigError, Either, Option, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { httpUrlSetting } from "../domain/UrlSetting.ts"

/** Where spans are sent by OTLP over HTTP, and the headers a collector wants. */
export interface Collector {
  readonly url: URL
  readonly headers: Redacted.Redacted<Readonly<Record<string, string>>>
  readonly resource: Resource
}

/** What tells this process apart; what `OTEL_RESOURCE_ATTRIBUTES` says already is left out. */
interface Resource {
  readonly serviceName?: string
  readonly attributes: Readonly<Record<string, string>>
}

const disabledName = "OTEL_SDK_DISABLED"
const baseName = "OTEL_EXPORTER_OTLP_ENDPOINT"
const tracesName = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
const headersName = "OTEL_EXPORTER_OTLP_HEADERS"
const serviceName = "OTEL_SERVICE_NAME"
const attributesName = "OTEL_RESOURCE_ATTRIBUTES"

/** The settings of a collector, which OpenTelemetry names. */
export const collectorNames = [baseName, tracesName, headersName, serviceName, attributesName, disabledName] as const

/** `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` as it is, else `OTEL_EXPORTER_OTLP_ENDPOINT` with the path for traces. */
const endpoint = Config.map(
  Config.all({ traces: Config.option(httpUrlSetting(tracesName)), base: Config.option(httpUrlSetting(baseName)) }),
  ({ base, traces }) =>
    Option.orElse(traces, () => Option.map(base, (set) => new URL(`${set.pathname.replace(/\/+$/, "")}/v1/traces`, set)))
)

const pairIn = (text: string): readonly [string, string] | null => {
  const [name = "", ...value] = text.split("=")
  if (!/^[\w.-]+$/.test(name.trim()) || value.length === 0) return null
  return Option.getOrNull(Option.liftThrowable(() => [name.trim(), decodeURIComponent(value.join("=").trim())] as const)())
}

/** `name=value` pairs between commas, each value as in a URL. */
const headers = Config.redacted(headersName).pipe(
  Config.mapOrFail((text) => {
    const pairs = Redacted.value(text).split(",").filter((pair) => pair.trim() !== "").map(pairIn)
    return pairs.includes(null)
      ? Either.left(ConfigError.InvalidData([headersName], "must be name=value pairs, separated by commas"))
      : Either.right(Redacted.make(Object.fromEntries(pairs.filter((pair) => pair !== null))))
  }),
  Config.withDefault(Redacted.make<Readonly<Record<string, string>>>({}))
)

/** The library reads `OTEL_RESOURCE_ATTRIBUTES` itself: what stands there is not said a second time. */
const resource = Config.map(
  Config.all({
    named: Config.option(Config.nonEmptyString(serviceName)),
    attributes: Config.withDefault(Config.string(attributesName), "")
  }),
  ({ attributes, named }): Resource => {
    const isSet = (name: string) => attributes.split(",").some((pair) => pair.trim().startsWith(`${name}=`))
    const name = Option.getOrUndefined(named) ?? (isSet("service.name") ? undefined : "account-closeout")
    return {
      ...(name === undefined ? {} : { serviceName: name }),
      attributes: isSet("service.instance.id") ? {} : { "service.instance.id": randomUUID() }
    }
  }
)

const disabled = Config.withDefault(Config.boolean(disabledName), false)

/** The collector of traces; none where no endpoint is set, or `OTEL_SDK_DISABLED` is true. */
export const collectorSetting: Config.Config<Option.Option<Collector>> = Config.map(
  Config.all({ url: endpoint, headers, resource, disabled }),
  ({ disabled: isOff, url, ...others }) => isOff ? Option.none() : Option.map(url, (set) => ({ ...others, url: set }))
)
