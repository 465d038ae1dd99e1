import { Schema } from "effect"

/** A field that may be left out. Where it stands, it has a value. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })
