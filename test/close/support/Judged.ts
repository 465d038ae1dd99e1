import type { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { acknowledges } from "./Answering.ts"
import { type Asked, plan, refusal } from "./Client.ts"

/** The request of a close with the destination acknowledged. */
export const acknowledged = (source: Keypair, destination: Keypair) => ({
  source: source.publicKey(),
  destination: destination.publicKey(),
  decisions: [acknowledges(destination.publicKey())]
})

/** The plan of a request, and the builder's error for it. */
export const judged = (request: Asked) =>
  Effect.gen(function*() {
    const { blockers, status } = yield* plan(request)
    return { status, reasons: blockers.map(({ reason }) => reason), blockers, refusal: yield* refusal("next", request) }
  })
