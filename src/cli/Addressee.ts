import { Prompt } from "@effect/cli"
import { Effect, Schema } from "effect"
import { wholeAnswers } from "../client/WholeAnswer.ts"
import { isDestinationAddress } from "../domain/DestinationAddress.ts"
import { type Memo, MemoType } from "../domain/Memo.ts"
import { shownMemo } from "../domain/ShownMemo.ts"
import { CommandFailed, Declined, wrongInput } from "./CommandFailed.ts"
import { displayed } from "./Foreign.ts"
import { memoFault } from "./MemoFault.ts"
import { bold, print } from "./Screen.ts"

/** Where lumens go, and the memo that a federation server asks for. */
export interface Addressee {
  readonly address: string
  readonly memo: Memo | null
}

const Federated = Schema.Struct({
  account_id: Schema.String,
  memo_type: Schema.optional(MemoType),
  memo: Schema.optional(Schema.Union(Schema.String, Schema.Number))
})

const federationName = /^([^*\s]+)\*([^*\s/]+)$/

/** Requests without encryption go to servers on this machine only. */
const originOf = (domain: string): string => `${/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(domain) ? "http" : "https"}://${domain}`

const mostCharacters = 100_000

const textAt = (url: string, what: string): Effect.Effect<string, CommandFailed> =>
  Effect.tryPromise({
    try: async (signal) => {
      const answer = await wholeAnswers(fetch)(url, { redirect: "error", signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]) })
      if (!answer.ok) throw new Error(`${answer.status}`)
      return (await answer.text()).slice(0, mostCharacters)
    },
    catch: () =>
      new CommandFailed({ code: "federation_unavailable", reason: `${what} does not answer as it should.`, retry: "after_delay" })
  })

const serverIn = (toml: string): string | null => /^\s*FEDERATION_SERVER\s*=\s*["']([^"']+)["']/m.exec(toml)?.[1] ?? null

const fromOwner = "Get the address and the memo from the name's owner."

/** The memo that a federation server asks for; null: none. */
const memoOf = ({ memo, memo_type: type }: typeof Federated.Type): Effect.Effect<Memo | null, CommandFailed> => {
  if (memo === undefined) return Effect.succeed(null)
  if (typeof memo === "number" && !Number.isSafeInteger(memo)) {
    return wrongInput(`The federation server writes the memo as a number that cannot be read exactly. ${fromOwner}`)
  }
  const fault = memoFault(String(memo))
  return fault === null
    ? Effect.succeed({ type: type ?? "text", value: String(memo) })
    : wrongInput(`${fault} The federation server gave it. ${fromOwner}`)
}

/** What a federation server says that a name (`name*domain`) stands for. The domain's owner can say anything. */
export const resolvedName = (name: string): Effect.Effect<Addressee, CommandFailed> =>
  Effect.gen(function*() {
    const domain = federationName.exec(name)?.[2]
    if (domain === undefined) {
      return yield* wrongInput("The destination is neither an address (G... or M...) nor a name such as name*domain.")
    }
    const server = serverIn(yield* textAt(`${originOf(domain)}/.well-known/stellar.toml`, `stellar.toml of the domain`))
    const isSafe = server !== null && URL.canParse(server) && (server.startsWith("https://") || originOf(domain).startsWith("http://"))
    if (!isSafe) return yield* wrongInput("The domain names no federation server that can be used safely.")
    const url = new URL(server)
    url.searchParams.set("q", name)
    url.searchParams.set("type", "name")
    const text = yield* textAt(url.href, "The federation server of the domain")
    const answer = yield* Effect.mapError(
      Schema.decodeUnknown(Schema.parseJson(Federated))(text),
      () => wrongInput("The federation server of the domain does not know this name.")
    )
    if (!isDestinationAddress(answer.account_id)) return yield* wrongInput("The federation server gives no address.")
    return { address: answer.account_id, memo: yield* memoOf(answer) }
  })

/** The address that is meant. A name is resolved, shown, and has to be confirmed by a person. */
export const addresseeOf = (text: string, mayAsk: boolean) =>
  Effect.gen(function*() {
    if (/^[GM]/.test(text) && !text.includes("*")) return { address: text, memo: null }
    const found = yield* resolvedName(text)
    const shown = displayed(text)
    const memo = found.memo === null ? [] : [`with the memo ${shownMemo(found.memo)}`]
    if (!mayAsk) {
      const meaning = [shown, "stands for", found.address, ...memo].join(" ")
      return yield* wrongInput(`${meaning} now. Name that address itself, with the memo if there is one: a name needs your word.`)
    }
    yield* print(
      `${shown} stands for`,
      `  ${bold(found.address)}`,
      ...memo.map((line) => `  ${line}`)
    )
    const isMeant = yield* Prompt.run(Prompt.confirm({ message: "Is this the account that you mean?" }))
    return isMeant ? found : yield* new Declined()
  })
