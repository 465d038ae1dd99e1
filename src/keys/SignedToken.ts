import { createHmac, timingSafeEqual } from "node:crypto"

/** Longer ones are not looked at. */
const longest = 512

const form = /^([a-z]{2})_([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/

const macOf = (key: Uint8Array, signed: string): Buffer => createHmac("sha256", key).update(signed).digest()

/** A token with a text that anyone can read and only the holder of the key can make (HMAC-SHA-256). `kind`: two letters, signed too. */
export const signedToken = (key: Uint8Array, kind: string, text: string): string => {
  const signed = `${kind}_${Buffer.from(text).toString("base64url")}`
  return `${signed}.${macOf(key, signed).toString("base64url")}`
}

/** The text of a token of that kind; null when it was not made with the key, or is of another kind. */
export const textOfToken = (key: Uint8Array, kind: string, token: string): string | null => {
  if (token.length > longest) return null
  const [, found, body, mac] = form.exec(token) ?? []
  if (found !== kind || body === undefined || mac === undefined) return null
  const isOurs = timingSafeEqual(macOf(key, `${kind}_${body}`), Buffer.from(mac, "base64url"))
  return isOurs ? Buffer.from(body, "base64url").toString("utf8") : null
}
