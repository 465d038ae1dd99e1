import { type HttpApiEndpoint, OpenApi } from "@effect/platform"
import { type Context, Schema } from "effect"
import { Int } from "../domain/Leaf.ts"
import { optional } from "../domain/OptionalField.ts"
import { BodyOptional } from "./RouteLimits.ts"
import { strict } from "./Strict.ts"

/** An API key in a text, which a label must not be. */
const holdsKey = /lk_[A-Za-z0-9_-]{43}/

const longestLabel = 64

const isLabel = (text: string): boolean =>
  text.length <= longestLabel && /^(?!\s)[^\p{C}\p{Zl}\p{Zp}]+(?<!\s)$/u.test(text) && !holdsKey.test(text)

const Label = Schema.String.pipe(Schema.filter(isLabel, {
  jsonSchema: { minLength: 1, maxLength: longestLabel },
  message: () => `must be 1 to ${longestLabel} characters without control or direction characters, no blank at either end, and no API key`
})).annotations({ description: "A name of the key for its owner: no control or direction characters, no blank at either end." })

const expiry = "ISO 8601 with a zone, in the future. From then on the key is refused. Left out: the key does not expire."

/** Whether it lies ahead is seen by the handler: a schema knows no time. */
const ExpiresAt = Schema.String.pipe(
  Schema.pattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/, { description: expiry }),
  Schema.filter((text) => !Number.isNaN(Date.parse(text)) || "a time that exists")
).annotations({ description: expiry })

/** What the maker of a key may say of it. */
export const keyTerms = {
  label: optional(Label),
  expiresAt: optional(ExpiresAt)
}

/** The body of a request for a key of one's own. */
export const CreateMyKeyBody = strict(
  Schema.Struct(keyTerms).annotations({
    identifier: "CreateMyKeyRequest",
    description: "The terms of a new key."
  })
)

/** The body of a rotation. */
export const RotateKeyBody = strict(
  Schema.Struct({
    graceSeconds: optional(
      Int.pipe(Schema.between(0, 86_400)).annotations({
        description:
          "Seconds for which the old key may still be used, 0 when left out. Both keys count against one window of the rate limit."
      })
    )
  }).annotations({ identifier: "RotateKeyRequest", description: "How a key is replaced." })
)

/** Marks an endpoint whose body may be left out, for the service and in OpenAPI. */
export const withOptionalBody = <E extends HttpApiEndpoint.HttpApiEndpoint.Any & Annotated<E>>(endpoint: E): E =>
  endpoint.annotate(BodyOptional, true).annotate(OpenApi.Transform, notRequired)

interface Annotated<E> {
  readonly annotate: <I, S>(tag: Context.Tag<I, S>, value: S) => E & Annotated<E>
}

const notRequired = (operation: Record<string, unknown>): Record<string, unknown> => ({
  ...operation,
  requestBody: { ...(operation["requestBody"] as object), required: false }
})
