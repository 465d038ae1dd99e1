import { Schema } from "effect"

/** A field that may be left out. Where it stands, it has a value. */
export const optional = <Field extends Schema.Schema.All>(schema: Field) => Schema.optionalWith(schema, { exact: true })
