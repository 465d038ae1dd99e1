/** Writes the tables of the README that stand in code: errors, and routes that are not built yet. With --check it only compares. */
import { HttpApi } from "@effect/platform"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Api } from "../src/api/Api.ts"
import { ErrorTable } from "../src/api/ErrorTable.ts"
import { notYetRoutes } from "../src/http/NotYet.ts"
import { root } from "./sources.ts"

const errors = (): string => {
  const rows = [...new Map(Object.values(ErrorTable).map((row) => [`${row.status} ${row.code}`, row])).values()]
  return [
    "| Status | Code | Retry | Meaning |",
    "|---|---|---|---|",
    ...rows.map(({ code, meaning, retry, status }) => `| ${status} | \`${code}\` | ${retry} | ${meaning} |`)
  ].join("\n")
}

const notYet = (): string => {
  const later = new Set<string>(notYetRoutes)
  const lines: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      if (later.has(`${group.identifier}.${endpoint.name}`)) lines.push(`- \`${endpoint.method} ${endpoint.path.replaceAll(/:(\w+)/g, "{$1}")}\``)
    }
  })
  return lines.join("\n")
}

const filled = (text: string, name: string, content: string): string => {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`README.md has no place for ${name}`)
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`
}

/** The README as it should be. */
export const upToDate = (text: string): string => filled(filled(text, "errors", errors()), "routes to come", notYet())

export const readmePath = join(root, "README.md")

if (import.meta.main) {
  const text = readFileSync(readmePath, "utf8")
  const wanted = upToDate(text)
  if (process.argv.includes("--check")) {
    if (text !== wanted) {
      process.stderr.write("README.md is not up to date: npm run readme\n")
      process.exitCode = 1
    }
  } else writeFileSync(readmePath, wanted)
}
