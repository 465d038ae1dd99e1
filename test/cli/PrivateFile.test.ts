import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { checkPrivate, writePrivate } from "../../src/cli/PrivateFile.ts"
import { temporaryFolder } from "../support/TemporaryFolder.ts"

describe("a file that a command writes", () => {
  it.scoped("is its owner's alone, and keeps what it has while it is checked", () =>
    Effect.gen(function*() {
      const file = { what: "The bundle", path: join(yield* temporaryFolder, "bundle.json") }
      yield* checkPrivate(file)
      assert.isFalse(existsSync(file.path))
      yield* writePrivate(file, "{}\n")
      assert.strictEqual(statSync(file.path).mode & 0o777, 0o600)
      yield* checkPrivate(file)
      assert.strictEqual(readFileSync(file.path, "utf8"), "{}\n")
    }))

  it.scoped("is named as wrong input where its folder is missing, and no error of the program", () =>
    Effect.gen(function*() {
      const file = { what: "The bundle", path: join(yield* temporaryFolder, "missing", "bundle.json") }
      for (
        const refused of [
          yield* Effect.flip(writePrivate(file, "")),
          yield* Effect.flip(checkPrivate({ ...file, addition: "Nothing was signed." }))
        ]
      ) {
        assert.deepInclude(refused, { _tag: "CommandFailed", code: "wrong_input", retry: "after_fix" })
        assert.match(refused.message, /^The bundle cannot be written: ENOENT.*missing.*\. (Name another file|Nothing was signed)\.$/)
      }
    }))
})
