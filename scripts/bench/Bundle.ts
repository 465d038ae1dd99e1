import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A folder with what `npm run build` makes, deleted with the scope. */
export const bundle = Effect.gen(function*() {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bench-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  yield* Effect.sync(() => execFileSync(process.execPath, ["scripts/build.ts", folder]))
  return folder
})
