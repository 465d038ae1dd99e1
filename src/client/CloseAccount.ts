import { Effect, Mailbox, Stream } from "effect"
import { CallbackFailed, CloseAborted, type CloseFailure, UnexpectedAnswer } from "./ClientFailure.ts"
import type { CloseEvent } from "./CloseEvent.ts"
import { closeLoop } from "./CloseLoop.ts"
import { type CloseOptions, settingsOf } from "./CloseOptions.ts"
import type { Receipt } from "./Receipt.ts"
import { httpLayer, Service, serviceClient } from "./ServiceClient.ts"

/** A close, not yet begun: each of its forms begins one of its own. Called again it continues where the ledger stands. */
export interface AccountClose extends AsyncIterable<CloseEvent> {
  /** Everything that happens, in order; the last event is `receipt`. */
  readonly events: Stream.Stream<CloseEvent, CloseFailure>
  /** The receipt alone. */
  readonly effect: Effect.Effect<Receipt, CloseFailure>
  /** For who has no Effect. It rejects with the failure itself; each event is reported to `onEvent`. */
  readonly promise: (onEvent?: (event: CloseEvent) => void) => Promise<Receipt>
}

const aborted = (signal: AbortSignal): Effect.Effect<never, CloseAborted> =>
  Effect.async((resume) => {
    const abort = () => resume(new CloseAborted())
    if (signal.aborted) return abort()
    signal.addEventListener("abort", abort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", abort))
  })

const eventsOf = (options: CloseOptions): Stream.Stream<CloseEvent, CloseFailure> => {
  const told = Effect.gen(function*() {
    const settings = yield* settingsOf(options)
    const mailbox = yield* Mailbox.make<CloseEvent, CloseFailure>(0)
    const closing = closeLoop(settings, (event) => Effect.asVoid(mailbox.offer(event))).pipe(
      Effect.provideServiceEffect(Service, serviceClient(options)),
      Effect.provide(httpLayer(options.fetch))
    )
    yield* Effect.forkScoped(Mailbox.into(closing, mailbox))
    return Mailbox.toStream(mailbox)
  })
  const events = Stream.unwrapScoped(told)
  return options.signal === undefined ? events : Stream.interruptWhen(events, aborted(options.signal))
}

/** Closes an account: plans, asks, builds, verifies, has it signed, submits, until it is gone. */
export const closeAccount = (options: CloseOptions): AccountClose => {
  const events = eventsOf(options)
  const receiptAfter = (tell: (event: CloseEvent) => void) =>
    Stream.runFoldEffect(events, null as Receipt | null, (last, event) =>
      Effect.try({
        try: () => {
          tell(event)
          return event._tag === "receipt" ? event.receipt : last
        },
        catch: (cause) => new CallbackFailed({ callback: "onEvent", cause })
      })).pipe(
        Effect.flatMap((receipt): Effect.Effect<Receipt, CloseFailure> =>
          receipt === null ? new UnexpectedAnswer({ reason: "the close ended without a receipt" }) : Effect.succeed(receipt)
        )
      )
  return {
    events,
    effect: receiptAfter(() => undefined),
    promise: async (onEvent = () => undefined) => {
      const ended = await Effect.runPromise(Effect.either(receiptAfter(onEvent)))
      if (ended._tag === "Left") throw ended.left
      return ended.right
    },
    [Symbol.asyncIterator]: () => Stream.toAsyncIterable(events)[Symbol.asyncIterator]()
  }
}
