/**
 * Writes the whole configured key store (`KEY_STORE_URL`, else `DATA_DIR`) into a file: hashes of keys, never a key.
 *
 *   npm run keys:export -- <file>
 *
 * The file is new, and only its owner may read it. Exits with 1 when nothing was written.
 */
import { FileSystem } from "@effect/platform"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Logger, LogLevel } from "effect"
import * as KeyDatabase from "../src/keys/database/KeyDatabase.ts"
import { exportedKeys, KeyFileRefused } from "../src/keys/KeyFile.ts"
import { reported } from "./keys/Reported.ts"

/** Writes the file and returns a summary. */
export const exportTo = (file: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const found = yield* Effect.provide(exportedKeys, KeyDatabase.layer({ passing: false, mayBeLate: false }))
    yield* Effect.mapError(
      files.writeFileString(file, `${JSON.stringify(found, null, 1)}\n`, { flag: "wx", mode: 0o600 }),
      () => new KeyFileRefused({ reason: `${file} cannot be written, or is there already` })
    )
    return `${found.keys.length} keys written to ${file}`
  })

if (import.meta.main) {
  const [file] = process.argv.slice(2)
  const work = file === undefined ? new KeyFileRefused({ reason: "usage: npm run keys:export -- <file>" }) : exportTo(file)
  await reported(work.pipe(Effect.provide(NodeFileSystem.layer), Logger.withMinimumLogLevel(LogLevel.Error)))
}
