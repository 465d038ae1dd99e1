/** No file may import itself through others. */
import { sourcesIn, target } from "./sources.ts"

const files = sourcesIn("src")
const edges = new Map(files.map(({ imports, path }) => [path, imports.flatMap((imported) => target(path, imported) ?? [])]))

const done = new Set<string>()
const cycles: Array<string> = []

const visit = (path: string, trail: ReadonlyArray<string>): void => {
  const start = trail.indexOf(path)
  if (start >= 0) return void cycles.push([...trail.slice(start), path].join(" -> "))
  if (done.has(path)) return
  for (const next of edges.get(path) ?? []) visit(next, [...trail, path])
  done.add(path)
}

for (const path of edges.keys()) visit(path, [])
for (const cycle of cycles) console.error(cycle)
console.log(`circular imports: ${files.length} files, ${cycles.length} cycles`)
process.exitCode = cycles.length === 0 ? 0 : 1
