import { Deferred, Effect, Schema } from "effect"
import { answering } from "./AnsweringClient.ts"
import type { Question } from "./CallEnds.ts"
import { computed, type Furnishing, type Outcome } from "./Computation.ts"
import { differencesOf } from "./Differences.ts"
import { ProofBundle } from "./ProofBundle.ts"
export { ownVersions } from "./OwnVersions.ts"
import { scansOf } from "./RecordedScans.ts"

/** What a bundle is worth. */
export type Replayed =
  /** The same answer, byte for byte. */
  | { readonly _tag: "Same" }
  /** Another answer, or none. Each part that differs, in words. */
  | { readonly _tag: "Different"; readonly parts: ReadonlyArray<string> }
  /** It was computed from more than the bundle holds. */
  | { readonly _tag: "Lacking"; readonly question: Question }

const compared = (answer: string, outcome: Outcome): Replayed => {
  if (outcome._tag === "Failure") return { _tag: "Different", parts: [`there is no answer: ${outcome.reason}`] }
  return outcome.text === answer ? { _tag: "Same" } : { _tag: "Different", parts: differencesOf(answer, outcome.text) }
}

/** Computes the answer of a bundle again, from the bundle alone, and compares the two. No network is reached. */
export const replayed = (
  { answer, calls, terms }: Pick<ProofBundle, "answer" | "calls" | "terms">,
  protocols: Pick<Furnishing, "protocols"> = {}
): Effect.Effect<Replayed> =>
  Effect.gen(function*() {
    const { client, lacking } = yield* answering(calls)
    const again = Effect.map(computed(terms, client, { scans: scansOf(terms.scans), ...protocols }), (outcome) => compared(answer, outcome))
    return yield* Effect.raceFirst(
      again,
      Effect.map(Deferred.await(lacking), (question): Replayed => ({ _tag: "Lacking", question }))
    )
  })

/** Reads a bundle. */
export const readBundle = Schema.decodeUnknown(Schema.parseJson(ProofBundle))

/** A bundle as a file. */
export const bundleText = Schema.encodeSync(Schema.parseJson(ProofBundle, { space: 1 }))
