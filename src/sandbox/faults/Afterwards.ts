import { Schema } from "effect"

/** Whether the request takes effect all the same and only its answer is lost; left out, it never gets through. */
export const afterwards = Schema.optionalWith(Schema.Boolean, { exact: true })
