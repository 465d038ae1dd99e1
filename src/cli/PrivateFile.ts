import { closeSync, lstatSync, openSync, rmSync, writeFileSync } from "node:fs"

/** Permissions of new files that only their owner reads, such as a bundle with a preimage. An existing file keeps its own. */
export const privateMode = 0o600

/** Writes a file for its owner alone. Throws where it cannot be written. */
export const writePrivate = (file: string, text: string): void => writeFileSync(file, text, { mode: privateMode })

/** Throws where a file cannot be written. It changes no file, and leaves no new one. */
export const checkPrivate = (file: string): void => {
  const isNew = lstatSync(file, { throwIfNoEntry: false }) === undefined
  closeSync(openSync(file, "a", privateMode))
  if (isNew) rmSync(file)
}
