import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"

/** What a caller may do about a failure: nothing, correct the request, wait, or plan again. */
export type Retry = "never" | "after_fix" | "after_delay" | "replan"

/** One row of the error table: a failure of the domain and how it looks on the wire. */
export interface ErrorRow<Self, Wire> {
  readonly code: string
  readonly status: number
  readonly retry: Retry
  /** One sentence for the documentation. */
  readonly meaning: string
  /** The envelope `{"error":{code, message, details?}}` on one side, the failure's class on the other. */
  readonly schema: Schema.Schema<Self, Wire>
}

/** Longest message on the wire, in characters. */
export const maxMessageLength = 240

interface Failure {
  readonly _tag: string
  readonly message: string
}

type FailureClass<Self extends Failure, Fields extends Schema.Struct.Fields> =
  & Schema.Schema<Self, Schema.Struct.Encoded<Fields>>
  & { readonly _tag: Self["_tag"]; readonly fields: Fields; new(details: never): Self }

const envelope = (code: string, details: Schema.Struct.Fields) => {
  const head = {
    code: Schema.Literal(code),
    message: Schema.String.annotations({ description: "For people; may be reworded. Branch on `code`." })
  }
  return Schema.Struct({
    error: Object.keys(details).length === 0 ? Schema.Struct(head) : Schema.Struct({ ...head, details: Schema.Struct(details) })
  })
}

/** Wire form of a failure, as its row gives it. */
export interface Envelope {
  readonly error: { readonly code: string; readonly message: string; readonly details?: object }
}

/**
 * Makes a row. The details on the wire are the fields of the class, encoded by its own schema, and are left out when it has none.
 */
export const row = <Self extends Failure, Fields extends Schema.Struct.Fields>(
  failure: FailureClass<Self, Fields>,
  code: string,
  { retry, status }: Pick<ErrorRow<Self, Envelope>, "retry" | "status">,
  meaning: string
): ErrorRow<Self, Envelope> => {
  const details = Object.fromEntries(Object.entries(failure.fields).filter(([name]) => name !== "_tag"))
  const wire: Schema.Schema<Envelope, Envelope> = Schema.make(envelope(code, details).ast)
  return {
    code,
    status,
    retry,
    meaning,
    schema: Schema.transform(wire, Schema.typeSchema(failure), {
      strict: true,
      // The details were just decoded by the very fields the class is made of; the compiler cannot follow that through a generic.
      decode: ({ error }) => new failure((error.details ?? {}) as never),
      encode: (instance) => {
        const head = { code, message: instance.message.slice(0, maxMessageLength) }
        const given = Object.fromEntries(Object.entries(instance).filter(([name]) => name in details))
        return { error: Object.keys(details).length === 0 ? head : { ...head, details: given } }
      }
    }).annotations({
      ...HttpApiSchema.annotations({ status }),
      identifier: `Error${failure._tag}`,
      title: code,
      description: `${meaning} Retry: ${retry}.`
    })
  }
}
