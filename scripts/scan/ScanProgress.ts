import { FileSystem } from "@effect/platform"
import { Effect, Either, Schema } from "effect"
import { ContractAddress } from "../../src/domain/Address.ts"
import type { ProtocolName } from "../../src/domain/ProtocolName.ts"

const Ledger = Schema.NonNegativeInt
const Contracts = Schema.Array(ContractAddress)

/** The progress of a scan for one protocol. */
export const Scanned = Schema.Struct({
  /** The announcing factories: progress for other factories does not count for these. */
  factories: Contracts,
  covered: Schema.Array(Schema.Struct({ from: Ledger, to: Ledger })),
  announced: Contracts,
  possible: Contracts
})
export type Scanned = typeof Scanned.Type

const Kept = Schema.parseJson(Schema.Record({ key: Schema.String, value: Scanned }))

/** The point from which a stopped scan continues. */
export interface ScanProgress {
  readonly of: (protocol: ProtocolName, factories: ReadonlyArray<ContractAddress>) => Scanned
  readonly save: (protocol: ProtocolName, scanned: Scanned) => Effect.Effect<void>
  /** The scan is complete: there is nothing left to resume. */
  readonly forget: Effect.Effect<void>
}

const over = (
  known: Map<string, Scanned>,
  store: Pick<ScanProgress, "forget"> & { readonly write: Effect.Effect<void> }
): ScanProgress => ({
  of: (protocol, factories) => {
    const found = known.get(protocol)
    return found?.factories.join() === factories.join() ? found : { factories, covered: [], announced: [], possible: [] }
  },
  save: (protocol, scanned) => Effect.zipRight(Effect.sync(() => known.set(protocol, scanned)), store.write),
  forget: store.forget
})

/** Kept nowhere. */
export const passingProgress = (): ScanProgress => over(new Map(), { write: Effect.void, forget: Effect.void })

/** Kept in a file beside the contracts file, rewritten after every answer. An incomplete file is started anew. */
export const progressIn = (file: string): Effect.Effect<ScanProgress, never, FileSystem.FileSystem> =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const text = yield* Effect.orElseSucceed(files.readFileString(file), () => "{}")
    const known = new Map(Object.entries(Either.getOrElse(Schema.decodeEither(Kept)(text), () => ({}))))
    const write = Effect.suspend(() => files.writeFileString(`${file}.new`, JSON.stringify(Object.fromEntries(known)))).pipe(
      Effect.zipRight(Effect.suspend(() => files.rename(`${file}.new`, file))),
      Effect.orDie
    )
    return over(known, { write, forget: Effect.ignore(files.remove(file)) })
  })
