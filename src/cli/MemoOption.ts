import { Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { type Memo, MemoType } from "../domain/Memo.ts"
import { type CommandFailed, wrongInput } from "./CommandFailed.ts"
import { memoFault } from "./MemoFault.ts"

/** The memo that the lumens carry. */
export const memoOptions = {
  memo: Options.text("memo").pipe(Options.withDescription("The memo that the destination asks for"), Options.optional),
  memoType: Options.choice("memo-type", MemoType.literals).pipe(
    Options.withDescription("What the memo is. Default: text"),
    Options.optional
  )
}

/** What was given for these options. */
export interface MemoOptions {
  readonly memo: Option.Option<string>
  readonly memoType: Option.Option<MemoType>
}

const unset = "A variable of your shell may be unset."

/** The memo that was typed; null: neither option was given. Fails where a part of it is missing or not seen. */
export const typedMemo = ({ memo, memoType }: MemoOptions): Effect.Effect<Memo | null, CommandFailed> =>
  Effect.gen(function*() {
    if (Option.isNone(memo)) {
      return Option.isNone(memoType) ? null : yield* wrongInput(`--memo-type stands without --memo. ${unset}`)
    }
    const { value } = memo
    if (value.startsWith("--")) {
      return yield* wrongInput(`--memo is followed by ${value}, which is no memo. ${unset} A memo that begins with -- is not taken here.`)
    }
    const fault = memoFault(value)
    if (fault !== null) return yield* wrongInput(`${fault} Type the memo itself, or leave --memo out.`)
    return { type: Option.getOrElse(memoType, () => "text" as const), value }
  })
