import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { ProtocolReading } from "../../../protocols/ProtocolRegistry.ts"
import type { Unreadable } from "../../situation/Exits.ts"

/** A reading that says something, if only that its decoder cannot cope. */
export type TellingReading = Exclude<ProtocolReading, { _tag: "Unread" }>

/** Why asking again may bring what is missing; null where it would not. */
const failureOf = (reading: ProtocolReading): ChainFailure | null => {
  switch (reading._tag) {
    case "Unread":
      return reading.failure
    case "Broken":
      return null
    case "Read": {
      // What does not decode, decodes no better the next time: then it is the owner's to decide.
      const failure = reading.found?.doubt?.failure ?? null
      return failure?._tag === "UpstreamUnusable" ? null : failure
    }
  }
}

/** Fails where a source gave no answer, for the account or for the list of contracts: nothing is closed over what may be known shortly. */
export const readingsThatTell = (readings: ReadonlyArray<ProtocolReading>): Effect.Effect<ReadonlyArray<TellingReading>, ChainFailure> =>
  Effect.forEach(readings, (reading) => {
    const failure = failureOf(reading)
    return failure !== null ? Effect.fail(failure) : Effect.succeed(reading._tag === "Unread" ? [] : [reading])
  }).pipe(Effect.map((all) => all.flat()))

/** What cannot be read of a protocol, however often it is tried. */
export const unreadableIn = (reading: TellingReading): ReadonlyArray<Unreadable> => {
  const protocol = reading.protocol.name
  if (reading._tag === "Broken") {
    return [{ protocol, items: [], reason: reading.reason, contracts: [...(reading.protocol.contracts)].toSorted(), gap: null }]
  }
  const gap = reading.found?.doubt?.gap ?? null
  const contracts = [...new Set(reading.unrecognized.map(({ contract }) => contract))].toSorted()
  return contracts.length === 0 && gap === null ? [] : [{ protocol, items: reading.unrecognized, reason: null, contracts, gap }]
}
