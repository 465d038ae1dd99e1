import { HttpClient, HttpClientRequest } from "@effect/platform"
import { Effect, type Scope } from "effect"
import { attributesOf, encodedSpan, type OtlpSpan } from "./OtlpSpan.ts"

/** How often spans are handed on. */
const period = "2 seconds"

/** How long a collector is waited for; at the end of the process, how long it is waited for in all. */
const patience = "5 seconds"

/** How long a collector that failed is left alone; meanwhile no span is kept. */
const rest = "30 seconds"

/** Most spans that wait; those beyond are lost. */
const mostWaiting = 10_000

/** Most spans in one message. */
const mostAtOnce = 1_000

const resource = { attributes: attributesOf([["service.name", "account-closeout"]]) }

const messageOf = (spans: ReadonlyArray<OtlpSpan>) => ({
  resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "account-closeout" }, spans: spans.map(encodedSpan) }] }]
})

/**
 * Hands spans to a collector by OTLP over HTTP, in JSON, every two seconds and once more at the end. A collector that does not take them
 * costs a warning, and the spans until it does: they are never waited for.
 */
export const spanExport = (collector: URL): Effect.Effect<(span: OtlpSpan) => void, never, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function*() {
    const client = HttpClient.filterStatusOk(yield* HttpClient.HttpClient)
    const url = new URL(`${collector.pathname.replace(/\/+$/, "")}/v1/traces`, collector)
    let waiting: Array<OtlpSpan> = []
    let rests = false
    let warned = false

    const sent = (spans: ReadonlyArray<OtlpSpan>) =>
      HttpClientRequest.bodyJson(HttpClientRequest.post(url), messageOf(spans)).pipe(
        Effect.flatMap((request) => Effect.scoped(Effect.flatMap(client.execute(request), ({ text }) => text))),
        Effect.timeout(patience)
      )

    const told = (outcome: "taken" | "lost") =>
      Effect.suspend(() => {
        const before = warned
        warned = outcome === "lost"
        if (before === warned) return Effect.void
        const line = warned
          ? Effect.logWarning("traces are lost: their collector does not take them")
          : Effect.logInfo("traces are taken again")
        return Effect.annotateLogs(line, { collector: collector.origin })
      })

    const all = Effect.suspend(() => {
      const spans = waiting
      waiting = []
      const messages = Array.from(
        { length: Math.ceil(spans.length / mostAtOnce) },
        (_, at) => spans.slice(at * mostAtOnce, (at + 1) * mostAtOnce)
      )
      return Effect.forEach(messages, sent, { discard: true }).pipe(
        Effect.zipRight(messages.length === 0 ? Effect.void : told("taken")),
        Effect.as(true),
        Effect.catchAllCause(() => Effect.as(told("lost"), false))
      )
    })

    const left = Effect.sync(() => {
      rests = true
      waiting = []
    })
    const turn = Effect.flatMap(
      all,
      (taken) => taken ? Effect.void : left.pipe(Effect.zipRight(Effect.sleep(rest)), Effect.ensuring(Effect.sync(() => (rests = false))))
    )
    // Handing spans on makes none.
    const quietly = Effect.withTracerEnabled(false)
    yield* Effect.addFinalizer(() => quietly(Effect.asVoid(Effect.timeoutOption(Effect.interruptible(all), patience))))
    yield* Effect.forkScoped(quietly(Effect.forever(Effect.zipRight(Effect.sleep(period), turn))))
    return (span) => {
      if (!rests && waiting.length < mostWaiting) waiting.push(span)
    }
  })
