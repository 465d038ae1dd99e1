import { Redacted } from "effect"
import { createHash, timingSafeEqual } from "node:crypto"

const digest = (token: Redacted.Redacted): Uint8Array => createHash("sha256").update(Redacted.value(token)).digest()

/** Whether two tokens are the same. How long it takes tells nothing of where they differ, nor how long the right one is. */
export const isSameToken = (given: Redacted.Redacted, right: Redacted.Redacted): boolean => timingSafeEqual(digest(given), digest(right))
