/** 32 bits that depend on every UTF-16 unit of a text: FNV-1a over the units, the high bits then folded into the low ones. */
export const textHash = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 16)
}
