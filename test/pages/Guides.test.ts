import { assert, describe, it } from "@effect/vitest"
import type { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Pair } from "../close/support/Accounts.ts"
import { accountOf, lumensOf } from "../close/support/LedgerView.ts"
import { exchanges, lumensAt } from "../close/support/Mediated.ts"
import { Service } from "../close/support/Service.ts"
import { pairShares, pairsOnly } from "../support/PairShares.ts"
import { startTestService } from "../support/TestService.ts"
import { isThorough } from "../support/Thorough.ts"
import { blocksOf, commandsOf } from "./support/Blocks.ts"
import { checkout, run } from "./support/Session.ts"

const hasPython = spawnSync("python3", ["--version"]).status === 0
if (!hasPython) console.log("skipped: no Python")

/** `npm test` closes one account with each program: the programs do the same. */
const guides = [
  { page: "docs/guides/curl.md", first: "A classic account", skipped: "" },
  { page: "docs/guides/typescript.md", first: "A classic account", skipped: "" },
  { page: "docs/guides/python.md", first: "Into an exchange", skipped: hasPython ? "" : " (skipped: no Python)" }
] as const

/** Most lines of a guide's program, without empty ones. */
const mostLines = 40

/** Replaces the placeholders in angle brackets with the values of an account, as a reader does. */
const pasted = (code: string, source: Keypair, destination: Keypair): string =>
  code.replace("<account>", source.publicKey()).replace("<secret>", source.secret()).replace("<destination>", destination.publicKey())

describe("the guides", () => {
  for (const { first, page, skipped } of guides) {
    const blocks = blocksOf(page, readFileSync(new URL(`../../${page}`, import.meta.url), "utf8"))
    const [program, ...others] = blocks.filter(({ file }) => file !== null)

    it(`${page} has one program of less than ${mostLines} lines`, () => {
      assert.isEmpty(others)
      assert.isBelow((program?.text ?? "").split("\n").filter((line) => line.trim() !== "").length, mostLines)
    })

    it.live.skipIf(skipped !== "")(
      `${page} closes ${isThorough ? "every account of the page" : `the account of "${first}"`}${skipped}`,
      () =>
        Effect.scoped(Effect.gen(function*() {
          const service = yield* startTestService({}, pairsOnly)
          const onService = Effect.provideService(Service, service)
          const [, plain] = service.prepared
          if (plain === undefined || program === undefined) return assert.fail("accounts or the program are missing")
          const rich = yield* pairShares(service)
          const customer = yield* service.on(Pair("37.5"))
          const { payments } = yield* onService(exchanges)
          const accounts = { "A classic account": plain, "An account with positions": rich, "Into an exchange": customer }
          const before = yield* onService(Effect.all([lumensOf(plain.destination), lumensOf(rich.destination), lumensAt(payments)]))

          const folder = yield* checkout
          writeFileSync(join(folder, program.file ?? ""), program.text)
          const all = commandsOf(blocks)
          assert.deepStrictEqual(all.map(({ section }) => section), Object.keys(accounts))
          const commands = all.filter(({ section }) => isThorough || section === first).map((command) => {
            const { destination, source } = accounts[command.section as keyof typeof accounts]
            return { ...command, code: pasted(command.code, source, destination) }
          })
          const outputs = yield* run(folder, commands, {
            URL: service.url,
            KEY: service.key,
            SOURCE: plain.source.publicKey(),
            SECRET: plain.source.secret(),
            DESTINATION: plain.destination.publicKey(),
            PASSPHRASE: service.passphrase
          })
          for (const output of outputs) assert.match(output, /Closed: \d+\.\d{7} lumens arrived\.\n$/)
          const after = yield* onService(Effect.all([lumensOf(plain.destination), lumensOf(rich.destination), lumensAt(payments)]))
          for (const [at, [section, { source }]] of Object.entries(accounts).entries()) {
            const isClosed = isThorough || section === first
            assert.strictEqual((yield* onService(accountOf(source))) === null, isClosed, section)
            assert.strictEqual((after[at] ?? 0n) > (before[at] ?? 0n), isClosed, section)
          }
          if (isThorough || first === "Into an exchange") assert.isTrue((after[2] ?? 0n) - (before[2] ?? 0n) > 37_4000000n)
        })),
      300_000
    )
  }
})
