import type { Memo } from "../domain/Memo.ts"
import { jsonText } from "./Foreign.ts"

/** A memo with its type, in quotes, so that blanks at its ends are seen. An invisible character stands as `\uXXXX`. */
export const memoText = ({ type, value }: Memo): string => `${jsonText(value)} (${type})`
