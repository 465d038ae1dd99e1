import { HttpApiSchema, HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { inTurns } from "../../chain/pace/Turns.ts"
import { lazily } from "../../fibers/Lazily.ts"
import { HelpLinks } from "./HelpLinks.ts"
import { encodedInParts } from "./InParts.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** One of the shapes that an endpoint declares for its answers. */
interface Shape {
  readonly fits: (value: unknown) => boolean
  readonly respond: (value: unknown) => Effect.Effect<Answer>
}

const shapeOf = ({ ast }: Schema.Schema.Any): Shape => {
  const schema = Schema.make<unknown, unknown>(ast)
  const status = HttpApiSchema.getStatusSuccessAST(ast)
  const { contentType, kind } = HttpApiSchema.getEncoding(ast)
  if (HttpApiSchema.isVoid(ast) || (kind !== "Json" && kind !== "Text")) throw new Error("only answers of JSON or text can be given")
  const asText = lazily(() => Schema.encodeSync(schema))
  const fits = lazily(() => Schema.is(Schema.typeSchema(schema)))
  const text = (value: unknown) =>
    kind === "Json" ? inTurns(() => encodedInParts(schema, value)) : Effect.sync(() => String(asText()(value)))
  return {
    fits: (value) => fits()(value),
    respond: (value) =>
      Effect.zipWith(text(value), HelpLinks, (body, links) => HttpServerResponse.text(links(body), { status, contentType }))
  }
}

/**
 * How the answers of an endpoint go on the wire: as the schema that it declares has them, in turns of the event loop, with its status.
 * Where it declares several, the first that an answer fits. A handler may also make the whole response itself. What fits none is a defect.
 */
export const successOf = (declared: Schema.Schema.Any): (value: unknown) => Effect.Effect<Answer> => {
  const schemas = new Set<Schema.Schema.Any>()
  HttpApiSchema.deunionize(schemas, declared)
  const shapes = [...schemas].map(shapeOf)
  const [only] = shapes.length === 1 ? shapes : []
  return (value) => {
    if (HttpServerResponse.isServerResponse(value)) return Effect.succeed(value)
    const shape = only ?? shapes.find(({ fits }) => fits(value))
    return shape === undefined ? Effect.dieMessage("an answer has none of the shapes that its endpoint declares") : shape.respond(value)
  }
}
