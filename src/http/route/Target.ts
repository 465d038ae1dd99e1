import { Option } from "effect"

/** The path and the query of a request target, which may also be written with scheme and host. */
export interface Target {
  readonly path: string
  readonly query: string
}

/** Takes a request target apart. */
export const targetOf = (url: string): Target => {
  const [target = ""] = url.replace(/^https?:\/\/[^/?#]*/i, "").split("#")
  const at = target.indexOf("?")
  return at === -1 ? { path: target, query: "" } : { path: target.slice(0, at), query: target.slice(at + 1) }
}

/** The segments of a path, without empty ones: a slash at the end or twice in a row changes nothing. */
export const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((segment) => segment !== "")

/**
 * The target as the platform's router is to see it: it undoes escapes before it looks for a route, takes a semicolon for a question mark, and
 * knows nothing but paths.
 */
export const routable = ({ path, query }: Target): string =>
  `${path.startsWith("/") ? "" : "/"}${path.replaceAll("%", "%25").replaceAll(";", "%3B")}${query === "" ? "" : `?${query}`}`

/** A segment that is not valid percent encoding stays as it is: it then fails as the parameter it stands for. */
const decoded = (segment: string): string => Option.getOrElse(Option.liftThrowable(decodeURIComponent)(segment), () => segment)

/** Parameters by name, as they were given; one that was given several times is a list, which no parameter accepts. */
export type Given = Readonly<Record<string, string | Array<string>>>

/** The parameters of a path, which the router leaves as they were sent. */
export const pathParameters = (params: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(params).map(([name, segment = ""]) => [name, decoded(segment)]))

/** The parameters of a query, which is written as a form is. */
export const queryParameters = (query: string): Given => {
  const given = new Map<string, string | Array<string>>()
  for (const [name, value] of new URLSearchParams(query)) {
    const before = given.get(name)
    if (before === undefined) given.set(name, value)
    else if (typeof before === "string") given.set(name, [before, value])
    else before.push(value)
  }
  return Object.fromEntries(given)
}
