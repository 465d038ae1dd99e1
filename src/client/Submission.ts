import { Effect, Ref } from "effect"
import { ConfirmationTimeout, TransactionFailed } from "../domain/failure/Submitting.ts"
import { TransactionHash } from "../domain/Ledger.ts"
import { type CloseFailure, UnexpectedAnswer } from "./ClientFailure.ts"
import { Closing } from "./Closing.ts"
import { called, CallFailed, Service } from "./ServiceClient.ts"

/** A transaction in a ledger. */
export interface Confirmed {
  readonly hash: string
  readonly ledger: number
}

/** What the network says of a transaction that was handed in: in a ledger, unknown (null), or a failure. */
const found = (hash: string): Effect.Effect<Confirmed | null, CallFailed, Service | Closing> =>
  Effect.gen(function*() {
    const { settings: { network } } = yield* Closing
    const { submit } = yield* Service
    const { ledger, resultCode = "tx_failed", status } = yield* called(
      submit.lookup({ path: { network, hash: TransactionHash.make(hash) } })
    )
    switch (status) {
      case "success":
        return { hash, ledger: ledger ?? 0 }
      case "failed": {
        const failure = new TransactionFailed({ hash, ledger: ledger ?? 0, resultCode, operationResultCodes: [] })
        return yield* new CallFailed({ failure, retry: "replan", retryAfterSeconds: null })
      }
      case "pending":
        return yield* new CallFailed({ failure: new ConfirmationTimeout({ hash }), retry: "after_delay", retryAfterSeconds: null })
      case "unknown":
        return null
    }
  })

/** A call that changes something: before it is repeated, the service is queried for what became of the transaction. */
export const carefully = <A>(
  hash: string,
  call: Effect.Effect<A, CallFailed | CloseFailure, Service | Closing>
): Effect.Effect<A | Confirmed, CallFailed | CloseFailure, Service | Closing> =>
  Effect.gen(function*() {
    const { retrying } = yield* Closing
    const isRepeated = yield* Ref.make(false)
    const refused = yield* Ref.make<CallFailed | null>(null)
    const once: Effect.Effect<A | Confirmed, CallFailed | CloseFailure, Service | Closing> = Effect.gen(function*() {
      const known = (yield* Ref.getAndSet(isRepeated, true)) ? yield* found(hash) : null
      return known ?? (yield* call)
    })
    // What a new plan helps is reported apart from what time helps: the caller of this decides about it.
    const settled = Effect.catchTag(once, "CallFailed", (failed) =>
      failed.retry === "replan" ? Effect.as(Ref.set(refused, failed), null) : Effect.fail(failed))
    const outcome = yield* retrying<A | Confirmed | null, CloseFailure, Service | Closing>(settled)
    if (outcome !== null) {
      return outcome
    }
    return yield* Effect.flatMap(
      Ref.get(refused),
      (failed) => (failed === null ? Effect.dieMessage("nothing was refused") : Effect.fail(failed))
    )
  })

/** Hands in a signed transaction and waits until it is in a ledger. */
export const submitted = (
  envelope: string,
  hash: string
): Effect.Effect<Confirmed, CallFailed | CloseFailure, Service | Closing> =>
  carefully(
    hash,
    Effect.gen(function*() {
      const { settings: { network } } = yield* Closing
      const { submit } = yield* Service
      const answer = yield* called(submit.submit({ path: { network }, payload: { signedXdr: envelope } }))
      if (answer.hash !== hash) return yield* new UnexpectedAnswer({ reason: "submit answers with the hash of another transaction" })
      return { hash, ledger: answer.ledger }
    })
  )
