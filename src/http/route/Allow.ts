import { Array, Order } from "effect"
import type { Place } from "./Place.ts"
import { segmentsOf } from "./Target.ts"

/** What a path leads to: the route of that method, or else those of others. */
export type Ways = (method: string, path: string) => ReadonlyArray<Place>

/** Fixed segments before parameters, so that a path that is spelled out comes first. */
const fixedFirst = Order.mapInput(Order.string, ({ template }: Place) => template.replaceAll(/:[^/]*/g, "~"))

const fits = ({ segments }: Place, path: ReadonlyArray<string>): boolean =>
  segments.length === path.length && segments.every((expected, index) => expected.startsWith(":") || expected === path[index])

/** HEAD is answered by the route of GET. */
export const isOf = ({ method }: Place, asked: string): boolean => method === (asked === "HEAD" ? "GET" : asked)

/** What paths lead to, among all routes. */
export const waysAmong = (places: ReadonlyArray<Place>): Ways => {
  const sorted = Array.sort(places, fixedFirst)
  return (method, path) => {
    const segments = segmentsOf(path)
    const here = sorted.filter((place) => fits(place, segments))
    const asked = here.find((place) => isOf(place, method))
    return asked === undefined ? here : [asked]
  }
}

/** The methods of some routes, as `Allow` has them. */
export const allowOf = (places: ReadonlyArray<Place>): ReadonlyArray<string> => [
  ...new Set(places.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])))
]
