import { Array, Option } from "effect"
import { type Route, segmentsOf } from "./Route.ts"

/** A route that was asked for, with the parameters of its path, percent decoded. */
export interface Found {
  readonly _tag: "Found"
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

/** A path that exists, but not with that method. */
export interface OtherMethods {
  readonly _tag: "OtherMethods"
  readonly allow: ReadonlyArray<string>
  readonly routes: ReadonlyArray<Route>
}

/** What a method and a path lead to. */
export type Match = Found | OtherMethods | { readonly _tag: "Nothing" }

/** A segment that is not valid percent encoding stays as it is: it then fails as the parameter it stands for. */
const decoded = (segment: string): string => Option.getOrElse(Option.liftThrowable(decodeURIComponent)(segment), () => segment)

/** Of a route with as many segments. */
const paramsOf = (route: Route, segments: ReadonlyArray<string>): Readonly<Record<string, string>> | null => {
  if (route.segments.some((expected, index) => !expected.startsWith(":") && expected !== segments[index])) return null
  const params: Record<string, string> = {}
  for (const [index, expected] of route.segments.entries()) {
    if (expected.startsWith(":")) params[expected.slice(1)] = decoded(segments[index] ?? "")
  }
  return params
}

/** Fixed segments before parameters, so that a path that is spelled out is never taken for a parameter. */
const fixedFirst = (one: Route, other: Route): number => {
  for (const [index, segment] of one.segments.entries()) {
    const difference = Number(segment.startsWith(":")) - Number(other.segments[index]?.startsWith(":") ?? false)
    if (difference !== 0) return difference
  }
  return 0
}

/** Finds what a request asks for, among routes with as many segments. HEAD is answered by the route of GET. */
const match = (routes: ReadonlyArray<Route>, method: string, segments: ReadonlyArray<string>): Match => {
  const matching = routes.flatMap((route) => {
    const params = paramsOf(route, segments)
    return params === null ? [] : [{ _tag: "Found" as const, route, params }]
  })
  const wanted = method === "HEAD" ? "GET" : method
  const found = matching.find(({ route }) => route.method === wanted)
  if (found !== undefined) return found
  if (matching.length === 0) return { _tag: "Nothing" }
  const methods = new Set(matching.flatMap(({ route }) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method])))
  return { _tag: "OtherMethods", allow: [...methods], routes: matching.map(({ route }) => route) }
}

/** What a method and a path lead to. */
export type RouteTable = (method: string, path: string) => Match

/** The table of these routes. */
export const routeTable = (routes: ReadonlyArray<Route>): RouteTable => {
  const byLength = Array.groupBy(routes.toSorted(fixedFirst), ({ segments }) => String(segments.length))
  return (method, path) => {
    const segments = segmentsOf(path)
    return match(byLength[segments.length] ?? [], method, segments)
  }
}
