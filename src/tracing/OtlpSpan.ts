import { Cause, type Context, Exit, Option, type Tracer } from "effect"
import { randomBytes } from "node:crypto"
import { maskedIn } from "../domain/MaskedAddress.ts"

interface SpanOptions {
  readonly name: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly links: ReadonlyArray<Tracer.SpanLink>
  readonly kind: Tracer.SpanKind
  readonly startTime: bigint
}

/** A span that is handed on when it ends. Events and links are not kept: nothing of ours makes any. */
export class OtlpSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly sampled = true
  readonly spanId = randomBytes(8).toString("hex")
  readonly traceId: string
  readonly name: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly links: ReadonlyArray<Tracer.SpanLink>
  readonly kind: Tracer.SpanKind
  readonly attributes = new Map<string, unknown>()
  status: Tracer.SpanStatus
  readonly #ended: (span: OtlpSpan) => void

  constructor({ context, kind, links, name, parent, startTime }: SpanOptions, ended: (span: OtlpSpan) => void) {
    this.name = name
    this.parent = parent
    this.context = context
    this.links = links
    this.kind = kind
    this.traceId = Option.match(parent, { onNone: () => randomBytes(16).toString("hex"), onSome: ({ traceId }) => traceId })
    this.status = { _tag: "Started", startTime }
    this.#ended = ended
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    this.status = { _tag: "Ended", startTime: this.status.startTime, endTime, exit }
    this.#ended(this)
  }

  attribute(key: string, value: unknown): void {
    this.attributes.set(key, value)
  }

  event(): void {}

  addLinks(): void {}
}

const kinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const

/** Longest value of an attribute, in characters. */
const longest = 200

const valueOf = (value: unknown) => {
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return typeof value === "boolean" ? { boolValue: value } : { stringValue: maskedIn(String(value).slice(0, longest)) }
}

/** Attributes in the form of OTLP. An address in a value is shortened. */
export const attributesOf = (entries: Iterable<readonly [string, unknown]>) =>
  [...entries].map(([key, value]) => ({ key, value: valueOf(value) }))

const errorCode = 2

/** What kind of failure it was. Its message may quote what somebody sent, and stays here. */
const failureOf = (exit: Exit.Exit<unknown, unknown>): string | null => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return null
  const failure = Cause.squash(exit.cause)
  return typeof failure === "object" && failure !== null && "_tag" in failure ? String(failure._tag) : "defect"
}

/** A span that ended, in the JSON form of OTLP. */
export const encodedSpan = ({ attributes, kind, name, parent, spanId, status, traceId }: OtlpSpan) => {
  const [endTime, exit] = status._tag === "Ended" ? [status.endTime, status.exit] : [status.startTime, Exit.void]
  const failure = failureOf(exit)
  return {
    traceId,
    spanId,
    ...(Option.isSome(parent) ? { parentSpanId: parent.value.spanId } : {}),
    name,
    kind: kinds[kind],
    startTimeUnixNano: String(status.startTime),
    endTimeUnixNano: String(endTime),
    attributes: attributesOf(attributes),
    status: failure === null ? {} : { code: errorCode, message: failure }
  }
}
