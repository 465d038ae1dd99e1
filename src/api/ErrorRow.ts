import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { helpUrlOf } from "../domain/Help.ts"

/** What a caller may do about a failure: nothing, correct the request, wait, or plan again. */
export const Retry = Schema.Literal("never", "after_fix", "after_delay", "replan").annotations({
  identifier: "Retry",
  description:
    "What helps. `never`: no repetition; the operator or the owner must change something. `after_fix`: another request. `after_delay`: the same request later. `replan`: a new plan."
})
export type Retry = typeof Retry.Type

/** One row of the error table: a failure of the domain and how it looks on the wire. */
export interface ErrorRow<Self, Wire> {
  readonly code: string
  readonly status: number
  readonly retry: Retry
  /** One sentence for the documentation. */
  readonly meaning: string
  /** The envelope `{"error":{code, message, details}}` on one side, the failure's class on the other. */
  readonly schema: Schema.Schema<Self, Wire>
}

/** Longest message on the wire, in characters. */
const maxMessageLength = 240

interface Failure {
  readonly _tag: string
  readonly message: string
}

type FailureClass<Self extends Failure, Fields extends Schema.Struct.Fields> =
  & Schema.Schema<Self, Schema.Struct.Encoded<Fields>>
  & { readonly _tag: Self["_tag"]; readonly fields: Fields; new(details: never): Self }

/** The details of one error, which have a name of their own where they hold more than those of every failure. */
const detailsOf = (tag: string, code: string, details: Schema.Struct.Fields) =>
  Schema.Struct({ ...details, ...commonDetails }).annotations(
    Object.keys(details).length === 0
      ? { identifier: "ErrorDetails", description: "The details that every error has." }
      : { identifier: `Details${tag}`, description: `The details of \`${code}\`.` }
  )

const message = Schema.String.annotations({ description: "For people; may be reworded. Branch on `code`." })

const envelope = (tag: string, code: string, meaning: string, details: Schema.Struct.Fields) => {
  const error = Schema.Struct({
    code: Schema.Literal(code).annotations({ description: "Stable identifier of the error. Branch on it." }),
    message,
    details: detailsOf(tag, code, details)
  })
  return Schema.Struct({ error: error.annotations({ identifier: `Failure${tag}`, description: meaning }) })
}

/** The request id of a failure that is encoded outside of a request. */
export const noRequestId = "00000000-0000-0000-0000-000000000000"

/** Details of every failure, after those of its own. */
const commonDetails = {
  retry: Retry,
  requestId: Schema.String.annotations({
    identifier: "RequestId",
    jsonSchema: {
      type: "string",
      format: "uuid",
      description: "The `X-Request-Id` of the answer. Quote it when you report a problem."
    }
  }),
  helpUrl: Schema.String.annotations({
    identifier: "HelpUrl",
    description:
      "Cause of this error, what to do, by whom. An address under `PUBLIC_URL`; without that setting a path of this service, which begins with `/`."
  })
}

/** Wire form of a failure, as its row gives it. */
export interface Envelope {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details: { readonly retry: Retry; readonly requestId: string; readonly helpUrl: string }
  }
}

/** What a row says beside code and meaning. */
interface RowTerms<Self> {
  readonly status: number
  readonly retry: Retry
  /** Whether this one is `never` anyway. */
  readonly neverIf?: (failure: Self) => boolean
}

/** Those entries of an object whose names a table has. */
const pick = (from: object, names: object) => Object.fromEntries(Object.entries(from).filter(([name]) => name in names))

/** Makes a row. The details on the wire are the fields of the class, encoded by its own schema, and those of every failure. */
export const row = <Self extends Failure, Fields extends Schema.Struct.Fields>(
  failure: FailureClass<Self, Fields>,
  code: string,
  { neverIf = () => false, retry, status }: RowTerms<Self>,
  meaning: string
): ErrorRow<Self, Envelope> => {
  const details = Object.fromEntries(Object.entries(failure.fields).filter(([name]) => name !== "_tag"))
  const wire: Schema.Schema<Envelope, Envelope> = Schema.make(envelope(failure._tag, code, meaning, details).ast)
  const common = { requestId: noRequestId, helpUrl: helpUrlOf("error", code) }
  return {
    code,
    status,
    retry,
    meaning,
    schema: Schema.transform(wire, Schema.typeSchema(failure), {
      strict: true,
      // The details were just decoded by the very fields the class is made of; the compiler cannot follow that through a generic.
      decode: ({ error }) => new failure(pick(error.details, details) as never),
      encode: (instance) => {
        const help = { retry: neverIf(instance) ? "never" as const : retry, ...common }
        return { error: { code, message: instance.message.slice(0, maxMessageLength), details: { ...pick(instance, details), ...help } } }
      }
    }).annotations({
      ...HttpApiSchema.annotations({ status }),
      identifier: `Error${failure._tag}`,
      title: code,
      description: `${meaning} Retry: ${retry}.`
    })
  }
}
