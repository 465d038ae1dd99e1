import { Effect } from "effect"
import { closeSync, lstatSync, openSync, rmSync, writeFileSync } from "node:fs"
import { wrongInput } from "./CommandFailed.ts"

/** Permissions of new files that only their owner reads, such as a bundle with a preimage. An existing file keeps its own. */
export const privateMode = 0o600

/** A file that the command line names. */
export interface PrivateFile {
  /** What is in it, as a message begins: `The receipt`. */
  readonly what: string
  readonly path: string
  /** A sentence that follows where it cannot be written. */
  readonly addition?: string
}

const attempt = ({ addition = "Name another file.", what }: PrivateFile, work: () => void) =>
  Effect.try({
    try: work,
    catch: (cause) => wrongInput(`${what} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}. ${addition}`)
  })

/** Writes a file for its owner alone. */
export const writePrivate = (file: PrivateFile, content: string) =>
  attempt(file, () => writeFileSync(file.path, content, { mode: privateMode }))

/** Fails where a file cannot be written. It changes no file, and leaves no new one. */
export const checkPrivate = (file: PrivateFile) =>
  attempt(file, () => {
    const isNew = lstatSync(file.path, { throwIfNoEntry: false }) === undefined
    closeSync(openSync(file.path, "a", privateMode))
    if (isNew) rmSync(file.path)
  })
