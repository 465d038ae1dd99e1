import { Cause, Config, Effect, HashMap, Inspectable, Layer, Logger } from "effect"
import { maskedIn } from "../domain/MaskedAddress.ts"

/** `LOG_FORMAT`: `pretty` or `json`; by default pretty on a terminal and JSON elsewhere. */
export const logFormat = Config.literal("pretty", "json")("LOG_FORMAT").pipe(
  Config.withDefault(process.stdout.isTTY === true ? "pretty" as const : "json" as const)
)

/** What a line is made of where it was given several parts: the first text is the message, objects are fields beside it. */
const partsOf = (
  message: unknown
): { readonly message: string; readonly fields: Readonly<Record<string, unknown>>; readonly causes: ReadonlyArray<string> } => {
  const all = Array.isArray(message) ? message : [message]
  const texts = all.filter((part) => typeof part === "string")
  const causes = all.filter(Cause.isCause).map((cause) => Cause.pretty(cause, { renderErrorCause: true }))
  const objects = all.filter((part) => typeof part === "object" && part !== null && !Cause.isCause(part))
  return { message: texts.join(" "), fields: Object.assign({}, ...objects), causes }
}

/** What went wrong, as texts: causes among the parts of a line, and the line's own. */
const failuresIn = (causes: ReadonlyArray<string>, cause: Cause.Cause<unknown>): ReadonlyArray<string> => [
  ...causes,
  ...(Cause.isEmpty(cause) ? [] : [Cause.pretty(cause, { renderErrorCause: true })])
]

/**
 * One line of JSON: `timestamp`, `level`, `message`, always a text, and anything known beside it as fields of their own; `cause` where
 * something went wrong that should not. Field names of ours win over those that were given. No address of an account stands there in full,
 * regardless of who wrote the line.
 */
export const jsonLine: Logger.Logger<unknown, string> = Logger.make(({ annotations, cause, date, logLevel, message }) => {
  const { causes, fields, message: text } = partsOf(message)
  const failures = failuresIn(causes, cause)
  return maskedIn(Inspectable.stringifyCircular({
    ...Object.fromEntries(HashMap.entries(annotations)),
    ...fields,
    timestamp: date.toISOString(),
    level: logLevel.label,
    message: text,
    ...(failures.length === 0 ? {} : { cause: failures.join("\n") })
  }))
})

/** Fields with every address of an account in them shortened. */
const maskedFields = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  JSON.parse(maskedIn(Inspectable.stringifyCircular(fields)))

const pretty = Logger.prettyLogger({ stderr: true })

/** Lines for people: the message, what went wrong, and the fields beside it. No address of an account stands there in full. */
export const prettyLines: Logger.Logger<unknown, void> = Logger.make((line) => {
  const { causes, fields, message } = partsOf(line.message)
  const texts = [message, ...failuresIn(causes, line.cause)].map(maskedIn)
  pretty.log({
    ...line,
    message: Object.keys(fields).length === 0 ? texts : [...texts, maskedFields(fields)],
    cause: Cause.empty,
    annotations: HashMap.fromIterable(Object.entries(maskedFields(Object.fromEntries(HashMap.entries(line.annotations)))))
  })
})

/** Logs go to standard error, in the format of `LOG_FORMAT`. */
export const layer = Layer.unwrapEffect(
  Effect.map(logFormat, (format) =>
    Logger.replace(
      Logger.defaultLogger,
      format === "pretty" ? prettyLines : Logger.withConsoleError(jsonLine)
    ))
)
