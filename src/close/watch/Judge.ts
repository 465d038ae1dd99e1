import { Effect, Option } from "effect"
import type { TransactionRecord, UnreadableRecord } from "../../chain/ledger-api/TransactionRecord.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import { sweepAccount } from "../sweep/MediatorSweep.ts"
import { type Breach, breachOf, type Honest, spentBy, unreadable } from "./Breach.ts"
import { possibleDrain } from "./PossibleDrain.ts"

/** What a transaction is found to be. */
export interface Judgement {
  /** The rule that it breaks; null: none. */
  readonly rule: string | null
  /** Whether the mediator is paused for it. */
  readonly pauses: boolean
  /** Stroops that a close or a sweep took from the mediator, negative where it left some. */
  readonly spent: bigint
}

/** A breach that pauses, also where the judgement itself fails. */
const unjudged: Breach = { rule: "unreadable", drained: null }

/**
 * Judges the transactions of a mediator's account. A close that paid more than it delivered pauses the mediator only where its account cannot have
 * been drained: anyone can give the mediator lumens, let it sign for an account, and drain that account.
 */
export const judging = Effect.fnUntraced(function*(mediator: AccountAddress) {
  const { network, passphrase } = yield* NetworkSettings
  const registry = yield* ExchangeRegistry
  const isDrained = yield* possibleDrain
  const honest: Honest = {
    mediator,
    passphrase,
    sweepAccount: Option.getOrNull(yield* sweepAccount(network)),
    listingOf: (destination) => Option.getOrNull(registry.lookup(destination))
  }
  return Effect.fnUntraced(function*(record: TransactionRecord | UnreadableRecord) {
    // A defect must not end the watch, and no stranger may pause the mediator by one.
    const { breach, spent } = yield* Effect.try(() => ({ breach: breachOf(record, honest), spent: spentBy(record, honest) })).pipe(
      Effect.orElse(() => Effect.try(() => ({ breach: unreadable(record, honest), spent: 0n }))),
      Effect.orElseSucceed(() => ({ breach: unjudged, spent: 0n }))
    )
    const isExplained = breach !== null && breach.drained !== null && (yield* isDrained(breach.drained, record))
    const judgement: Judgement = isExplained
      ? { rule: "drained_close", pauses: false, spent }
      : { rule: breach?.rule ?? null, pauses: breach !== null, spent }
    return judgement
  })
})
