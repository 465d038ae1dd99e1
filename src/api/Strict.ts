import type { Schema } from "effect"
import { nameOf } from "./Parameter.ts"

/** The schema of a body: a field that does not exist is refused. */
export const strict = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<A, I> =>
  schema.annotations({ ...nameOf(schema), parseOptions: { onExcessProperty: "error" } })
