/** A name with the bytes it was made from. */
interface InternedName {
  readonly parts: ReadonlyArray<Uint8Array>
  readonly name: string
}

/** Names held at a time. */
const slots = 4096

/** Bytes of each part that enter the hash: all of an asset's code. */
const hashedBytes = 12

/** Slot of a name. Bytes that collide in a slot only cost making the name again. */
const slotOf = (parts: ReadonlyArray<Uint8Array>): number => {
  let sum = 0
  for (const part of parts) {
    for (let at = 0; at < part.length && at < hashedBytes; at++) sum = (Math.imul(sum, 31) + (part[at] ?? 0)) | 0
  }
  return (sum ^ (sum >>> 12)) & (slots - 1)
}

const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean => {
  if (one === undefined || other === undefined || one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return true
}

const isOf = ({ parts }: InternedName, others: ReadonlyArray<Uint8Array>): boolean => {
  if (parts.length !== others.length) return false
  for (let at = 0; at < parts.length; at++) if (!isSame(parts[at], others[at])) return false
  return true
}

/**
 * Interns names made from bytes, in a direct-mapped cache: operations name the same few accounts and assets again and again, each in objects
 * of its own. Equal bytes give the same string, which maps find quicker.
 */
export const internCache = <Parts extends ReadonlyArray<Uint8Array>>(spell: (...parts: Parts) => string): (...parts: Parts) => string => {
  const known: Array<InternedName | undefined> = Array.from({ length: slots })
  return (...parts) => {
    const place = slotOf(parts)
    const found = known[place]
    if (found !== undefined && isOf(found, parts)) return found.name
    const name = spell(...parts)
    known[place] = { parts: parts.map((part) => part.slice()), name }
    return name
  }
}
