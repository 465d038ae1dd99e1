import type { Memo } from "./Memo.ts"
import { shownJson } from "./ShownText.ts"

/** A memo with its type, in quotes, so that blanks at its ends are seen. An invisible character stands as `\uXXXX`. */
export const shownMemo = ({ type, value }: Memo): string => `${shownJson(JSON.stringify(value))} (${type})`
