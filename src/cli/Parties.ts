import { Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { signWithKey } from "../client/signing/Key.ts"
import type { Memo } from "../domain/Memo.ts"
import { addresseeOf } from "./Addressee.ts"
import { wrongInput } from "./CommandFailed.ts"
import type { Connection } from "./Connection.ts"
import { type MemoOptions, typedMemo } from "./MemoOption.ts"
import { askSecret, type Secrets } from "./Secrets.ts"

/** Where the lumens go. */
export const toOption = Options.text("to").pipe(
  Options.withDescription("Where the lumens go: an address (G... or M...), or a federation name such as name*domain"),
  Options.optional
)

/** Whose account is closed, and into which. */
export interface Parties {
  readonly source: string
  readonly destination: string
  readonly memo: Memo | null
}

interface PartiesInput extends MemoOptions {
  readonly source: Option.Option<string>
  readonly to: Option.Option<string>
  readonly feePayer: Option.Option<string>
}

/** Without an address the only secret says whose account it is. The account that pays the fees has to be named to be closed. */
const sourceOf = ({ feePayer, source }: PartiesInput, secrets: Secrets, mayAsk: boolean) =>
  Effect.gen(function*() {
    if (Option.isSome(source)) return source.value
    if (secrets.size === 0 && mayAsk) yield* askSecret(secrets, "Secret key of the account to close")
    const [own, ...more] = secrets.keys()
    if (own === undefined || more.length > 0 || !own.startsWith("G")) {
      return yield* wrongInput("Which account is to be closed? Name its address (G...), or give one secret key.")
    }
    if (Option.contains(feePayer, own)) {
      return yield* wrongInput("The only secret is that of --fee-payer. Name the account to close (G...), and give its secret too.")
    }
    return own
  })

/** Both accounts, as they were named, or those of the embedded sandbox, whose secret is then known too. */
export const partiesOf = (input: PartiesInput, { prepared }: Pick<Connection, "prepared">, secrets: Secrets, mayAsk: boolean) =>
  Effect.gen(function*() {
    const memo = yield* typedMemo(input)
    if (prepared !== null) secrets.set(prepared.source.publicKey(), signWithKey(prepared.source))
    const to = Option.getOrElse(input.to, () => prepared?.destination.publicKey() ?? "")
    if (to === "") return yield* wrongInput("Where do the lumens go? Name the destination by --to.")
    const addressee = yield* addresseeOf(to, mayAsk)
    const source = prepared === null ? yield* sourceOf(input, secrets, mayAsk) : prepared.source.publicKey()
    const parties: Parties = { source, destination: addressee.address, memo: memo ?? addressee.memo }
    return parties
  })
