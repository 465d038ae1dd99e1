import type { Given } from "./DecodeParameters.ts"

/** The path and the query of a request target, which may also be written with scheme and host. */
export interface Target {
  readonly path: string
  readonly query: URLSearchParams
}

/** Takes a request target apart. */
export const targetOf = (url: string): Target => {
  const [target = ""] = url.replace(/^https?:\/\/[^/?#]*/i, "").split("#")
  const at = target.indexOf("?")
  return at === -1
    ? { path: target, query: new URLSearchParams() }
    : { path: target.slice(0, at), query: new URLSearchParams(target.slice(at + 1)) }
}

/** Query parameters by name. */
export const parametersOf = (query: URLSearchParams): Given =>
  Object.fromEntries([...new Set(query.keys())].map((name) => {
    const values = query.getAll(name)
    return [name, values.length === 1 ? values[0] ?? "" : values]
  }))
