import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundleCloseout } from "../../../scripts/closeout-bundle.ts"

/** The command line as it is packed, in a folder of its own without any installed modules: the path of its file. */
export const installedCloseout = Effect.gen(function*() {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "closeout-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  yield* Effect.promise(() => bundleCloseout(folder))
  return join(folder, "closeout.mjs")
})
