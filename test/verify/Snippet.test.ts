import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Expected } from "../../src/operations/Expected.ts"
import { contractsOf } from "../../src/verify/Verifier.ts"
import { readCorpus } from "./support/Corpus.ts"
import { stranger } from "./support/Strangers.ts"

interface Snippet {
  readonly signVerified: (
    transaction: { readonly xdr: string },
    mine: Expected,
    sign: (xdr: string, hash: string) => string
  ) => string
  readonly wanted: (
    account: Pick<Expected, "balanceStroops" | "sequence"> & Expected["phase"],
    request: Pick<Expected, "decisions" | "destination" | "source">,
    now: number
  ) => Expected
}

/** The code of the page, as a caller would save it in a file. */
const snippetOf = async (page: string): Promise<Snippet> => {
  const [, code = ""] = /```js\n([\s\S]*?)```/.exec(readFileSync(new URL(`../../${page}`, import.meta.url), "utf8")) ?? []
  const folder = mkdtempSync(join(tmpdir(), "snippet-"))
  try {
    const file = join(folder, "snippet.mjs")
    writeFileSync(file, code)
    return await import(pathToFileURL(file).href) as Snippet
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe("the page about verifying", () => {
  const [one = assert.fail("there is no merge")] = readCorpus().filter(({ name }) => name === "account_merge")

  it("signs what was asked for, and says what it does", async () => {
    const { signVerified } = await snippetOf("docs/verifying.md")
    const said: Array<string> = []
    const { log } = console
    console.log = (sentence: string) => void said.push(sentence)
    try {
      assert.match(signVerified({ xdr: one.envelope }, one.expected, (_, hash) => hash), /^[0-9a-f]{64}$/)
    } finally {
      console.log = log
    }
    assert.include(said.join("\n"), `Merges the account into ${one.expected.destination}`)
  })

  it("signs nothing else, and puts together what a caller expects", async () => {
    const { signVerified, wanted } = await snippetOf("docs/verifying.md")
    const mine = wanted(
      { sequence: one.expected.sequence, balanceStroops: one.expected.balanceStroops, held: [] },
      { ...one.expected, destination: one.expected.source },
      one.expected.now
    )
    assert.deepStrictEqual(mine.contracts, contractsOf("mainnet"))
    assert.throws(() => signVerified({ xdr: one.envelope }, mine, () => assert.fail("it was signed")), /no other account/)
    const elsewhere = { ...one.expected, destination: stranger }
    assert.throws(() => signVerified({ xdr: one.envelope }, elsewhere, () => assert.fail("it was signed")), /Merges the account into G/)
  })
})
