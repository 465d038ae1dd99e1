import { HttpApi, OpenApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Context, Option, Schema, type SchemaAST } from "effect"
import { Api } from "../../src/api/Api.ts"
import { ErrorTable } from "../../src/api/ErrorTable.ts"
import recorded from "../../src/api/examples.json" with { type: "json" }

const examples: Readonly<Record<string, unknown>> = recorded

/** Routes that answer with a page, a text, this document itself, or another media type. */
const withoutJson = [
  "getOpenApi",
  "getDocs",
  "getErrorHelp",
  "getPlanView",
  "getKeysPage",
  "getClosePage",
  "getAllowancesView",
  "getPageScript",
  "getPageStyle",
  "getMetrics",
  "getLlmsText",
  "getApiCatalog"
]

/** Codes that no route declares: the one for an unknown method, and the one of agent tools, whose failures are inside answers. */
const outsideRoutes = ["method_not_allowed", "confirmation_required"]

const fits = (ast: SchemaAST.AST, example: unknown, name: string) => {
  const decoded = Schema.decodeUnknownEither(Schema.make(ast), { errors: "all", onExcessProperty: "error" })(example)
  assert.strictEqual(decoded._tag, "Right", `${name}: ${decoded._tag === "Left" ? decoded.left.message : ""}`)
}

/** Names of the examples that the tests checked against a schema. */
const judged = new Set<string>()

describe("the recorded example", () => {
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, successes }) => {
      const id = Option.getOrThrow(Context.getOption(endpoint.annotations, OpenApi.Identifier))
      if (withoutJson.includes(id)) return
      it(`of ${id} fits its schema, and so does its request`, () => {
        const [status, success] = [...successes].find(([code]) => code < 300) ?? [200, null]
        const ast = Option.getOrThrow(success?.ast ?? Option.none())
        const names = [`${id}_${status}`, ...(Option.isSome(endpoint.payloadSchema) ? [`${id}_request`] : [])]
        for (const name of names) {
          assert.property(examples, name)
          judged.add(name)
        }
        fits(ast, examples[`${id}_${status}`], `${id}_${status}`)
        if (Option.isSome(endpoint.payloadSchema)) fits(endpoint.payloadSchema.value.ast, examples[`${id}_request`], `${id}_request`)
      })
    }
  })

  for (const code of new Set(Object.values(ErrorTable).map((row) => row.code))) {
    it(`of ${code} fits its schema`, () => {
      const name = `error_${code}`
      judged.add(name)
      const schemas = Object.values(ErrorTable).filter((row) => row.code === code).map(({ schema }) => schema)
      assert.property(examples, name)
      const isFitting = schemas.some((schema) =>
        Schema.decodeUnknownEither<unknown, never>(schema as never)(examples[name])._tag === "Right"
      )
      assert.isTrue(isFitting, JSON.stringify(examples[name]))
    })
  }

  it("holds no key and no address of a machine, and none is left that nothing judges", () => {
    const text = JSON.stringify(examples)
    assert.deepStrictEqual([...text.matchAll(/lk_[A-Za-z0-9_-]{43}/g)].filter(([key]) => key !== `lk_${"A".repeat(43)}`), [])
    assert.notMatch(text, /\/(home|tmp|work|Users)\//)
    assert.sameMembers(Object.keys(examples), [...judged])
  })

  it("of every code is shown at every answer that declares it", () => {
    const document = JSON.stringify(OpenApi.fromApi(Api))
    for (const { code } of Object.values(ErrorTable)) {
      assert.strictEqual(document.includes(`#/components/examples/error_${code}"`), !outsideRoutes.includes(code), code)
    }
  })
})
