import { textMemo } from "../fibers/TextMemo.ts"

/**
 * 32 bits that depend on every UTF-16 unit of a text: FNV-1a over the units, the high bits then folded into the low ones. A name of an entry is
 * a hundred units and more, and is asked for many times: what was made out lately is remembered.
 */
export const textHash = textMemo(16_384, (text): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 16)
})
