import { FileSystem } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Config, ConfigError, Effect } from "effect"
import { dirname, resolve } from "node:path"

/** `DATA_DIR`, `./data` by default. */
const named = Config.withDefault(Config.nonEmptyString("DATA_DIR"), "./data")

const unusable = () => ConfigError.InvalidData(["DATA_DIR"], "names a folder that cannot be created or written")

/** The path itself if it exists, else the nearest existing one above it. */
const nearestExisting = (files: FileSystem.FileSystem, path: string): Effect.Effect<string, PlatformError> =>
  Effect.flatMap(files.exists(path), (exists) => (exists ? Effect.succeed(path) : nearestExisting(files, dirname(path))))

/** Fails unless the path is a folder in which files can be read, written and created. */
const writableFolder = (files: FileSystem.FileSystem, path: string) =>
  Effect.gen(function*() {
    yield* files.access(path, { readable: true, writable: true })
    const { type } = yield* files.stat(path)
    if (type !== "Directory") return yield* Effect.fail(unusable())
  })

/** `DATA_DIR`, checked and not created. A folder that is missing can be created if the nearest one above it can be written. */
export const dataDirectorySetting: Effect.Effect<string, ConfigError.ConfigError, FileSystem.FileSystem> = Effect.gen(function*() {
  const files = yield* FileSystem.FileSystem
  const directory = yield* named
  const nearest = yield* Effect.mapError(nearestExisting(files, resolve(directory)), unusable)
  yield* Effect.mapError(writableFolder(files, nearest), unusable)
  return directory
})

/** `DATA_DIR`, created if it is missing. One that cannot be written ends the start: scanned announcements would be lost at each restart. */
export const dataDirectory: Effect.Effect<string, ConfigError.ConfigError, FileSystem.FileSystem> = Effect.gen(function*() {
  const files = yield* FileSystem.FileSystem
  const directory = yield* named
  yield* Effect.mapError(files.makeDirectory(directory, { recursive: true }), unusable)
  yield* Effect.mapError(writableFolder(files, directory), unusable)
  return directory
})
