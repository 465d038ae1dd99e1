import { Clock, Context, Duration, Effect, Layer, Ref } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { ContractRpc } from "../chain/ContractRpc.ts"
import { type SharedWork, sharing } from "../chain/SharedWork.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { ToldApproval } from "./Approval.ts"
import { eventBudget } from "./EventBudget.ts"
import { type EventScan, scanEvents } from "./EventScan.ts"
import { nothingTold, sizeOf, type ToldEvents, valuesOf } from "./ToldEvents.ts"

export type { Approval, ToldApproval } from "./Approval.ts"

/** What events of token contracts tell of an owner, as far as they were scanned. Anybody can make a contract tell such things. */
export interface ToldByEvents {
  /** Token contracts that told of a transfer to or from the owner, or of tokens minted to it, the newest first. */
  readonly tokens: ReadonlyArray<ContractAddress>
  /** The newest first. */
  readonly approvals: ReadonlyArray<ToldApproval>
  /** Base units that came to the owner and went from it, by token and ledger, as far as they are kept. */
  readonly moves: ToldEvents["moves"]
  /** Ledgers that were scanned, both ends included; null where there was no time to begin. */
  readonly scanned: { readonly fromLedger: number; readonly toLedger: number } | null
  /** Whether everything that the source still knows was scanned. */
  readonly complete: boolean
  /** How much did not fit the bounds. */
  readonly dropped: { readonly tokens: number; readonly approvals: number }
  /** Why the scan ended early, where a source failed. */
  readonly failure: ChainFailure | null
}

/** How long what was scanned of an owner is remembered, of how many owners, and how much of it all. */
export const remembered = { time: Duration.minutes(10), owners: 1_000, entries: 200_000 }

interface Memory {
  readonly told: ToldEvents
  /** Milliseconds of the clock, when it was scanned first. */
  readonly since: number
}

type Memories = ReadonlyMap<AccountAddress, Memory>

/** With one more, which is the newest; without what is too old, and the oldest without as many as there is no room for. */
const including = (memories: Memories, owner: AccountAddress, memory: Memory, now: number): Memories => {
  const kept: Array<readonly [AccountAddress, Memory]> = []
  let entries = 0
  const isYoung = ({ since }: Memory): boolean => now - since < Duration.toMillis(remembered.time)
  for (const one of [[owner, memory] as const, ...[...memories].filter(([other]) => other !== owner).toReversed()]) {
    entries += sizeOf(one[1].told)
    if (kept.length === remembered.owners || entries > remembered.entries) break
    if (isYoung(one[1])) kept.push(one)
  }
  return new Map(kept.toReversed())
}

const toldBy = ({ complete, failure, told: { approvals, covered, moves, tokens } }: EventScan): ToldByEvents => {
  const newest = covered.at(-1)
  return {
    tokens: valuesOf(tokens),
    approvals: valuesOf(approvals),
    moves,
    scanned: newest === undefined ? null : { fromLedger: newest.from, toLedger: newest.to - 1 },
    complete,
    dropped: { tokens: tokens.dropped, approvals: approvals.dropped },
    failure
  }
}

/** Scans transfers, mints and approvals of owners (`getEvents`), and remembers what was scanned. */
export class OwnerEvents extends Context.Tag("closeout/tokens/OwnerEvents")<OwnerEvents, {
  /** In bounded windows, the newest ledgers first, until all that is retained was scanned or the budget is used. */
  readonly of: (owner: AccountAddress) => Effect.Effect<ToldByEvents>
}>() {
  /**
   * Over the contract RPC, within `eventBudget`. What was scanned of an owner is remembered for ten minutes, so that later only what came
   * since, and what is missing, is scanned; whoever asks for the same owner meanwhile waits for the same scan. Of accounts nothing else is
   * remembered.
   */
  static readonly layer = Layer.scoped(
    OwnerEvents,
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      const budget = yield* eventBudget
      const share = yield* sharing
      const memories = yield* Ref.make<Memories>(new Map())
      const running = yield* Ref.make<ReadonlyMap<AccountAddress, SharedWork<ToldByEvents, never>>>(new Map())
      const window = yield* Ref.make(budget.window)
      const one = yield* Effect.makeSemaphore(1)

      const scan = (owner: AccountAddress): Effect.Effect<ToldByEvents> =>
        Effect.gen(function*() {
          const now = yield* Clock.currentTimeMillis
          const known = (yield* Ref.get(memories)).get(owner)
          const before = known === undefined || now - known.since >= Duration.toMillis(remembered.time) ? null : known
          // What was too large once is tried again at twice the size: what a source takes depends on how busy it is.
          const size = yield* Ref.updateAndGet(window, (last) => Math.min(budget.window, last * 2))
          const scanned = yield* scanEvents(rpc, owner, before?.told ?? nothingTold, {
            ...budget,
            window: size,
            narrow: (tooLarge) => Ref.update(window, (last) => Math.min(last, Math.ceil(tooLarge / 2)))
          })
          yield* Ref.update(memories, (all) => including(all, owner, { told: scanned.told, since: before?.since ?? now }, now))
          return toldBy(scanned)
        }).pipe(
          Effect.ensuring(one.withPermits(1)(Ref.update(running, (all) => new Map([...all].filter(([other]) => other !== owner)))))
        )

      const begun = (owner: AccountAddress) =>
        one.withPermits(1)(Effect.gen(function*() {
          const known = (yield* Ref.get(running)).get(owner)
          if (known !== undefined) return known
          const work = yield* share("OwnerEvents.scan", scan(owner))
          yield* Ref.update(running, (all) => new Map([...all, [owner, work]]))
          return work
        }))

      return OwnerEvents.of({ of: (owner) => Effect.flatMap(begun(owner), ({ outcome }) => outcome) })
    })
  )
}
