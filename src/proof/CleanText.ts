import { Predicate, Redacted } from "effect"
import type { StandIn } from "./StandIns.ts"

/** Characters from which on a part of an address may be a key. */
const keyLength = 12

/** Links lead to the endpoint itself, and nothing is read from them. */
const isLinks = (name: string): boolean => name === "_links"

const withoutLinks = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutLinks)
  if (!Predicate.isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([name, one]) => (isLinks(name) ? [] : [[name, withoutLinks(one)]])))
}

const linkless = (text: string): string => {
  if (!text.includes("\"_links\"")) return text
  try {
    return JSON.stringify(withoutLinks(JSON.parse(text)))
  } catch {
    return text
  }
}

/** What an answer may quote of an endpoint: its host, and what may be a key in its address or header. */
const quotable = ({ header, real }: StandIn): ReadonlyArray<string> => [
  real.host,
  real.hostname,
  ...[...real.pathname.split("/"), ...real.searchParams.values(), real.username, real.password].filter((part) => part.length >= keyLength),
  ...(header === undefined ? [] : [Redacted.value(header.value)])
]

/** Takes out of the text of an answer what it says of the endpoint that gave it. */
export const cleanText = (standIns: ReadonlyArray<StandIn>): (text: string) => string => {
  const parts = [...new Set(standIns.flatMap(quotable))].toSorted((one, other) => other.length - one.length)
  return (text) => parts.reduce((clean, part) => clean.replaceAll(part, "left-out.invalid"), linkless(text))
}
