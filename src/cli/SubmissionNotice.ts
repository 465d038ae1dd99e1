import { Effect, Exit, Stream } from "effect"
import type { CloseFailure } from "../client/ClientFailure.ts"
import type { CloseEvent } from "../client/CloseEvent.ts"
import type { CloseOptions } from "../client/CloseOptions.ts"
import { decodePlain } from "../client/Envelope.ts"
import { showSecond } from "../domain/Instant.ts"
import { passphraseOf } from "./Passphrase.ts"
import { warn } from "./Screen.ts"

/** The last moment of a verified transaction, in Unix seconds. Verified ones have an end. */
const endOf = (envelope: string, passphrase: string): Effect.Effect<bigint, CloseFailure> =>
  Effect.map(decodePlain(envelope, passphrase), ({ timeBounds }) => BigInt(timeBounds?.maxTime ?? 0))

/**
 * The events of a close. Where they are interrupted after a submission, a warning names the transaction that may still count. Events that fail
 * say so themselves.
 */
export const withSubmissionNotice = (
  events: Stream.Stream<CloseEvent, CloseFailure>,
  { network, networkPassphrase, source }: Pick<CloseOptions, "network" | "networkPassphrase" | "source">
): Stream.Stream<CloseEvent, CloseFailure> =>
  Stream.suspend(() => {
    let end = 0n
    let submitted: string | null = null
    const note = (event: CloseEvent) =>
      Effect.gen(function*() {
        if (event._tag === "verified") end = yield* endOf(event.transaction.xdr, passphraseOf(network, networkPassphrase))
        if (event._tag === "submitted") submitted = event.hash
        if (event._tag === "confirmed") submitted = null
      })
    const notice = Effect.suspend(() =>
      submitted === null
        ? Effect.void
        : warn(`${source}: transaction ${submitted} was submitted and may still count until ${showSecond(end)}.`)
    )
    return Stream.ensuringWith(Stream.tap(events, note), (exit) => (Exit.isInterrupted(exit) ? notice : Effect.void))
  })
