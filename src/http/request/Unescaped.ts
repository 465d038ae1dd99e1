const percent = 0x25
const backslash = 0x5c
const letterU = 0x75

/** The value of a hexadecimal digit; -1 for every other character. */
const digit = (code: number): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** The number that hexadecimal digits spell; -1 when one of them is none. */
const spelled = (chars: Uint16Array, from: number, to: number): number => {
  let value = 0
  for (let index = from; index < to; index++) {
    const next = digit(chars[index] ?? 0)
    if (next < 0) return -1
    value = value * 16 + next
  }
  return value
}

/** The byte of the percent escape that characters end with; -1 where there is none. */
const percentEscape = (chars: Uint16Array, length: number): number =>
  chars[length - 3] === percent ? spelled(chars, length - 2, length) : -1

/** The unit of the `uXXXX` behind a backslash that characters end with; -1 where there is none. */
const unicodeEscape = (chars: Uint16Array, length: number): number =>
  length >= 6 && chars[length - 6] === backslash && chars[length - 5] === letterU ? spelled(chars, length - 4, length) : -1

/** Visits of a character between two stops. */
const stride = 4096

/**
 * The text (UTF-16) with every percent escape and every `\uXXXX` undone, also those that appear only when others are undone, and however
 * many backslashes stand before the `u`. An escape is undone as soon as its last character is there; what it stood for may end another.
 * Yields how many characters were visited since the last stop: no more than a few times those of the text.
 */
export function* unescaped(text: string): Generator<number, Uint16Array> {
  const chars = new Uint16Array(text.length)
  let length = 0
  let visits = 0
  for (let index = 0; index < text.length; index++) {
    chars[length++] = text.charCodeAt(index)
    visits++
    while (length >= 3 && digit(chars[length - 1] ?? 0) >= 0) {
      visits++
      const byte = percentEscape(chars, length)
      if (byte >= 0) {
        length -= 3
        chars[length++] = byte
        continue
      }
      const unit = unicodeEscape(chars, length)
      if (unit < 0) break
      length -= 6
      for (; chars[length - 1] === backslash; length--) visits++
      chars[length++] = unit
    }
    if (visits >= stride) {
      yield visits
      visits = 0
    }
  }
  yield visits
  return chars.subarray(0, length)
}
