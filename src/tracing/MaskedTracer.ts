import { Cause, Exit, Tracer } from "effect"
import { maskedIn } from "../domain/MaskedAddress.ts"

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
export const maskedTracer = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (...parameters) => masked(tracer.span(...parameters)),
    context: (run, fiber) => tracer.context(run, fiber)
  })
