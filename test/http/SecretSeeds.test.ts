import { assert, describe, it } from "@effect/vitest"
import { StrKey } from "@stellar/stellar-sdk"
import { FastCheck as fc } from "effect"
import { atOnce } from "../../src/chain/pace/Turns.ts"
import { holdsSecretSeed } from "../../src/http/request/SecretSeeds.ts"
import { SeedWindow } from "../../src/http/request/SeedWindow.ts"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

const holds = (text: string): boolean => atOnce(holdsSecretSeed(text))

/** Undoes escapes one at a time, the first one first, until there is none. */
const plain = (text: string): string => {
  const found = /%([0-9a-f]{2})|\\+u([0-9a-f]{4})/i.exec(text)
  if (found === null) return text
  const [escape, byte, unit] = found
  return plain(text.slice(0, found.index) + String.fromCharCode(parseInt(byte ?? unit ?? "", 16)) + text.slice(found.index + escape.length))
}

const everyRun = (text: string): ReadonlyArray<string> => Array.from({ length: text.length }, (_, from) => text.slice(from, from + 56))

/** The slow and simple search: every run of 56 characters of the text without gaps, and every word in any case. */
const slowly = (text: string): boolean => {
  const spaced = plain(text).replace(/\\+[nrt]/g, " ")
  const words = spaced.split(/[^A-Za-z0-9+/=_-]/)
  return [...everyRun(spaced.replace(/[\s\u200b-\u200d\u2060\ufeff]/g, "")), ...words.map((word) => word.toUpperCase())]
    .some((run) => StrKey.isValidEd25519SecretSeed(run))
}

const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => StrKey.encodeEd25519SecretSeed(Buffer.from(bytes)))

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0")

const spellings: ReadonlyArray<(character: string) => string> = [
  (character) => character,
  (character) => character.toLowerCase(),
  (character) => `%${hex(character.charCodeAt(0), 2)}`,
  (character) => `%25${hex(character.charCodeAt(0), 2)}`,
  (character) => `\\u${hex(character.charCodeAt(0), 4)}`,
  (character) => `\\\\\\u${hex(character.charCodeAt(0), 4)}`,
  (character) => `\\u0025${hex(character.charCodeAt(0), 2)}`
]

const blanks = ["", " ", "\n", "\\n", "\\\\t", "\u00a0", "\u200b", "\ufeff", "\u3000", "%20", "\\u0020"]

/** The spellings of a character and its separator, mostly as in plain text. */
const spellingOf = (ways: ReadonlyArray<number>, gaps: ReadonlyArray<string>) =>
  fc.tuple(
    fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(...ways) }),
    fc.oneof({ weight: 20, arbitrary: fc.constant("") }, { weight: 1, arbitrary: fc.constantFrom(...gaps) })
  )

const throughout = (spelling: fc.Arbitrary<readonly [number, string]>) => fc.array(spelling, { minLength: 56, maxLength: 56 })

/** Spellings that keep a seed a seed; a word in lower case; and any other text. */
const styles = fc.oneof(
  fc.tuple(fc.constant(0), throughout(spellingOf([2, 3, 4, 5, 6], blanks))),
  fc.tuple(fc.constant(1), throughout(spellingOf([0, 1], [""]))),
  fc.tuple(fc.constantFrom(0, 1), throughout(spellingOf([0, 1, 2, 3, 4, 5, 6], [...blanks, "-", "x", "\\", "é"])))
)

/** A seed, sometimes with a wrong character, spelled in some way. */
const spelled = fc.tuple(seeds, styles, fc.option(fc.nat(55), { freq: 1 })).map(([seed, [base, ways], wrong]) =>
  [...seed].map((character, at) => {
    const [way, gap] = ways[at] ?? [0, ""]
    const told = at === wrong ? (alphabet[(alphabet.indexOf(character) + 1) % 32] ?? "") : character
    return (spellings[way === 0 ? base : way]?.(told) ?? told) + gap
  }).join("")
)

const around = fc.oneof(
  fc.string(),
  fc.stringOf(fc.constantFrom(..."SABCD27sab%5c0u\\nt \"-+"), { maxLength: 80 }),
  fc.constantFrom("", "", " ", "S", "SA", "%", "\\", "-", "=")
)

describe("the search for secret seeds", () => {
  it("finds what a slow and obvious search finds, and nothing else", () => {
    let found = 0
    let total = 0
    fc.assert(
      fc.property(around, spelled, around, (before, seed, after) => {
        const text = before + seed + after
        const expected = slowly(text)
        found += Number(expected)
        total += 1
        assert.strictEqual(holds(text), expected, JSON.stringify(text))
      }),
      { numRuns: 1_500 }
    )
    // Neither outcome may be rare, or the comparison proves little.
    assert.isAbove(found, total / 10)
    assert.isBelow(found, (total * 9) / 10)
  })

  it("knows a seed by the checksum as StrKey does, wherever it begins", () => {
    fc.assert(
      fc.property(
        fc.stringOf(fc.constantFrom(...alphabet), { maxLength: 90 }),
        seeds,
        fc.nat(55),
        fc.nat(31),
        (before, seed, at, value) => {
          const run = new SeedWindow()
          const text = before + seed.slice(0, at) + (alphabet[value] ?? "") + seed.slice(at + 1)
          for (const character of text) run.push(alphabet.indexOf(character))
          assert.strictEqual(run.endsWithSeed, StrKey.isValidEd25519SecretSeed(text.slice(-56)))
        }
      ),
      { numRuns: 2_000 }
    )
  })

  /** The number of characters visited for a text of that length. */
  const workFor = (pattern: string, length: number): number => {
    let visits = 0
    for (const visited of holdsSecretSeed(pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length))) visits += visited
    return visits
  }

  const hard = {
    "backslashes": "\\",
    "percent signs": "%",
    "escaped percent signs": "%25",
    "escapes that end one another": "%3",
    "escaped backslashes": "\\u005c",
    "backslashes before an escape": `${"\\".repeat(5_000)}u0053`,
    "what could begin a seed everywhere": "SA",
    "words that could be seeds": `sa${"q".repeat(54)} `,
    "white space": " ",
    "white space in a run": "SA ",
    "escaped white space": "\\n",
    "hyphens": "S-"
  }

  for (const [name, pattern] of Object.entries(hard)) {
    it(`visits each character a few times at most: ${name}`, () => {
      for (const length of [65_536, 262_144, 1_048_576]) assert.isAtMost(workFor(pattern, length), 4 * length)
      assert.isAtMost(workFor(pattern, 1_048_576), 4 * workFor(pattern, 262_144) + 10_000)
    })
  }

  it("visits each character a few times at most: an escape whose end ends all before it", () => {
    const work = (length: number) => {
      let visits = 0
      for (const visited of holdsSecretSeed(`${"%3".repeat(length / 2)}3`)) visits += visited
      return visits
    }
    assert.isAtMost(work(1_048_576), 4 * 1_048_576)
  })

  it("can be left at any time: it stops after every few thousand characters", () => {
    const text = "SA".repeat(524_288)
    for (const visited of holdsSecretSeed(text)) assert.isAtMost(visited, 10_000)
  })
})
