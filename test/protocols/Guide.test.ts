import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"

const root = new URL("../../", import.meta.url)
const textOf = (path: string): string => readFileSync(new URL(path, root), "utf8")

/** Interfaces of the port that a decoder implements or receives. */
const port = {
  "src/protocols/Protocol.ts": ["Protocol"],
  "src/protocols/Place.ts": ["Place", "Part"],
  "src/protocols/HeldPosition.ts": ["HeldPosition", "Reward"],
  "src/protocols/Exit.ts": ["ExitContext"],
  "src/protocols/TradingPool.ts": ["TradingPool"],
  "src/protocols/reading/Discovery.ts": ["Search", "Discovery"],
  "src/operations/ContractCall.ts": ["ContractCall"]
}

/** Built by `part` from `ground`. */
const notWritten = ["claim"]

const membersOf = (path: string, name: string): ReadonlyArray<string> => {
  const body = new RegExp(`export interface ${name}\\b[\\s\\S]*?\\n}`).exec(textOf(path))?.[0] ?? assert.fail(`no interface ${name}`)
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, member]) => member ?? "").filter((member) => !notWritten.includes(member))
}

const codeIn = (cell: string): ReadonlyArray<string> => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? "")

/** The rows of the members tables: the members, and their file. */
const rows = textOf("docs/protocols.md").split("\n## ").find((part) => part.startsWith("Members of the port"))?.split("\n")
  .filter((line) => line.startsWith("| `")).map((line) => line.split("|").map(codeIn)) ?? []

const fileOf = (name: string): string | undefined =>
  ["src/protocols/", "test/outside/package/", ""].map((folder) => folder + name).find((path) => existsSync(new URL(path, root)))

describe("the guide for protocols", () => {
  it("has every member of the port in a table", () => {
    const named = new Set(rows.flatMap(([, members = []]) => members))
    for (const [path, names] of Object.entries(port)) {
      for (const name of names) assert.isEmpty(membersOf(path, name).filter((member) => !named.has(member)), name)
    }
  })

  it("shows members in files that have them", () => {
    const shown = rows.flatMap(([, members = [], , files = []]) => files.flatMap((file) => members.map((member) => ({ file, member }))))
    assert.isAbove(shown.length, 50)
    const wrong = shown.filter(({ file, member }) => {
      const path = fileOf(file)
      return path === undefined || !new RegExp(`\\b${member}\\b`).test(textOf(path))
    })
    assert.deepStrictEqual(wrong, [])
  })
})
