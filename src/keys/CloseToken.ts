import { Option, Schema } from "effect"
import { AccountAddress } from "../domain/Address.ts"
import { Int } from "../domain/Leaf.ts"
import { Network } from "../domain/Network.ts"
import { mayDiffer, sessionMillis } from "./SessionToken.ts"
import { signedToken, textOfToken } from "./SignedToken.ts"

/** What stands before tokens of the page `/close`. */
const kind = "cs"

const CloseSession = Schema.Struct({ aud: Schema.Literal("close"), network: Network, source: AccountAddress, exp: Int })

/** Which account a signer of it may close on the page `/close`, and until when (`exp`, Unix seconds). */
export type CloseSession = typeof CloseSession.Type

const Text = Schema.parseJson(CloseSession)
const write = Schema.encodeSync(Text)
const read = Schema.decodeOption(Text)

/** When a session that begins now ends, in Unix seconds. */
export const closeSessionEnd = (nowMillis: number): number => Math.floor((nowMillis + sessionMillis) / 1000)

/** A token that only the holder of the key can make. */
export const closeToken = (key: Uint8Array, session: Omit<CloseSession, "aud">): string =>
  signedToken(key, kind, write({ aud: "close", ...session }))

/** The session of a token; none when it was not made with the key, has expired, or is from the future. Milliseconds since 1970. */
export const closeSessionOf = (key: Uint8Array, token: string, nowMillis: number): Option.Option<CloseSession> =>
  Option.fromNullable(textOfToken(key, kind, token)).pipe(
    Option.flatMap(read),
    Option.filter(({ exp }) => nowMillis < exp * 1000 && exp * 1000 - nowMillis <= sessionMillis + mayDiffer)
  )
