import { OpenApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Api } from "../../src/api/Api.ts"
import { apiOf } from "../../src/api/ApiOf.ts"
import { OutsideProtocol } from "../../src/domain/ProtocolName.ts"

interface Shape {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly additionalProperties?: Shape
  readonly allOf?: ReadonlyArray<Shape>
  readonly anyOf?: ReadonlyArray<Shape>
  readonly oneOf?: ReadonlyArray<Shape>
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Shape>> }
}

const document: Document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))
const { schemas } = document.components

const target = (shape: Shape): Shape => schemas[shape.$ref?.split("/").at(-1) ?? ""] ?? {}

/** A schema and its place in the document. */
interface Placed {
  readonly place: string
  readonly shape: Shape
}

const partsOf = ({ place, shape }: Placed): ReadonlyArray<Placed> => {
  const inner = [
    ...Object.entries(shape.properties ?? {}).map(([name, property]) => ({ place: `${place}.${name}`, shape: property })),
    ...[shape.items ?? [], shape.additionalProperties ?? []].flat().map((item) => ({ place: `${place}[]`, shape: item })),
    ...[shape.allOf ?? [], shape.anyOf ?? [], shape.oneOf ?? []].flat().map((one) => ({ place: `${place}|`, shape: one }))
  ]
  return [{ place, shape }, ...inner.flatMap(partsOf)]
}

const all = Object.entries(schemas).flatMap(([place, shape]) => partsOf({ place, shape }))

const alternativesOf = ({ shape }: Placed) => [shape.anyOf ?? [], shape.oneOf ?? []].flat().filter(({ type }) => type !== "null")

/** The objects of a schema, including those in its nested unions. */
const objectsOf = (shape: Shape): ReadonlyArray<Shape> =>
  shape.oneOf === undefined ? [shape] : shape.oneOf.flatMap((one) => objectsOf(target(one)))

/** Values that the contract fixes, beside the discriminators of unions. */
const fixed = [
  "DecisionParams.unreadable",
  "ServiceIndex.docs",
  "ServiceIndex.openapi",
  "ServiceIndex.health",
  "ServiceIndex.llms",
  "ServiceIndex.catalog",
  "ServiceIndex.keys",
  "Alive.status",
  "Ready.status",
  "NotReady.status",
  "HealthyReport.status",
  "FailingReport.status",
  "AssetEnrichment.priceSource|",
  "ConversionPath.toAsset",
  "SubmitResult.status",
  "McpRequest.jsonrpc",
  "McpResponse.jsonrpc"
]

/** A description, unless it is the one that the library gives a kind of values. */
const says = (description = ""): string => /^an? (string|number|integer|positive|non-)/.test(description) ? "" : description

describe("the schemas of the document", () => {
  it("describe every property", () => {
    const lacking = all.flatMap(({ place, shape }) =>
      Object.entries(shape.properties ?? {})
        .filter(([, property]) => says(property.description) === "" && says(target(property).description) === "")
        .map(([name]) => `${place}.${name}`)
    )
    assert.deepStrictEqual(lacking, [])
  })

  it("describe and name every object", () => {
    const bare = Object.entries(schemas).filter(([, shape]) => (shape.description ?? "") === "").map(([name]) => name)
    assert.deepStrictEqual(bare, [])
    const nameless = all.filter(({ place, shape }) => !(place in schemas) && shape.properties !== undefined).map(({ place }) => place)
    // The second half of an `allOf`, which is a part of a named object.
    assert.deepStrictEqual(nameless, ["TransactionsRequest|"])
  })

  it("tell the alternatives of every union of objects apart by one property", () => {
    const unions = all.filter((one) => alternativesOf(one).length > 1)
    assert.isAbove(unions.length, 40)
    const without = unions.filter(({ shape }) => shape.discriminator === undefined)
    // An object or a string: the kind of the JSON value decides.
    for (const one of without) {
      assert.deepStrictEqual(alternativesOf(one).map((shape) => target(shape).type ?? shape.type), ["object", "string"], one.place)
    }
    for (const { place, shape } of unions) {
      const { mapping, propertyName } = shape.discriminator ?? { mapping: {}, propertyName: "" }
      for (const [value, to] of Object.entries(mapping)) {
        for (const { properties } of objectsOf(target({ $ref: to }))) assert.include(properties?.[propertyName]?.enum ?? [], value, place)
      }
    }
  })

  it("have enumerations of one value only where a union or the contract needs them", () => {
    const telling = new Set(all.flatMap(({ shape }) => shape.discriminator?.propertyName ?? []))
    const single = all.filter(({ place, shape }) => shape.enum?.length === 1 && !telling.has(place.split(".").at(-1) ?? "")).map((
      { place }
    ) => place)
    assert.sameMembers(single, fixed)
  })

  it("list the protocols of other packages in a union's mapping too", () => {
    const grown: Document = JSON.parse(JSON.stringify(OpenApi.fromApi(apiOf([OutsideProtocol.make("team_one")]))))
    const { DebtPosition, PoolPosition } = grown.components.schemas
    assert.include(DebtPosition?.properties?.["protocol"]?.enum ?? [], "team_one")
    assert.deepStrictEqual(PoolPosition?.discriminator?.mapping["team_one"], "#/components/schemas/PoolLiquidityPosition")
  })
})

/** Every description of a part of the document. */
const descriptionsIn = (part: unknown): ReadonlyArray<string> => {
  if (typeof part !== "object" || part === null) return []
  return Object.entries(part).flatMap(([key, inner]) =>
    key === "description" && typeof inner === "string" ? [inner] : descriptionsIn(inner)
  )
}

describe("the descriptions of the document", () => {
  it("have sentences of at most 25 words", () => {
    const sentences = descriptionsIn({ ...document, components: { schemas } })
      .flatMap((text) => text.split(/(?<=[.!?])\s+|\n/))
      .filter((line) => !line.startsWith("|"))
    assert.isAbove(sentences.length, 1000)
    assert.deepStrictEqual([...new Set(sentences.filter((sentence) => sentence.split(/\s+/).length > 25))], [])
  })
})

describe("the operations of the document", () => {
  const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))

  it("have different names that begin with a verb and say nothing twice", () => {
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const id of ids) {
      assert.match(id, /^(get|list|find|plan|build|call|sign|submit|create|open|rotate|revoke)[A-Z][A-Za-z]+$/)
      const words = id.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
      assert.strictEqual(new Set(words).size, words.length, id)
    }
  })
})
