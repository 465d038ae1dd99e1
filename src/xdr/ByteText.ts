// Bytes as text without Node's own means: what verifies transactions runs in browsers too.

/** One character for each byte. */
export const latin1Of = (bytes: Uint8Array): string => String.fromCharCode.apply(null, bytes as unknown as Array<number>)

/** The bytes of a text of such characters. */
export const bytesOf = (latin1: string): Uint8Array => Uint8Array.from(latin1, (one) => one.charCodeAt(0))

/** Two hex characters for each byte. */
export const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/** The bytes of a hex text. */
export const bytesOfHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
