import { Option, Schema } from "effect"
import { AccountAddress } from "../domain/Address.ts"
import { Int } from "../domain/Leaf.ts"
import { Network } from "../domain/Network.ts"
import { signedToken, textOfToken } from "./SignedToken.ts"

/** How long a session lasts, in milliseconds. */
export const sessionMillis = 30 * 60 * 1000

/** How far a token may come from the future, in milliseconds: clocks of several instances differ a little. */
export const mayDiffer = 60_000

/** What stands before tokens of such sessions. */
const kind = "ks"

const Session = Schema.Struct({ network: Network, address: AccountAddress, issuedAt: Int, expiresAt: Int })

/** Who proved control of which account, and until when that is taken for granted. Milliseconds since 1970. */
export type Session = typeof Session.Type

const Text = Schema.parseJson(Session)
const write = Schema.encodeSync(Text)
const read = Schema.decodeOption(Text)

/** A token that only the holder of the key can make. */
export const sessionToken = (key: Uint8Array, session: Session): string => signedToken(key, kind, write(session))

/** The session of a token; none when it was not made with the key, has expired, or is from the future, as after a clock was set back. */
export const sessionOf = (key: Uint8Array, token: string, now: number): Option.Option<Session> =>
  Option.fromNullable(textOfToken(key, kind, token)).pipe(
    Option.flatMap(read),
    Option.filter(({ expiresAt, issuedAt }) => now < expiresAt && expiresAt - issuedAt === sessionMillis && issuedAt - now <= mayDiffer)
  )
