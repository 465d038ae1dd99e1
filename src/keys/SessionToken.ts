import { Option, Schema } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { AccountAddress } from "../domain/Address.ts"
import { Int } from "../domain/Leaf.ts"
import { Network } from "../domain/Network.ts"

/** How long a session lasts, in milliseconds. */
export const sessionMillis = 30 * 60 * 1000

/** How far a token may come from the future, in milliseconds: clocks of several instances differ a little. */
const mayDiffer = 60_000

/** Longer ones are not looked at. */
const longest = 512

const Session = Schema.Struct({ network: Network, address: AccountAddress, issuedAt: Int, expiresAt: Int })

/** Who proved control of which account, and until when that is taken for granted. Milliseconds since 1970. */
export type Session = typeof Session.Type

const Text = Schema.parseJson(Session)
const write = Schema.encodeSync(Text)
const read = Schema.decodeOption(Text)

const form = /^ks_([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/

const macOf = (key: Uint8Array, body: string): Buffer => createHmac("sha256", key).update(`ks_${body}`).digest()

/** A token that only the holder of the key can make. */
export const sessionToken = (key: Uint8Array, session: Session): string => {
  const body = Buffer.from(write(session)).toString("base64url")
  return `ks_${body}.${macOf(key, body).toString("base64url")}`
}

/** The session of a token; none when it was not made with the key, has expired, or is from the future, as after a clock was set back. */
export const sessionOf = (key: Uint8Array, token: string, now: number): Option.Option<Session> => {
  if (token.length > longest) return Option.none()
  const [, body, mac] = form.exec(token) ?? []
  if (body === undefined || mac === undefined || !timingSafeEqual(macOf(key, body), Buffer.from(mac, "base64url"))) return Option.none()
  return Option.filter(
    read(Buffer.from(body, "base64url").toString("utf8")),
    ({ expiresAt, issuedAt }) => now < expiresAt && expiresAt - issuedAt === sessionMillis && issuedAt - now <= mayDiffer
  )
}
