import { Data, Effect } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import { ContractRpcLagging } from "../../domain/failure/Upstream.ts"
import type { LedgerGap } from "../../domain/LedgerGap.ts"
import type { EventsReport, OwnerEvents } from "../../tokens/OwnerEvents.ts"
import { coversGap } from "../situation/AgreedGap.ts"
import type { Situation } from "../situation/Situation.ts"

/** A repeated scan found tokens that the first read did not, or ended early: everything must be read again. */
export class ReadAnew extends Data.TaggedError("ReadAnew") {}

const restsOnOne = warning(
  "single_source",
  "No second contract RPC returned its events or the token balances. That no other contract token is held rests on one source alone."
)

/** What of a merge is known already. */
interface MergeDoubt {
  /** The balances of the first read rest on one source. */
  readonly isUnconfirmed: boolean
  /** Ledgers without a scan, of which the owner gives up what came in them (`tokens:others`). Null: none. */
  readonly givenUp: LedgerGap | null
}

/** What a repeated scan says of a merge. One that ended early suffices only where the owner gives up what it may have missed. */
export const judgedAgain = (
  { alone, failure, tokens, unscanned }: Pick<EventsReport, "alone" | "failure" | "tokens" | "unscanned">,
  told: Pick<EventsReport, "tokens">,
  { givenUp, isUnconfirmed }: MergeDoubt
): Effect.Effect<ReadonlyArray<PlanBlocker>, ChainFailure | ReadAnew> => {
  if (failure !== null) return Effect.fail(failure)
  if (!coversGap(givenUp, unscanned) || tokens.some((one) => !told.tokens.includes(one))) return new ReadAnew()
  return Effect.succeed(isUnconfirmed || alone.length > 0 || unscanned !== null ? [restsOnOne] : [])
}

/** What is known of a merge, and what the owner says to it. */
interface MergeReading {
  readonly input: Pick<Situation["input"], "answers" | "source">
  readonly snapshot: { readonly tokens: Pick<Situation["snapshot"]["tokens"], "confirmation" | "told"> }
}

/**
 * Compares what a merge leaves in contract tokens with a second origin, as far as the read did not do so. Ledgers for which only one origin
 * was queried are scanned again. `isWitnessed`: there is a second origin.
 */
export const tokensOnOne = (
  { events, isWitnessed }: { readonly events: Pick<OwnerEvents["Type"], "again">; readonly isWitnessed: boolean },
  { input, snapshot: { tokens: { confirmation, told } } }: MergeReading
): Effect.Effect<ReadonlyArray<PlanBlocker>, ChainFailure | ContractRpcLagging | ReadAnew> =>
  Effect.gen(function*() {
    if (confirmation === "behind") return yield* new ContractRpcLagging({ behind: null, ageSeconds: null })
    const isUnconfirmed = confirmation === "alone" && isWitnessed
    if (told === null || told.alone.length === 0) return isUnconfirmed ? [restsOnOne] : []
    return yield* judgedAgain(yield* events.again(input.source), told, {
      isUnconfirmed,
      givenUp: input.answers.otherTokens?.params?.gap ?? null
    })
  })
