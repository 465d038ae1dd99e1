import { assert, describe, it } from "@effect/vitest"
import { StrKey } from "@stellar/stellar-sdk"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = new URL("../", import.meta.url)

const textOf = (path: string): string => readFileSync(new URL(path, root), "utf8")

const filesUnder = (folder: string): ReadonlyArray<string> =>
  readdirSync(fileURLToPath(new URL(folder, root)), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => `${parentPath}/${name}`)

interface Row {
  readonly number: string
  readonly held: string
}

const rows: ReadonlyArray<Row> = textOf("test/hazards.md").split("\n").flatMap((line) => {
  const [, number = "", hazard, held = ""] = line.split("|").map((cell) => cell.trim())
  return hazard !== undefined && /^\d/.test(number) ? [{ number, held }] : []
})

const upTo = (first: number, last: number): ReadonlyArray<string> => Array.from({ length: last - first + 1 }, (_, at) => String(first + at))

const numbers = [...upTo(1, 46), "46b", ...upTo(47, 118), "118b", ...upTo(119, 220)]

/** Every test of a row, as a file and a name. A file counts for all names after it. */
const testsIn = ({ held }: Row): ReadonlyArray<readonly [file: string, name: string]> =>
  [...held.matchAll(/`([^`]+\.test\.ts)` "((?:[^"])+)"/g)].map(([, file = "", name = ""]) => [file, name] as const)

const reasons = ["Cannot occur: ", "With contract work: ", "Open: ", "A matter of review"]

describe("the table of hazards", () => {
  it("has every number once, in order", () => {
    assert.deepStrictEqual(rows.map(({ number }) => number), numbers)
  })

  it("names a test or a reason for each", () => {
    for (const row of rows) {
      assert.isTrue(testsIn(row).length > 0 || reasons.some((reason) => row.held.startsWith(reason)), row.number)
    }
  })

  it("names tests that exist", () => {
    for (const row of rows) {
      for (const [file, name] of testsIn(row)) {
        const source = textOf(`test/${file}`)
        assert.isTrue(source.includes(`"${name}"`) || source.includes(`\`${name}\``), `${row.number}: ${file} has no test called "${name}"`)
      }
    }
  })

  it("quotes nothing that is not such a name", () => {
    for (const { held, number } of rows) {
      assert.strictEqual((held.match(/\.test\.ts/g) ?? []).length, new Set(held.match(/`[^`]+\.test\.ts` "[^"]+"/g) ?? []).size, number)
    }
  })
})

describe("the repository", () => {
  it("holds no secret seed", () => {
    const found = ["src", "test", "scripts"].flatMap(filesUnder).filter((path) =>
      (readFileSync(path, "utf8").match(/S[A-Z2-7]{55}/g) ?? []).some((text) => StrKey.isValidEd25519SecretSeed(text))
    )
    assert.deepStrictEqual(found, [])
  })

  it("loads one build of the SDK", () => {
    assert.strictEqual(JSON.parse(textOf("package.json")).type, "module")
    // Bundles have a `require` for Node's own modules; Ledger's libraries load in no other way, and have no SDK of their own.
    const exempt = (path: string) => /\/(scripts\/(build|bundling)|src\/cli\/LedgerInput)\.ts$/.test(path)
    const required = ["src", "scripts"].flatMap(filesUnder).filter((path) => !exempt(path)).filter((path) =>
      /createRequire|module\.exports|from "[^"]+\.cjs"/.test(readFileSync(path, "utf8"))
    )
    assert.deepStrictEqual(required, [])
  })
})
