import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Uses a file of this text, and deletes it afterwards. */
export const withFile = <A, E, R>(text: string, use: (file: string) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "written-"))
      const file = join(folder, "file.json")
      writeFileSync(file, text)
      return { file, folder }
    }),
    ({ file }) => use(file),
    ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )
