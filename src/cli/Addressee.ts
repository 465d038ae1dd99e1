import { Prompt } from "@effect/cli"
import { Effect, Schema } from "effect"
import { wholeAnswers } from "../client/WholeAnswer.ts"
import { isDestinationAddress } from "../domain/DestinationAddress.ts"
import { MemoType } from "../domain/Memo.ts"
import { CommandFailed, Declined, wrongInput } from "./CommandFailed.ts"
import { displayed } from "./Foreign.ts"
import { bold, print } from "./Screen.ts"

/** Where lumens go, and the memo that a federation server asks for. */
export interface Addressee {
  readonly address: string
  readonly memo: { readonly type: MemoType; readonly value: string } | null
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
    if (typeof answer.memo === "number" && !Number.isSafeInteger(answer.memo)) {
      return yield* wrongInput(
        "The federation server writes the memo as a number that cannot be read exactly. Get the address and the memo from the name's owner."
      )
    }
    const memo = answer.memo === undefined ? null : { type: answer.memo_type ?? "text", value: String(answer.memo) }
    return { address: answer.account_id, memo }
  })

/** The address that is meant. A name is resolved, shown, and has to be confirmed by a person. */
export const addresseeOf = (text: string, mayAsk: boolean) =>
  Effect.gen(function*() {
    if (/^[GM]/.test(text) && !text.includes("*")) return { address: text, memo: null }
    const found = yield* resolvedName(text)
    const shown = displayed({ name: text, ...found })
    if (!mayAsk) {
      return yield* wrongInput(`${shown.name} stands for ${found.address} now. Name that address itself: a name needs your word.`)
    }
    yield* print(
      `${shown.name} stands for`,
      `  ${bold(found.address)}`,
      ...(shown.memo === null ? [] : [`  with the memo ${JSON.stringify(shown.memo.value)} (${shown.memo.type})`])
    )
    const isMeant = yield* Prompt.run(Prompt.confirm({ message: "Is this the account that you mean?" }))
    return isMeant ? found : yield* new Declined()
  })
