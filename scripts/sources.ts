import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"

/** The project's folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..")

/** A source file and the modules it imports, as they are written. */
export interface SourceFile {
  /** Path from the project's folder, with forward slashes. */
  readonly path: string
  readonly imports: ReadonlyArray<string>
}

const importPattern = /(?:^|\n)\s*(?:import|export)\s(?:[^"'`;]*?\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g

const importsOf = (text: string): ReadonlyArray<string> => [...text.matchAll(importPattern)].flatMap((match) => match[1] ?? match[2] ?? [])

/** Every TypeScript file below a folder. */
export const sourcesIn = (folder: string): ReadonlyArray<SourceFile> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({
      path: join(folder, name).replaceAll("\\", "/"),
      imports: importsOf(readFileSync(join(root, folder, name), "utf8"))
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))

/** Every page in Markdown below a folder, by its path from the project's folder. */
export const pagesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name).replaceAll("\\", "/"))
    .toSorted()

/** The file of a relative import, from the project's folder; null for a package. */
export const target = (from: string, imported: string): string | null =>
  imported.startsWith(".") ? relative(root, resolve(root, dirname(from), imported)).replaceAll("\\", "/") : null
