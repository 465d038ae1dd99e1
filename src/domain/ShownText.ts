/**
 * Text that someone else wrote, such as the name of a pool, as it may be shown: without control characters and line breaks, and without the
 * invisible characters that turn the direction of writing (U+202E) or join and hide letters, by which one text passes for another.
 */
export const shownText = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
