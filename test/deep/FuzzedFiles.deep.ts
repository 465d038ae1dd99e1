import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, FastCheck as fc, Layer } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { settingProblems } from "../../src/serving/SettingProblems.ts"
import { settings } from "../../src/serving/Settings.ts"
import { apiKey } from "../sim/ServiceFiles.ts"
import { registryWith } from "./support/chaos/ChaosCast.ts"

/** `FUZZ_RUNS`: values of each setting, and texts of each file. */
const numRuns = Number(process.env["FUZZ_RUNS"] ?? 150)
const seed = Number(process.env["FUZZ_SEED"] ?? 1)

const problemsWith = (set: Readonly<Record<string, string>>) =>
  Effect.runPromise(
    settingProblems(Object.keys(set)).pipe(
      Effect.provide(Layer.merge(NodeFileSystem.layer, Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(set))))))
    )
  )

const bit = fc.oneof(
  fc.constantFrom("", " ", ",", "=", "\n", "\u0000", "\"", "{", "]", "null", "-1", "0", "1e309", "é", "\ud800"),
  fc.string({ maxLength: 20 })
)

/** A text with some parts removed, replaced or repeated. */
const mutated = (text: string): fc.Arbitrary<string> =>
  fc.array(fc.tuple(fc.nat(text.length), fc.nat(40), bit), { minLength: 1, maxLength: 4 }).map((cuts) =>
    cuts.reduce((sum, [at, length, put]) => `${sum.slice(0, at)}${put}${sum.slice(at + length)}`, text)
  )

const source = (file: string): string => readFileSync(new URL(`../../src/registry/${file}`, import.meta.url), "utf8")

const contractsFile = source("contracts.testnet.json")

/** Settings that name a file, and the content of that file. */
const files: Readonly<Record<string, string>> = {
  TESTNET_CONTRACTS_FILE: contractsFile,
  MAINNET_CONTRACTS_FILE: source("contracts.mainnet.json"),
  TESTNET_TOKENS_FILE: JSON.stringify({ network: "testnet", tokens: [/C[A-Z2-7]{55}/.exec(contractsFile)?.[0]] }),
  EXCHANGE_REGISTRY_FILE: registryWith(/G[A-Z2-7]{55}/.exec(source("exchange-registry.json"))?.[0] ?? ""),
  API_KEYS_FILE: `one=${apiKey}\n# a remark\n`
}

describe("settings that are nearly right", () => {
  // Relative paths in the values lead there.
  const here = process.cwd()
  const folder = mkdtempSync(join(tmpdir(), "fuzzed-"))
  beforeAll(() => process.chdir(folder))
  afterAll(() => {
    process.chdir(here)
    rmSync(folder, { recursive: true, force: true })
  })

  for (const { example, names } of settings) {
    it(`${names.join(", ")}: each problem is told, and nothing else happens`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...names), fc.oneof(mutated(example), bit), async (name, value) => {
          for (const { problem, setting } of await problemsWith({ [name]: value })) assert.isNotEmpty(`${setting}${problem}`)
        }),
        { numRuns, seed }
      )
      assert.isEmpty(readdirSync(folder))
    }, 600_000)
  }
})

describe("files that are nearly right", () => {
  for (const [setting, text] of Object.entries(files)) {
    it(`${setting} is taken, or its problems are told`, async () => {
      const folder = mkdtempSync(join(tmpdir(), "fuzzed-"))
      const file = join(folder, "file")
      try {
        writeFileSync(file, text)
        assert.deepStrictEqual(await problemsWith({ [setting]: file }), [])
        await fc.assert(
          fc.asyncProperty(mutated(text), async (changed) => {
            writeFileSync(file, changed)
            for (const { problem } of await problemsWith({ [setting]: file })) assert.isBelow(problem.length, 4_000)
          }),
          { numRuns, seed }
        )
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }, 600_000)
  }
})
