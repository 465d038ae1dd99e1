import { Effect, Layer, Schema } from "effect"
import { type Announcements, keptInMemory, type ScanStore } from "../protocols/reading/Announcements.ts"
import type { ScanRecord } from "../protocols/reading/ScanRecord.ts"
import { ScanStores } from "../protocols/reading/ScanStores.ts"
import { StoredScan } from "../ScanFiles.ts"
import type { ProofTerms } from "./ProofBundle.ts"

const nameOf = ({ contracts, topics }: Announcements): string =>
  JSON.stringify([contracts.toSorted(), topics.map((topic) => topic.toXdr("base64"))])

const textOf = ({ covered, data }: ScanRecord) => Effect.orDie(Schema.encode(StoredScan)({ covered, data: [...data.values()] }))

/** Stored scans as they are, each noted when it is read. What is scanned now is not stored. */
export const notedScans = (stores: ScanStores["Type"], scans: Map<string, string>): Layer.Layer<ScanStores> =>
  Layer.succeed(ScanStores, {
    of: (announcements): ScanStore => ({
      load: Effect.tap(
        stores.of(announcements).load,
        (found) => Effect.map(textOf(found), (text) => void scans.set(nameOf(announcements), text))
      ),
      save: () => Effect.void
    })
  })

const readScan = Schema.decode(StoredScan)

/** Scans that were noted. */
export const scansOf = (scans: ProofTerms["scans"]): Layer.Layer<ScanStores> =>
  Layer.succeed(ScanStores, {
    of: (announcements): ScanStore => {
      const text = scans[nameOf(announcements)]
      if (text === undefined) return keptInMemory
      const load = Effect.map(readScan(text), ({ covered, data }): ScanRecord => ({
        covered,
        data: new Map(data.map((value) => [value.toXdr("base64"), value] as const))
      }))
      return { load: Effect.orDie(load), save: () => Effect.void }
    }
  })
