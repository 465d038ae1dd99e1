import { stripTypeScriptTypes } from "node:module"
import { parseAst } from "rollup/parseAst"
import { riddles } from "./Riddles.ts"

/** A node of the parsed source, with the fields used here. */
interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && typeof (value as Node).type === "string"

/** The text of a string literal or of one part of a template; null for any other node. */
const textOf = ({ type, value }: Node): string | null => {
  if (type === "Literal") return typeof value === "string" ? value : null
  return type === "TemplateElement" ? (value as { readonly cooked: string }).cooked : null
}

/** A text of a source file, with its position. */
interface SourceText {
  readonly at: number
  readonly text: string
}

const textsIn = (node: Node): ReadonlyArray<SourceText> => {
  if (node.type === "ImportDeclaration") return []
  const text = textOf(node)
  const within = Object.values(node).flatMap((field) => [field].flat()).filter(isNode).flatMap(textsIn)
  return text === null ? within : [{ at: node.start, text }]
}

/** Texts with a riddle in the string and template literals of a source file, one line each. Comments are not read. */
export const textBreaches = (path: string, source: string): ReadonlyArray<string> =>
  textsIn(parseAst(stripTypeScriptTypes(source)) as unknown as Node).flatMap(({ at, text }) =>
    riddles.flatMap(({ instead, pattern }) =>
      [...text.matchAll(new RegExp(pattern.source, "gi"))].map(([match]) =>
        `${path}:${source.slice(0, at).split("\n").length}: "${match}"; write ${instead}`
      )
    )
  )
