import { Effect } from "effect"
import type { WitnessUrls } from "../client/Witness.ts"
import { CommandFailed, wrongInput } from "./CommandFailed.ts"

const question = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getHealth" })

/** A contract RPC answers JSON-RPC; a ledger API takes no such request. */
const isContractRpc = (url: string): Effect.Effect<boolean, CommandFailed> =>
  Effect.tryPromise({
    try: async (signal) => {
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: question,
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)])
      })
      return answer.ok && (await answer.text()).includes("\"jsonrpc\"")
    },
    catch: () => new CommandFailed({ code: "witness_unavailable", reason: `The witness ${url} does not answer.`, retry: "after_delay" })
  })

/** Which of the witnesses is the contract RPC, and which the ledger API. */
export const witnessUrls = (urls: ReadonlyArray<string>): Effect.Effect<WitnessUrls, CommandFailed> =>
  Effect.gen(function*() {
    const found: { rpcUrl?: string; ledgerApiUrl?: string } = {}
    for (const url of urls) {
      if (!URL.canParse(url)) return yield* wrongInput("--witness is no address.")
      const kind = (yield* isContractRpc(url)) ? "rpcUrl" : "ledgerApiUrl"
      if (found[kind] !== undefined) {
        return yield* wrongInput("--witness names two of one kind: a contract RPC and a ledger API can be named.")
      }
      found[kind] = url
    }
    return found
  })
