import { Options } from "@effect/cli"
import { Option } from "effect"
import { type Memo, MemoType } from "../domain/Memo.ts"

/** The memo that the lumens carry. */
export const memoOptions = {
  memo: Options.text("memo").pipe(Options.withDescription("The memo that the destination asks for"), Options.optional),
  memoType: Options.choice("memo-type", MemoType.literals).pipe(
    Options.withDescription("What the memo is. Default: text"),
    Options.withDefault("text")
  )
}

/** The memo that was typed, if one was. */
export const typedMemo = (input: { readonly memo: Option.Option<string>; readonly memoType: MemoType }): Memo | null =>
  Option.isNone(input.memo) ? null : { type: input.memoType, value: input.memo.value }
