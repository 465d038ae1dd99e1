import { writeFileSync } from "node:fs"

/** Permissions of new files that only their owner reads, such as a bundle with a preimage. An existing file keeps its own. */
export const privateMode = 0o600

/** Writes a file for its owner alone. Throws where it cannot be written. */
export const writePrivate = (file: string, text: string): void => writeFileSync(file, text, { mode: privateMode })
