import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"

const root = new URL("../../", import.meta.url)

const { exports, name } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  readonly name: string
  readonly exports: Readonly<Record<string, { readonly default: string }>>
}

/** The source of each module that packages of teams import (`exports` of package.json), by the name they import it under. */
export const sourceOfExport: ReadonlyMap<string, string> = new Map(
  Object.entries(exports).map(([path, { default: built }]) => [
    `${name}${path.slice(1)}`,
    new URL(built.replace("dist/packages", "src").replace(/\.js$/, ".ts"), root).href
  ])
)

let isFromSource = false

/** Resolves a team's imports of this package to the sources, without a build. A second call changes nothing. */
export const packagesFromSource = (): void => {
  if (isFromSource) return
  isFromSource = true
  registerHooks({ resolve: (specifier, context, next) => next(sourceOfExport.get(specifier) ?? specifier, context) })
}
