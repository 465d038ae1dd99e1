import { Problem } from "./Dom.ts"

/** The longest fragment of a link, in characters. What is longer goes by file. */
const longest = 65_536

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A text as a part of a link. */
const encoded = (text: string): string =>
  btoa(Array.from(bytesOf(text), (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")

const decoded = (text: string): string =>
  new TextDecoder("utf-8", { fatal: true }).decode(
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0))
  )

/** A link to a page of this service that carries a text in its fragment, which browsers send to no server; null where it is too long. */
export const linkWith = (path: string, name: string, text: string): string | null => {
  const fragment = `#${name}=${encoded(text)}`
  return fragment.length > longest ? null : `${window.location.origin}${path}${fragment}`
}

/** Takes the text out of the address, so that it stands in no history; null where there is none of that name. */
export const takeFragment = (name: string): string | null => {
  const { hash, pathname } = window.location
  if (hash === "") return null
  window.history.replaceState(null, "", pathname)
  if (!hash.startsWith(`#${name}=`)) return null
  if (hash.length > longest) throw new Problem("The link is too long. Ask for the text as a file, and paste it below.")
  try {
    return decoded(hash.slice(name.length + 2))
  } catch {
    throw new Problem("The link is damaged. Ask for it again, or for the text as a file.")
  }
}
