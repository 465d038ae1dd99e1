import { createHash, randomBytes } from "node:crypto"

const form = /^lk_[A-Za-z0-9_-]{43}$/

/** Whether a text has the form of an API key: `lk_` and 32 bytes as base64url. */
export const isApiKey = (text: string): boolean => form.test(text)

/** A fresh API key from the operating system's randomness. */
export const freshApiKey = (): string => `lk_${randomBytes(32).toString("base64url")}`

/** What is kept of a key: its SHA-256. */
export const apiKeyDigest = (key: string): Uint8Array => createHash("sha256").update(key).digest()
