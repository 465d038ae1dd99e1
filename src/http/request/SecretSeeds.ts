import { isSecretSeed } from "../../domain/SecretSeed.ts"

/** A seed starts with S and one of A to D: the first two characters carry its version byte. */
const candidate = /S(?=[A-D][A-Z2-7]{54})/g

const quotedCandidate = /(?<![A-Za-z0-9+/=_-])s[a-d][a-z2-7]{54}(?![A-Za-z0-9+/=_-])/gi

const holdsSeed = (text: string): boolean => {
  for (const { index } of text.matchAll(candidate)) {
    if (isSecretSeed(text.slice(index, index + 56))) return true
  }
  return false
}

/** Also in lower or mixed case, but only as a word of its own: inside base64 such a run may well be chance. */
const holdsSeedInAnyCase = (text: string): boolean =>
  [...text.matchAll(quotedCandidate)].some(([word]) => isSecretSeed(word.toUpperCase()))

const unescaped = (text: string): string => text.replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))

const percentDecoded = (text: string): string =>
  text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))

/**
 * White space and invisible characters, as they appear when a seed is split into readable groups. Hyphens stay: an asset is
 * written CODE-ISSUER in decision ids, and joined that could pass for a seed by chance.
 */
const withoutGaps = (text: string): string => text.replace(/\\[nrt]|[\s\u200b-\u200d\u2060\ufeff]/g, "")

/** Rewrites until nothing changes, at most a few layers deep. */
const peeled = (text: string): string => {
  let current = text
  for (let layer = 0; layer < 4; layer++) {
    const next = unescaped(percentDecoded(current)).replace(/\\+u/g, "\\u")
    if (next === current) return current
    current = next
  }
  return current
}

/**
 * Whether a text holds a secret seed (S..., checksum valid) anywhere: plain, inside a longer run, JSON or percent escaped, in
 * another case, or split by white space.
 */
export const containsSecretSeed = (text: string): boolean => {
  const bare = peeled(text)
  return holdsSeed(text) || holdsSeed(bare) || holdsSeedInAnyCase(bare) || holdsSeed(withoutGaps(bare))
}
