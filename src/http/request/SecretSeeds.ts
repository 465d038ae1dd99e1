import { Option } from "effect"
import { subjectOf } from "../../close/situation/DecisionId.ts"
import { seedLength, SeedWindow } from "./SeedWindow.ts"

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
function* unescaped(text: string): Generator<number, Uint16Array> {
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

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** By ASCII code the value of a base32 character, upper case only; -1 for every other. */
const upper = Int8Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)))

/** The same in any case. */
const anyCase = Int8Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code).toUpperCase()))

/** Whether a character is part of a word: letters, digits, and what base64 and base64url add. */
const inWord = Uint8Array.from({ length: 128 }, (_, code) => (/[A-Za-z0-9+/=_-]/.test(String.fromCharCode(code)) ? 1 : 0))

/** Spaces of all widths, and what joins or parts letters without being seen: U+2000 to U+200D. */
const widths = Array.from({ length: 14 }, (_, index) => 0x2000 + index)

const otherSpaces = [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff]

/** White space and invisible characters, as they appear when a seed is split into readable groups. */
const gaps: ReadonlySet<number> = new Set([...widths, ...otherSpaces])

/** `n`, `r` and `t`: after a backslash they are white space. */
const spaceLetters: ReadonlySet<number> = new Set([0x6e, 0x72, 0x74])

/** How a seed may be spelled: in one run of upper case, across gaps, or in any case as a word of its own. */
class Spellings {
  readonly #run = new SeedWindow()
  readonly #word = new SeedWindow()
  #wordLength = 0

  /** The word, if one was begun, is over. */
  endWord(): boolean {
    const found = this.#wordLength === seedLength && this.#word.length === seedLength && this.#word.endsWithSeed
    this.#word.clear()
    this.#wordLength = 0
    return found
  }

  /** Something that no seed holds. */
  other(code: number): boolean {
    this.#run.clear()
    if (code > 127 || inWord[code] !== 1) return this.endWord()
    this.#wordLength++
    const value = anyCase[code] ?? -1
    if (value >= 0) this.#word.push(value)
    return false
  }

  base32(value: number): boolean {
    this.#run.push(value)
    this.#wordLength++
    this.#word.push(value)
    return this.#run.endsWithSeed
  }
}

const upperValue = (code: number): number => (code > 127 ? -1 : (upper[code] ?? -1))

/** The last of the backslashes that begin at an index. */
const lastBackslash = (chars: Uint16Array, from: number): number => {
  let last = from
  while (chars[last + 1] === backslash) last++
  return last
}

/** Searches characters whose escapes are undone, also across white space and invisible characters. Hyphens part: CODE-ISSUER is no run. */
function* spelledIn(chars: Uint16Array): Generator<number, boolean> {
  const spellings = new Spellings()
  let visits = 0
  for (let index = 0; index < chars.length; index++) {
    const code = chars[index] ?? 0
    const value = upperValue(code)
    let found: boolean
    if (value >= 0) found = spellings.base32(value)
    else if (code === backslash) {
      const last = lastBackslash(chars, index)
      visits += last - index
      index = last
      const isSpace = spaceLetters.has(chars[index + 1] ?? 0)
      found = isSpace ? spellings.endWord() : spellings.other(code)
      if (isSpace) index++
    } else found = gaps.has(code) ? spellings.endWord() : spellings.other(code)
    if (found) return true
    if (++visits >= stride) {
      yield visits
      visits = 0
    }
  }
  yield visits
  return spellings.endWord()
}

/** Whether a text, searched unchanged, holds a seed in one run. */
const stands = (text: string): boolean => {
  const run = new SeedWindow()
  for (let index = 0; index < text.length; index++) {
    const value = upperValue(text.charCodeAt(index))
    if (value < 0) run.clear()
    else {
      run.push(value)
      if (run.endsWithSeed) return true
    }
  }
  return false
}

/** Longest decision id that a request may carry. */
const longestId = 256

/**
 * A text that the contract knows may hold names that strangers chose, and those may look like a seed once white space is taken away or an
 * escape is undone. Only decision ids can: addresses and assets hold neither white space nor escapes, a memo is shorter than a seed, an
 * envelope is base64.
 */
const isKnown = (text: string): boolean => text.length <= longestId && Option.isSome(subjectOf(text))

/**
 * Whether a text holds a secret seed (S..., checksum valid) anywhere: plain, inside a longer run, JSON or percent escaped, in another case
 * as a word of its own, or split by white space. A decision id is searched unchanged. The work is linear in the length of the text;
 * yields how many characters were visited since the last stop.
 */
export function* holdsSecretSeed(text: string): Generator<number, boolean> {
  if (text.length < seedLength) return false
  const found = yield* spelledIn(yield* unescaped(text))
  return found && (!isKnown(text) || stands(text))
}
