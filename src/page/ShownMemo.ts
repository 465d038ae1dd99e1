import type { Memo } from "../domain/Memo.ts"
import { shownJson } from "../domain/ShownText.ts"

/** A memo with its type, in quotes, so that blanks at its ends are seen. Invisible characters stand as `\uXXXX`. */
export const shownMemo = ({ type, value }: Memo): string => `${shownJson(JSON.stringify(value))} (${type})`
