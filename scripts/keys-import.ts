/**
 * Puts a file of `npm run keys:export` into the key store that the settings name (`KEY_STORE_URL`, else `DATA_DIR`), all of it or nothing.
 *
 *   npm run keys:import -- <file>
 *
 * May be repeated: a key that is there already ends no later than the store or the file says. Exits with 1 when nothing was changed.
 */
import { FileSystem } from "@effect/platform"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Logger, LogLevel } from "effect"
import * as KeyDatabase from "../src/keys/database/KeyDatabase.ts"
import { importKeys, KeyFileRefused, readKeyFile } from "../src/keys/KeyFile.ts"
import { reported } from "./keys/Reported.ts"

/** Reads the file into the store and says how much it was. */
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
