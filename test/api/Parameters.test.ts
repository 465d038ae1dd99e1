import { HttpApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { Api } from "../../src/api/Api.ts"
import { refusalOf } from "../../src/api/Parameter.ts"
import { MissingParameters } from "../../src/domain/failure/Input.ts"

const propertiesOf = (schema: Option.Option<Schema.Schema.All>) => {
  const ast = Option.getOrNull(schema)?.ast
  return ast?._tag === "TypeLiteral" ? ast.propertySignatures : []
}

describe("an endpoint", () => {
  let parameters = 0
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group }) => {
      const declared = [...errors.values()].map(({ ast }) => Schema.is(Schema.typeSchema(Schema.make(Option.getOrThrow(ast)))))
      const declares = (failure: unknown) => declared.some((is) => is(failure))
      const query = propertiesOf(endpoint.urlParamsSchema)
      const all = [...propertiesOf(endpoint.pathSchema), ...query]
      if (all.length === 0) return
      parameters += all.length
      it(`declares what a wrong parameter is answered with: ${group.identifier}.${endpoint.name}`, () => {
        for (const { name, type } of all) {
          const refusal = Option.getOrThrow(refusalOf(type))
          const failures = ["x", null].map((text) => refusal({ name: String(name), text, problem: "is wrong" }))
          assert.isTrue(failures.every(declares), `${String(name)}: ${failures[0]?._tag}`)
        }
        if (query.some(({ isOptional }) => !isOptional)) assert.isTrue(declares(new MissingParameters({ missing: ["x"] })))
      })
    }
  })

  it("has parameters at all", () => assert.isAbove(parameters, 15))
})
