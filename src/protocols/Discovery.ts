import { Effect, Either, Fiber } from "effect"
import type { Scope } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { ContractAddress } from "../domain/Address.ts"
import { askUntilKnown } from "./Asking.ts"
import type { ReadAt, Sources } from "./Asking.ts"
import type { LedgerView } from "./LedgerView.ts"
import type { Question } from "./Question.ts"

/** How a protocol finds contracts that no file lists, for instance pools that anybody may open. Pure, like the decoder. */
export interface Discovery {
  /** What is asked first. */
  readonly questions: ReadonlyArray<Question>
  /** The contracts beyond those configured. While there is something `further` to ask, `contracts` is not used. */
  readonly find: (view: LedgerView) => { readonly further: ReadonlyArray<Question>; readonly contracts: ReadonlyArray<ContractAddress> }
}

/** Contracts that were found, and as of when. */
export interface FoundContracts {
  readonly contracts: ReadonlyArray<ContractAddress>
  readonly at: ReadAt
}

/** How old a list may be: one opened since is not seen until then. */
export const mostAge = "5 minutes"

/** More rounds than any list takes. */
const mostRounds = 64

const look = (sources: Sources, { find, questions }: Discovery): Effect.Effect<Either.Either<FoundContracts, string>, ChainFailure> =>
  Effect.gen(function*() {
    const at = yield* sources.rpc.latestLedger
    const known = yield* askUntilKnown(sources, at, questions, mostRounds, (view) => {
      const { contracts, further } = find(view)
      return [contracts, further]
    })
    return Either.map(known, ({ value }) => ({ contracts: value, at: { sequence: at.sequence, closeTime: at.closeTime } }))
  })

/**
 * One list for all requests: whoever asks first has it read, whoever asks meanwhile waits for the same reading, and it is read anew
 * when it is too old. A reading that failed is not kept. Who stops waiting does not stop the reading.
 */
export const sharedList = (
  sources: Sources,
  discovery: Discovery
): Effect.Effect<Effect.Effect<Either.Either<FoundContracts, string>, ChainFailure>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const [reading, forget] = yield* Effect.cachedInvalidateWithTTL(Effect.forkIn(look(sources, discovery), scope), mostAge)
    return Effect.tapError(Effect.flatMap(reading, Fiber.join), () => forget)
  })
