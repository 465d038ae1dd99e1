// Without this a start from the sources takes 4.7 s in place of 3.4 s on two small cores. It goes once that is under 2 s.
import { registerHooks, type ResolveHookContext } from "node:module"

/** Up to the last slash. */
const folderOf = (url: string): string => url.slice(0, url.lastIndexOf("/") + 1)

/** Of a file: what Node makes of it is decided by this and by its folder. */
const extensionOf = (url: string): string => url.slice(url.lastIndexOf("."))

const isRelative = (specifier: string): boolean => specifier.startsWith("./") || specifier.startsWith("../")

/** An import of the newer kind, which names its file in full; `require` may leave parts of it out. */
const namesFile = ({ conditions, parentURL }: ResolveHookContext): boolean =>
  parentURL?.startsWith("file:") === true && conditions.includes("import")

let isQuick = false

/**
 * Node looks for the file of every single import anew: it reads what each package says of itself and asks the disk, some ten thousand times
 * in a start from the sources. From now on it does so once for every name that the files of a folder import, and once for every folder and
 * extension, for how such files are read; the result for one holds for all of them. Links within the sources or within a library are not
 * followed. A second call changes nothing.
 */
export const quickImports = (): void => {
  if (isQuick) return
  isQuick = true
  const named = new Map<string, { readonly url: string; readonly format: string | null | undefined; readonly shortCircuit: true }>()
  const formats = new Map<string, string | null | undefined>()
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL } = context
      if (parentURL === undefined || specifier.startsWith("node:") || !namesFile(context)) return next(specifier, context)
      if (isRelative(specifier)) {
        const url = new URL(specifier, parentURL).href
        const kind = folderOf(url) + extensionOf(url)
        if (formats.has(kind)) return { url, format: formats.get(kind), shortCircuit: true }
        const found = next(specifier, context)
        formats.set(kind, found.format)
        return found
      }
      const name = `${folderOf(parentURL)} ${specifier}`
      const known = named.get(name)
      if (known !== undefined) return known
      const { format, url } = next(specifier, context)
      const found = { url, format, shortCircuit: true } as const
      named.set(name, found)
      return found
    }
  })
}
