import { HttpClient } from "@effect/platform"
import { type ConfigError, Effect, Layer, Option, Redacted, Ref, type Scope, type Tracer } from "effect"
import { type Collector, collectorSetting } from "./CollectorSettings.ts"
import { maskedTracer } from "./MaskedTracer.ts"

/** How often spans are sent. */
const exportInterval = "2 seconds"

/** How long a collector is waited for; at the end of the process, how long it is waited for in all. */
const patience = "5 seconds"

/** A client that logs once when the collector stops taking traces, and once when it takes them again. */
const telling = (client: HttpClient.HttpClient, { origin }: URL) =>
  Effect.map(Ref.make(true), (takes) => {
    const changed = (taken: boolean, line: Effect.Effect<void>) =>
      Effect.flatMap(Ref.getAndSet(takes, taken), (before) =>
        before === taken ? Effect.void : Effect.annotateLogs(line, { collector: origin }))
    const lost = changed(false, Effect.logWarning("traces are lost: their collector does not take them"))
    const taken = changed(true, Effect.logInfo("traces are taken again"))
    return HttpClient.transform(HttpClient.filterStatusOk(client), (answer) =>
      Effect.timeoutFail(answer, {
        duration: patience,
        onTimeout: () =>
          new Error("the collector does not answer")
      }).pipe(
        Effect.orDie,
        Effect.tapErrorCause(() => lost),
        Effect.tap(() => taken)
      ))
  })

/** Loaded only where there is a collector: most services have none. */
const tracerFor = (
  { headers, resource, url }: Collector,
  serviceVersion: string
): Effect.Effect<Tracer.Tracer, never, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function*() {
    const [{ make }, { layerJson }] = yield* Effect.promise(() =>
      Promise.all([import("@effect/opentelemetry/OtlpTracer"), import("@effect/opentelemetry/OtlpSerialization")])
    )
    const client = yield* telling(yield* HttpClient.HttpClient, url)
    const tracer = yield* make({
      url: url.href,
      headers: Redacted.value(headers),
      resource: { serviceVersion, ...resource },
      exportInterval,
      shutdownTimeout: patience
    }).pipe(Effect.provide(layerJson), Effect.provideService(HttpClient.HttpClient, client))
    return maskedTracer(tracer)
  })

/**
 * Spans of requests, of calls of sources and of decoders, sent by OTLP over HTTP to a collector, where one is set. Without one no span is made
 * anywhere, which costs nothing.
 */
export const layer = (serviceVersion: string): Layer.Layer<never, ConfigError.ConfigError, HttpClient.HttpClient> =>
  Layer.unwrapScoped(
    Effect.flatMap(
      collectorSetting,
      Option.match({
        onNone: () => Effect.succeed(Layer.setTracerEnabled(false)),
        onSome: (collector) => Effect.map(tracerFor(collector, serviceVersion), Layer.setTracer)
      })
    )
  )
