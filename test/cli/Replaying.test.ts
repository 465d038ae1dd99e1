import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Pair } from "../close/support/Accounts.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import { temporaryFolder } from "../support/TemporaryFolder.ts"
import { isThorough } from "../support/Thorough.ts"
import { closeout } from "./support/Process.ts"
import { served } from "./support/Served.ts"

layer(served, { excludeTestServices: true })("the command line", (it) => {
  it.effect.runIf(isThorough)(
    "saves a plan from sources of its own, computes it again, and tells a changed one",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { ledger, on, passphrase } = yield* Service
        const folder = yield* temporaryFolder
        const { destination, source } = yield* on(Pair())
        const file = join(folder, "plan.proof")
        const plan = ["plan", "--json", "--save", file, "--to", destination.publicKey(), source.publicKey()]
        const env = {
          TESTNET_RPC_URLS: ledger.rpcUrl,
          TESTNET_LEDGER_API_URLS: ledger.ledgerApiUrl,
          TESTNET_PASSPHRASE: passphrase,
          TESTNET_MAX_LEDGER_AGE_SECONDS: "0",
          DATA_DIR: folder
        }
        const made = yield* closeout(plan, { env })
        assert.strictEqual(made.code, 0, made.stdout + made.stderr)
        const { planHash } = JSON.parse(made.stdout) as { readonly planHash: string }
        const text = readFileSync(file, "utf8")
        assert.include(text, planHash)
        const changed = join(folder, "changed.proof")
        writeFileSync(changed, text.replace(planHash, "0".repeat(64)))
        const [same, other, without, none] = yield* Effect.all([
          closeout(["replay", file]),
          closeout(["replay", "--json", changed]),
          closeout(plan.filter((part) => part !== "--json")),
          closeout(["replay", "--json", "package.json"])
        ], { concurrency: 2 })
        assert.deepStrictEqual([same.code, same.stdout], [0, "The same plan, byte for byte.\n"], same.stderr)
        assert.strictEqual(other.code, 1, other.stdout + other.stderr)
        const { differences, same: isSame } = JSON.parse(other.stdout) as {
          readonly same: boolean
          readonly differences: ReadonlyArray<string>
        }
        assert.deepStrictEqual([isSame, differences], [false, [`planHash: "${"0".repeat(64)}" in the file, "${planHash}" computed`]])
        assert.strictEqual(without.code, 2)
        assert.include(without.stderr, "TESTNET_RPC_URLS")
        assert.strictEqual(none.code, 2)
        assert.include(none.stdout, "package.json is no saved plan.")
      })),
    120_000
  )
})
