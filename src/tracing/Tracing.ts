import { HttpClient } from "@effect/platform"
import { Cause, type ConfigError, Effect, Exit, Layer, Option, Redacted, Ref, type Scope, Tracer } from "effect"
import { maskedIn } from "../domain/MaskedAddress.ts"
import { type Collector, collectorSetting } from "./CollectorSettings.ts"

/** Attributes that libraries set and that are not sent: the text of a query, which may hold what it asks for. */
const dropped: ReadonlySet<string> = new Set(["db.query.text"])

/** Longest value of an attribute, in characters. */
const longest = 200

const shown = (value: unknown): unknown =>
  typeof value === "number" || typeof value === "boolean" ? value : maskedIn(String(value).slice(0, longest))

/** Only what kind of failure it was: its message may quote what a caller or a source sent. */
const byKind = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return Exit.void
  const failure = Cause.squash(exit.cause)
  return Exit.fail(typeof failure === "object" && failure !== null && "_tag" in failure ? String(failure._tag) : "defect")
}

/** A span that hands on what may leave this process: shortened addresses, kinds of failures, no events. */
const masked = (span: Tracer.Span): Tracer.Span =>
  Object.assign(Object.create(span) as Tracer.Span, {
    attribute: (key: string, value: unknown) => {
      if (!dropped.has(key)) span.attribute(key, shown(value))
    },
    event: () => {},
    end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) => span.end(endTime, byKind(exit))
  })

/** A tracer whose spans tell no address, no SQL, no text of a failure and no event. */
const maskedTracer = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (...parameters) => masked(tracer.span(...parameters)),
    context: (run, fiber) => tracer.context(run, fiber)
  })

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
    const lost = changed(false, Effect.logWarning("traces are lost: the collector does not accept them"))
    const taken = changed(true, Effect.logInfo("the collector accepts traces again"))
    return HttpClient.transform(HttpClient.filterStatusOk(client), (answer) =>
      Effect.timeoutFail(answer, {
        duration: patience,
        onTimeout: () =>
          new Error("the collector does not respond")
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
