/** Control characters, line separators, and the invisible characters that turn the direction of writing (U+202E) or join and hide letters. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu

/** Text that someone else wrote, such as the name of a pool, as it may be shown: without characters by which one text passes for another. */
export const shownText = (text: string): string => text.replaceAll(unseen, "")

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join("")

/** JSON text in which those characters stand as `\uXXXX`. Only strings hold them; line breaks of an indented text stay. */
export const shownJson = (json: string): string =>
  json.replaceAll(unseen, (character) => (character === "\n" ? character : escaped(character)))
