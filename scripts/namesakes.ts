import { type SourceFile, target } from "./sources.ts"

const nameOf = (path: string): string => path.split("/").at(-1) ?? path

/** Files of one name that meet in a file: its own namesake, or two imports. A reader cannot distinguish them. */
export const namesakesIn = ({ imports, path }: SourceFile): ReadonlyArray<string> => {
  const met = [...new Set([path, ...imports.flatMap((imported) => target(path, imported) ?? [])])]
  return [...new Set(met.map(nameOf))].flatMap((name) => {
    const same = met.filter((one) => nameOf(one) === name)
    return same.length > 1 ? [`${path}: one name for ${same.join(", ")}`] : []
  })
}
