import { OpenApi } from "@effect/platform"
import type { OutsideProtocol } from "../domain/ProtocolName.ts"
import { Api } from "./Api.ts"
import { finishDocument } from "./OpenApiDocument.ts"

type Names = ReadonlyArray<OutsideProtocol>

/** A schema of the document that lists these names after its own. */
const grown = (schema: unknown, names: Names): unknown =>
  typeof schema === "object" && schema !== null && "enum" in schema && Array.isArray(schema.enum)
    ? { ...schema, enum: [...schema.enum, ...names] }
    : schema

/** The schema of an object with some of its properties changed. */
const changed = (schema: unknown, change: (properties: Readonly<Record<string, unknown>>) => object): unknown =>
  typeof schema === "object" && schema !== null && "properties" in schema && typeof schema.properties === "object"
    ? { ...schema, properties: { ...schema.properties, ...change({ ...schema.properties }) } }
    : schema

/** The shapes of rows that protocols from other packages may use. */
const rows = ["SupplyPosition", "BorrowPosition", "PoolLiquidityPosition", "StakePosition", "DebtPosition", "OtherPosition"]

const schemasWith = (schemas: Readonly<Record<string, unknown>>, names: Names): Readonly<Record<string, unknown>> => ({
  ...schemas,
  ProtocolName: grown(schemas["ProtocolName"], names),
  PathSource: grown(schemas["PathSource"], names),
  ...Object.fromEntries(rows.map((row) => [row, changed(schemas[row], ({ protocol }) => ({ protocol: grown(protocol, names) }))]))
})

/** The contract of a service that reads these protocols besides ours: its document lists their names. */
export const apiOf = (names: Names) =>
  names.length === 0
    ? Api
    : Api.annotate(OpenApi.Transform, ({ openapi, info, paths, components, security, tags, servers }) => {
      const schemas = schemasWith(components.schemas, names) as typeof components.schemas
      return finishDocument({ openapi, info, paths, components: { ...components, schemas }, security, tags, servers })
    })
