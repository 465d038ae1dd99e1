import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A folder of a test's own, as long as the scope is open. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "closeout-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)
