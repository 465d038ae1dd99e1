import { HttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"
import { NetworkSettings } from "../chain/NetworkSettings.ts"
import type { ServedNetwork } from "../Networks.ts"
import { ScanStores } from "../protocols/reading/ScanStores.ts"
import { scanFiles } from "../ScanFiles.ts"
import { computed, type Outcome } from "./Computation.ts"
import { ownVersions } from "./OwnVersions.ts"
import type { ProofBundle } from "./ProofBundle.ts"
import { notedScans } from "./RecordedScans.ts"
import { recording } from "./RecordingClient.ts"
import { type Order, termsOf } from "./Terms.ts"

/** A computation that was recorded: all of a bundle but the answer, and the outcome. */
export interface Recorded extends Omit<ProofBundle, "answer"> {
  readonly outcome: Outcome
}

/**
 * Computes an answer now, apart from everything the service remembers, and records all that it is computed from. It costs as many calls of
 * the sources as the first request after a start. `served`: the network as this process serves it.
 */
export const recorded = (served: ServedNetwork, order: Order) =>
  Effect.gen(function*() {
    const real = yield* HttpClient.HttpClient
    const { standIns, terms } = yield* termsOf(served, order)
    const stores = yield* ScanStores.pipe(
      Effect.provide(Layer.provide(scanFiles, Layer.succeed(NetworkSettings, served.address)))
    )
    const scans = new Map<string, string>()
    const { calls, client } = yield* recording(real, standIns)
    const outcome = yield* computed(terms, client, {
      scans: notedScans(stores, scans),
      ...(served.protocols === undefined ? {} : { protocols: served.protocols })
    })
    const made: Recorded = {
      format: "closeout-proof-1",
      versions: ownVersions,
      terms: { ...terms, scans: Object.fromEntries(scans) },
      calls: calls(),
      outcome
    }
    return made
  })
