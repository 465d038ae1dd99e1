import type { HttpClient } from "@effect/platform"
import { Config, ConfigError, Effect, Either, Layer, Option, Tracer } from "effect"
import { OtlpSpan } from "./OtlpSpan.ts"
import { spanExport } from "./SpanExport.ts"

const name = "OTEL_EXPORTER_OTLP_ENDPOINT"

/** `OTEL_EXPORTER_OTLP_ENDPOINT`: a collector of traces; none where it is not set. */
export const collectorSetting: Config.Config<Option.Option<URL>> = Config.option(
  Config.nonEmptyString(name).pipe(
    Config.mapOrFail((text) =>
      URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
        ? Either.right(new URL(text))
        : Either.left(ConfigError.InvalidData([name], "must be an http or https URL"))
    )
  )
)

const collected = (collector: URL) =>
  Effect.map(spanExport(collector), (ended) =>
    Layer.setTracer(Tracer.make({
      span: (...[name, parent, context, links, startTime, kind]) => new OtlpSpan({ name, parent, context, links, startTime, kind }, ended),
      context: (run) => run()
    })))

/**
 * Spans of requests, of calls of sources and of decoders, by OTLP over HTTP to a collector, where one is set. Without one no span is made
 * anywhere, which costs nothing.
 */
export const layer: Layer.Layer<never, ConfigError.ConfigError, HttpClient.HttpClient> = Layer.unwrapScoped(
  Effect.flatMap(
    collectorSetting,
    (setting) => Option.match(setting, { onNone: () => Effect.succeed(Layer.setTracerEnabled(false)), onSome: collected })
  )
)
