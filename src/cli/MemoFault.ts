import { hidesCharacters, showsNothing } from "../domain/Memo.ts"

/** Why a memo would not be credited although it looks right; null: everything of it is seen. */
export const memoFault = (value: string): string | null => {
  if (showsNothing(value)) return "The memo is blank."
  return hidesCharacters(value) ? "The memo has an invisible character, with which no exchange knows it." : null
}
