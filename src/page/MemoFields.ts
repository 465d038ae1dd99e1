import { hidesCharacters, type Memo } from "../domain/Memo.ts"
import { at, el, field, Problem, textIn, textInput } from "./Dom.ts"

const types = [["none", "no memo"], ["text", "text"], ["id", "number (id)"], ["hash", "hash"], ["return", "return hash"]] as const

/** The fields of a memo: its kind, and what it says. */
export const memoFields = (): ReadonlyArray<HTMLElement> => [
  ...field(
    "memo-type",
    "Memo",
    el("select", {}, ...types.map(([value, name]) => el("option", { value }, name))),
    "An exchange tells you which one it needs."
  ),
  ...field("memo", "What the memo says", textInput({ maxlength: "64" }))
]

/** The memo in these fields; null: none is wanted. A memo with a character that is not seen is refused: no exchange would match it. */
export const memoIn = (): Memo | null => {
  const type = (at("memo-type") as HTMLSelectElement).value
  const value = textIn("memo")
  if (type === "none") {
    if (value !== "") throw new Problem("Choose the kind of this memo.", "memo-type")
    return null
  }
  if (value === "") throw new Problem("Write the memo, or choose none.", "memo")
  if (hidesCharacters(value)) throw new Problem("This memo has an invisible character. Type the memo by hand; do not paste it.", "memo")
  return { type: type as Memo["type"], value }
}
