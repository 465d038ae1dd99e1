import { Console, type Context, Effect, FiberRef, FiberRefs, HashMap, Layer, Logger, Option, Tracer } from "effect"
import { CurrentCaller } from "../../src/http/request/Caller.ts"

/** One line of the log, with its caller. */
export interface ServiceLogLine {
  readonly text: string
  /** The fields beside the message, as a line of JSON has them. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The owner of the request's key; null where the line's fiber has none. */
  readonly caller: string | null
  /** The request of the outermost span around the line; null where there is none. */
  readonly tracedRequest: string | null
  /** The name of the outermost span. */
  readonly outermost: string | null
}

const outermostOf = (span: Tracer.AnySpan): Tracer.AnySpan =>
  span._tag === "Span" && Option.isSome(span.parent) ? outermostOf(span.parent.value) : span

const callerIn = (context: Context.Context<never>): string | null => {
  const identity: unknown = context.unsafeMap.get(CurrentCaller.key)
  return Option.isOption(identity) && Option.isSome(identity) ? (identity.value as { readonly owner: string }).owner : null
}

const spanIn = (context: Context.Context<never>): Tracer.AnySpan | null => {
  const found = context.unsafeMap.get(Tracer.ParentSpan.key) as Tracer.AnySpan | undefined
  return found === undefined ? null : outermostOf(found)
}

/** Hides output to standard error. */
export const silentConsole: Layer.Layer<never> = Layer.unwrapEffect(
  Effect.map(Effect.console, (shown) => Console.setConsole({ ...shown, unsafe: { ...shown.unsafe, error: () => {} } }))
)

/** Listens to all log lines of a service. */
export const serviceLog = () => {
  const lines: Array<ServiceLogLine> = []
  const logger = Logger.make(({ annotations, context: refs, message }) => {
    const context = FiberRefs.getOrDefault(refs, FiberRef.currentContext)
    const span = spanIn(context)
    const parts = Array.isArray(message) ? message : [message]
    const request = span?._tag === "Span" ? span.attributes.get("request.id") : undefined
    lines.push({
      text: parts.filter((part) => typeof part === "string").join(" "),
      fields: Object.assign(Object.fromEntries(HashMap.entries(annotations)), ...parts.filter((part) => typeof part === "object")),
      caller: callerIn(context),
      tracedRequest: typeof request === "string" ? request : null,
      outermost: span?._tag === "Span" ? span.name : null
    })
  })
  return { lines, layer: Layer.merge(Logger.add(logger), silentConsole) }
}
