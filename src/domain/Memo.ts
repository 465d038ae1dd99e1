import { Schema } from "effect"

/** The kinds of memo a payment can carry. */
export const MemoType = Schema.Literal("text", "id", "hash", "return").annotations({
  identifier: "MemoType",
  description: "The kind of a memo."
})
export type MemoType = typeof MemoType.Type

/** A memo with its type. `text`: at most 28 bytes of UTF-8; `id`: unsigned 64-bit integer; `hash` and `return`: 64 hex characters. */
export const Memo = Schema.Struct({
  type: MemoType,
  value: Schema.String.annotations({
    description: "text: at most 28 bytes of UTF-8. id: unsigned 64-bit integer. hash, return: 64 hex characters."
  })
}).annotations({ identifier: "Memo", description: "A memo of a payment or a merge." })
export type Memo = typeof Memo.Type

/** A memo as callers give it: typed, or a bare string that takes the type the destination asks for, else text. */
export const MemoInput = Schema.Union(Memo, Schema.String).annotations({
  description: "A typed memo, or a bare string that takes the type the destination's registry entry asks for, else text."
})
export type MemoInput = typeof MemoInput.Type

/** Controls, formatting and what takes no width, blanks of any width, and what a font leaves out. */
const unseen = /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Whether nothing of a text is seen by who reads it: as a memo it credits as little as none. */
export const showsNothing = (text: string): boolean => text.replace(unseen, "") === ""

/** Whether a text has a character that is not seen, beside plain blanks: as a memo it looks right, and matches no other. */
export const hidesCharacters = (text: string): boolean => text.replaceAll(" ", "").search(unseen) >= 0
