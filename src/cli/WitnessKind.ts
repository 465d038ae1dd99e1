import { Duration, Effect, Option, Schema } from "effect"
import { wholeAnswers } from "../client/WholeAnswer.ts"
import { longestWitnessCall, originOf, type WitnessUrls } from "../client/WitnessSource.ts"
import { CommandFailed, wrongInput } from "./CommandFailed.ts"

const question = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getHealth" })

const unavailable = (url: string, answers: string): CommandFailed =>
  new CommandFailed({ code: "witness_unavailable", reason: `The witness ${originOf(url)} ${answers}.`, retry: "after_delay" })

/** The text of an answer with status 200; null for any other status. */
const textOf = (url: string, init: RequestInit): Effect.Effect<string | null, CommandFailed> =>
  Effect.tryPromise({
    try: async (signal) => {
      const answer = await wholeAnswers(fetch)(url, {
        ...init,
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(Duration.toMillis(longestWitnessCall))])
      })
      return answer.ok ? await answer.text() : null
    },
    catch: () => unavailable(url, "does not answer")
  })

const rpcAnswer = Schema.decodeUnknownOption(Schema.parseJson(Schema.Struct({ jsonrpc: Schema.Literal("2.0") })))
const ledgerRoot = Schema.decodeUnknownOption(Schema.parseJson(Schema.Struct({ horizon_version: Schema.String })))

type Kind = keyof WitnessUrls

/** A contract RPC answers JSON-RPC, and a ledger API its root. Any other answer is a failure: a source that is down must not pass as the other kind. */
const kindOf = (url: string): Effect.Effect<Kind, CommandFailed> =>
  Effect.gen(function*() {
    const rpc = yield* textOf(url, { method: "POST", headers: { "content-type": "application/json" }, body: question })
    if (Option.isSome(rpcAnswer(rpc))) return "rpcUrl"
    const root = yield* textOf(url, { method: "GET", headers: { accept: "application/json" } })
    if (Option.isSome(ledgerRoot(root))) return "ledgerApiUrl"
    return yield* unavailable(url, "answers neither as a contract RPC nor as a ledger API. Check its path, or try again later")
  })

/** Which of the witnesses is the contract RPC, and which the ledger API. */
export const witnessUrls = (urls: ReadonlyArray<string>): Effect.Effect<WitnessUrls, CommandFailed> =>
  Effect.gen(function*() {
    const found: { rpcUrl?: string; ledgerApiUrl?: string } = {}
    for (const url of urls) {
      if (!URL.canParse(url)) return yield* wrongInput("--witness is no address.")
      const kind = yield* kindOf(url)
      if (found[kind] !== undefined) {
        return yield* wrongInput("--witness names two of one kind: a contract RPC and a ledger API can be named.")
      }
      found[kind] = url
    }
    return found
  })
