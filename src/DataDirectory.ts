import { FileSystem } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Config, ConfigError, Effect } from "effect"
import { dirname, resolve } from "node:path"

/** `DATA_DIR`, `./data` by default. */
const named = Config.withDefault(Config.nonEmptyString("DATA_DIR"), "./data")

/** The path itself if it exists, else the nearest existing one above it. */
const nearestExisting = (path: string): Effect.Effect<string, PlatformError, FileSystem.FileSystem> =>
  Effect.flatMap(
    FileSystem.FileSystem,
    (files) => Effect.flatMap(files.exists(path), (exists) => exists ? Effect.succeed(path) : nearestExisting(dirname(path)))
  )

/** Whether the path is a folder in which files can be read, written and created. */
const isWritableFolder = (path: string) =>
  Effect.flatMap(
    FileSystem.FileSystem,
    (files) =>
      Effect.zipRight(
        files.access(path, { readable: true, writable: true }),
        Effect.map(files.stat(path), ({ type }) => type === "Directory")
      )
  )

const usable = (directory: string, folder: Effect.Effect<string, PlatformError, FileSystem.FileSystem>) =>
  Effect.flatMap(folder, isWritableFolder).pipe(
    Effect.filterOrFail((isUsable) => isUsable),
    Effect.mapBoth({
      onSuccess: () => directory,
      onFailure: () => ConfigError.InvalidData(["DATA_DIR"], "names a folder that cannot be created or written")
    })
  )

/** `DATA_DIR`, checked and not created. A folder that is missing can be created if the nearest one above it can be written. */
export const dataDirectorySetting: Effect.Effect<string, ConfigError.ConfigError, FileSystem.FileSystem> = Effect.flatMap(
  named,
  (directory) => usable(directory, nearestExisting(resolve(directory)))
)

/** `DATA_DIR`, created if it is missing. One that cannot be written ends the start: scanned announcements would be lost at each restart. */
export const dataDirectory: Effect.Effect<string, ConfigError.ConfigError, FileSystem.FileSystem> = Effect.flatMap(
  named,
  (directory) =>
    usable(
      directory,
      Effect.flatMap(FileSystem.FileSystem, (files) => Effect.as(files.makeDirectory(directory, { recursive: true }), directory))
    )
)
