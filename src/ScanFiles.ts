import { FileSystem } from "@effect/platform"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Layer, Schema } from "effect"
import { createHash } from "node:crypto"
import { NetworkSettings } from "./chain/NetworkSettings.ts"
import { ScValText } from "./chain/xdr/XdrText.ts"
import { dataDirectory } from "./DataDirectory.ts"
import { type Announcements, keptInMemory, type ScanStore } from "./protocols/reading/Announcements.ts"
import { ScanStores } from "./protocols/reading/ScanStores.ts"

/** A scan as it is stored. */
export const StoredScan = Schema.parseJson(Schema.Struct({
  covered: Schema.Array(Schema.Struct({ from: Schema.NonNegativeInt, to: Schema.NonNegativeInt })),
  data: Schema.Array(ScValText)
}))

/** Whose events of which kind on which network: what was scanned for one is no answer for another. */
const nameOf = (passphrase: string, { contracts, topics }: Announcements): string =>
  createHash("sha256").update(JSON.stringify([passphrase, contracts.toSorted(), topics.map((topic: xdr.ScVal) => topic.toXdr("base64"))]))
    .digest("hex").slice(0, 16)

/**
 * Scanned announcements in files: one a network and protocol under `DATA_DIR` (./data), with the contracts that were
 * announced and the ledgers that were looked through, and nothing of accounts. The sandbox begins anew with every process, so nothing of it is kept.
 */
export const scanFiles = Layer.effect(
  ScanStores,
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const { network, passphrase, sandbox } = yield* NetworkSettings
    if (sandbox) return ScanStores.of({ of: () => keptInMemory })
    const directory = yield* dataDirectory
    const inFile = (announcements: Announcements): ScanStore => {
      const file = `${directory}/announcements.${network}.${nameOf(passphrase, announcements)}.json`
      return {
        // A file that is not there, or not whole, is scanned again as far as sources remember.
        load: files.readFileString(file).pipe(
          Effect.flatMap(Schema.decode(StoredScan)),
          Effect.map(({ covered, data }) => ({ covered, data: new Map(data.map((value) => [value.toXdr("base64"), value] as const)) })),
          Effect.tapError((problem) =>
            problem._tag === "SystemError" && problem.reason === "NotFound"
              ? Effect.void
              : Effect.logWarning("stored announcements cannot be used; they are scanned again", { reason: problem._tag })
          ),
          Effect.catchAll(() => keptInMemory.load)
        ),
        save: ({ covered, data }) =>
          Effect.gen(function*() {
            const text = yield* Schema.encode(StoredScan)({ covered, data: [...data.values()] })
            yield* files.writeFileString(`${file}.new`, text)
            yield* files.rename(`${file}.new`, file)
          }).pipe(Effect.catchAll((problem) => Effect.logWarning("scanned announcements could not be stored", { reason: problem._tag })))
      }
    }
    return ScanStores.of({ of: inFile })
  })
)
