import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { checked } from "../../scripts/registry-check.ts"
import { withFile } from "./WrittenFile.ts"

const [listed, doubtful, strange] = [Keypair.random().publicKey(), Keypair.random().publicKey(), Keypair.random().publicKey()] as const

const registry = {
  version: "1",
  lastVerified: "2026-01-10",
  validUntil: "2026-02-10",
  source: "test",
  entries: [{ address: listed, name: "Listed", domain: "listed.example", requiresMediator: false, requiresMemo: true, memoType: "id" }],
  unverified: [{
    address: doubtful,
    name: "Doubtful",
    evidence: [{ source: "a list", url: "https://list.example", checkedAt: "2026-01-10" }]
  }]
}

const compare = (...directories: ReadonlyArray<unknown>) =>
  withFile(JSON.stringify(registry), (file) => {
    const over = (
      rest: ReadonlyArray<unknown>,
      files: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyArray<string>, { readonly message: string }> =>
      rest.length === 0
        ? Effect.provide(checked(file, files), NodeContext.layer)
        : withFile(typeof rest[0] === "string" ? rest[0] : JSON.stringify(rest[0]), (next) => over(rest.slice(1), [...files, next]))
    return over(directories, [])
  })

describe("registry:check", () => {
  it.effect("finds nothing where the directories say the same, whatever their shape", () =>
    Effect.gen(function*() {
      const pages = {
        _embedded: { records: [{ address: listed, name: "Listed", tags: ["exchange"] }, { address: doubtful, name: "Doubtful" }] }
      }
      const records = [{ id: listed, data: { name: "Listed", requiredMemoType: "MEMO_ID" } }]
      const keyed = { [listed]: { name: "Listed", memo_type: "id" } }
      assert.deepStrictEqual(yield* compare(pages, records, keyed), [])
    }))

  it.effect("reports an address that the registry lacks, and an entry that no directory names", () =>
    Effect.gen(function*() {
      const lines = yield* compare({ [strange]: { name: "Strange" } })
      assert.lengthOf(lines, 2)
      assert.match(lines[0] ?? "", new RegExp(`^missing: ${strange} \\(Strange\\)`))
      assert.strictEqual(lines[1], `not named by any directory: ${listed} (Listed)`)
    }))

  it.effect("reports memo types that disagree, with the registry and between directories", () =>
    Effect.gen(function*() {
      const first = { [listed]: { memoType: "MEMO_TEXT" }, [doubtful]: { memoType: "MEMO_TEXT" } }
      const lines = yield* compare(first, { [doubtful]: { memoType: "MEMO_ID" } })
      assert.lengthOf(lines, 2)
      assert.match(lines[0] ?? "", new RegExp(`^memo types differ: ${listed}: id \\(the registry\\), text`))
      assert.match(lines[1] ?? "", new RegExp(`^memo types differ: ${doubtful}: text .*, id`))
    }))

  it.effect("refuses a directory that is no JSON or names no address", () =>
    Effect.gen(function*() {
      assert.match((yield* Effect.flip(compare("{"))).message, /is not JSON$/)
      assert.match((yield* Effect.flip(compare({ exchanges: ["Kraken"] }))).message, /names no account address$/)
    }))
})
