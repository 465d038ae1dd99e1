/** Writes the generated parts of pages: errors, routes that are not built yet, the example of a protocol. With --check it only compares. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { errorsPage } from "./docs/ErrorsPage.ts"
import { exampleFile, filled } from "./docs/Parts.ts"
import { root } from "./sources.ts"

interface Page {
  readonly path: string
  /** The correct page, from the present one. */
  readonly wanted: (text: string) => string
}

/** Files of the example of a team's package that a page shows. */
const examples = ["Jar.ts", "main.ts", "JarModel.ts"]

const pages: ReadonlyArray<Page> = [
  { path: "docs/errors.md", wanted: errorsPage },
  {
    path: "docs/protocols.md",
    wanted: (text) => examples.reduce((page, name) => filled(page, name, exampleFile(name)), text)
  }
]

const checkOnly = process.argv.includes("--check")
for (const { path, wanted } of pages) {
  const file = join(root, path)
  const text = existsSync(file) ? readFileSync(file, "utf8") : ""
  const content = wanted(text)
  if (text === content) continue
  if (checkOnly) {
    process.stderr.write(`${path} is not up to date: npm run docs\n`)
    process.exitCode = 1
  } else writeFileSync(file, content)
}
