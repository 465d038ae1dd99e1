/**
 * Imports a file of `npm run keys:export` into the configured key store (`KEY_STORE_URL`, else `DATA_DIR`), completely or not at all.
 *
 *   npm run keys:import -- <file>
 *
 * May be repeated: an existing key expires at the earlier time of store and file. Exits with 1 when nothing changed.
 */
import { FileSystem } from "@effect/platform"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Logger, LogLevel } from "effect"
import * as KeyDatabase from "../src/keys/database/KeyDatabase.ts"
import { importKeys, KeyFileRefused, readKeyFile } from "../src/keys/KeyFile.ts"
import { reported } from "./keys/Reported.ts"

/** Reads the file into the store and returns the counts. */
export const importFrom = (file: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const text = yield* Effect.mapError(files.readFileString(file), () => new KeyFileRefused({ reason: `${file} cannot be read` }))
    const document = yield* Effect.mapError(readKeyFile(text), ({ reason }) => new KeyFileRefused({ reason: `${file}: ${reason}` }))
    yield* Effect.provide(importKeys(document), KeyDatabase.layer({ passing: false, mayBeLate: false }))
    return `${document.keys.length} keys of ${file} are in the store`
  })

if (import.meta.main) {
  const [file] = process.argv.slice(2)
  const work = file === undefined ? new KeyFileRefused({ reason: "usage: npm run keys:import -- <file>" }) : importFrom(file)
  await reported(work.pipe(Effect.provide(NodeFileSystem.layer), Logger.withMinimumLogLevel(LogLevel.Error)))
}
