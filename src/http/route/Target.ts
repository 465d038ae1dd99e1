import type { Found } from "./RouteTable.ts"

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

/** Query parameters by name; one that is given several times is an array, which no parameter accepts. */
export const parametersOf = (query: URLSearchParams): Readonly<Record<string, string | ReadonlyArray<string>>> =>
  Object.fromEntries([...new Set(query.keys())].map((name) => {
    const values = query.getAll(name)
    return [name, values.length === 1 ? values[0] ?? "" : values]
  }))

/** The target as the router is to see it: the path of the route that was found, and the query, both encoded anew. */
export const canonical = ({ params, route }: Found, query: URLSearchParams): string => {
  const path = route.segments.map((segment) => segment.startsWith(":") ? encodeURIComponent(params[segment.slice(1)] ?? "") : segment)
  const text = query.toString()
  return `/${path.join("/")}${text === "" ? "" : `?${text}`}`
}
