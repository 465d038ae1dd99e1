import type * as McpSchema from "@effect/ai/McpSchema"
import * as Tool from "@effect/ai/Tool"
import { Context, Option } from "effect"
import { lazily } from "../../fibers/Lazily.ts"
import { namedSchemas, tools } from "./ToolDefinitions.ts"

type ListedTool = typeof McpSchema.Tool.Encoded

const inDocument = "#/components/schemas/"

const schemaText = ({ ast }: { readonly ast: Parameters<typeof Tool.getJsonSchemaFromSchemaAst>[0] }): string =>
  JSON.stringify(Tool.getJsonSchemaFromSchemaAst(ast)).replaceAll(`"${inDocument}`, "\"#/$defs/")

const named = lazily(() => Object.entries(namedSchemas).map(([name, schema]) => [name, schemaText(schema)] as const))

/** The named schemas that a text refers to, also through others. */
const reached = (text: string, known: ReadonlySet<string> = new Set()): ReadonlyArray<readonly [string, string]> =>
  named().flatMap(([name, schema]) =>
    known.has(name) || !text.includes(`"#/$defs/${name}"`) ? [] : [[name, schema] as const, ...reached(schema, new Set([...known, name]))]
  )

/** The schema of a tool's input, with everything that it refers to. */
const inputSchema = (schema: Parameters<typeof schemaText>[0]): object => {
  const text = schemaText(schema)
  const defs = Object.fromEntries(reached(text).map(([name, one]) => [name, JSON.parse(one)]))
  return { ...JSON.parse(text), ...(Object.keys(defs).length === 0 ? {} : { $defs: defs }) }
}

const listed = (tool: (typeof tools)[keyof typeof tools]): ListedTool => ({
  name: tool.name,
  description: tool.description,
  inputSchema: inputSchema(tool.parametersSchema),
  annotations: {
    title: Option.getOrUndefined(Context.getOption(tool.annotations, Tool.Title)),
    readOnlyHint: Context.get(tool.annotations, Tool.Readonly),
    destructiveHint: Context.get(tool.annotations, Tool.Destructive),
    idempotentHint: Context.get(tool.annotations, Tool.Idempotent),
    openWorldHint: Context.get(tool.annotations, Tool.OpenWorld)
  }
})

/** The answer to `tools/list`, made once. */
export const toolList = lazily((): typeof McpSchema.ListToolsResult.Encoded => ({ tools: Object.values(tools).map(listed) }))
