import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { prepareBundle, writeBundle } from "../../src/client/Client.ts"
import { RpcError } from "../../src/sandbox/faults/ServerErrors.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { Sources, sourcesServiceAt } from "../close/support/Sources.ts"
import { layer } from "../support/Layered.ts"
import { temporaryFolder } from "../support/TemporaryFolder.ts"
import { closeout } from "./support/Process.ts"
import { hasTerminal, inTerminal } from "./support/Terminal.ts"

/** An account without positions on a network whose second contract RPC gives no entries any more, and how a command closes it. */
const closable = Effect.gen(function*() {
  const { key, on, passphrase, sandbox, url } = yield* Service
  const [, silent] = yield* Sources
  const { destination, source } = yield* on(LendingNewcomer)
  yield* sandbox.closeLedger()
  yield* silent!.faults.set({ fault: new RpcError({ code: -32_603, message: "no ledger" }), rpc: "getLedgerEntries" })
  const env = { CLOSEOUT_URL: url, CLOSEOUT_API_KEY: key, CLOSEOUT_PASSPHRASE: passphrase }
  return { destination: destination.publicKey(), source, env }
})

/** What each signer is shown of a bundle whose merge rests on one contract RPC. */
const words = "The maker of the bundle warns: Only one contract RPC returned the positions"

layer(sourcesServiceAt(2, {}, ["lend_1"], Layer.empty), { excludeTestServices: true })(
  "a merge that only one of two contract RPCs bears out",
  (it) => {
    it.effect.skipIf(!hasTerminal)("is said to rest on it before the owner types the destination", () =>
      Effect.gen(function*() {
        const { destination, env, source } = yield* closable
        const { code, screen } = yield* inTerminal(
          ["close", "--to", destination, source.publicKey()],
          { ...env, CLOSEOUT_SECRET: source.secret() },
          [
            [/Question 1[^]*Your choice/, "\r"],
            [/Sign and submit/, "y"],
            [/Note: No second[^]*The last transaction[^]*Note: No second[^]*The last four characters/, "AAAA\r"]
          ]
        )
        assert.strictEqual(code, 130, screen)
        assert.isNotNull(yield* accountOf(source))
      }), 60_000)

    it.effect("is told of beside the results of a batch", () =>
      Effect.scoped(Effect.gen(function*() {
        const { destination, env, source } = yield* closable
        const csv = join(yield* temporaryFolder, "accounts.csv")
        writeFileSync(csv, `source,destination\n${source.publicKey()},${destination}\n`)
        const answer = `destination:${destination}=i_control_this_address`
        const ended = yield* closeout(["batch", "--yes", "--json", "--decide", answer, "--secret-fd", "3", csv], {
          third: source.secret(),
          env
        })
        assert.strictEqual(ended.code, 0, ended.stdout + ended.stderr)
        assert.include(ended.stderr, `${source.publicKey()}: No second contract RPC responded.`)
        assert.isNull(yield* accountOf(source))
      })), 60_000)

    it.effect("is told of where a bundle is prepared, and to each of its signers", () =>
      Effect.scoped(Effect.gen(function*() {
        const { destination, env, source } = yield* closable
        const bundle = join(yield* temporaryFolder, "bundle.json")
        const parties = ["--from", source.publicKey(), "--to", destination, "--decide", `destination:${destination}=i_control_this_address`]
        const prepared = yield* closeout(["bundle", "prepare", "--yes", ...parties, "--out", bundle], { env })
        assert.strictEqual(prepared.code, 0, prepared.stdout + prepared.stderr)
        assert.include(prepared.stderr, "No second contract RPC responded.")
        const signing = ["bundle", "sign", "--yes", ...parties, "--secret-fd", "3", bundle]
        const [shown, asJson, signed] = yield* Effect.all([
          closeout(["bundle", "show", bundle], { env }),
          closeout(["bundle", "show", "--json", bundle], { env }),
          closeout(signing, { third: source.secret(), env })
        ])
        assert.include(shown.stdout.replaceAll(/\s+/g, " "), words)
        assert.deepStrictEqual((JSON.parse(asJson.stdout) as { warnings: unknown }).warnings, ["single_source"])
        assert.strictEqual(signed.code, 0, signed.stderr)
        assert.include(signed.stderr, words)
      })), 120_000)

    it.effect.skipIf(!hasTerminal)("is shown before a signer of a bundle confirms it", () =>
      Effect.scoped(Effect.gen(function*() {
        const { destination, env, source } = yield* closable
        const answer = { id: `destination:${destination}`, choice: "i_control_this_address" }
        const parties = { source: source.publicKey(), destination }
        const [baseUrl, apiKey, networkPassphrase] = [env.CLOSEOUT_URL, env.CLOSEOUT_API_KEY, env.CLOSEOUT_PASSPHRASE]
        const bundle = yield* Effect.promise(() =>
          prepareBundle({ baseUrl, apiKey, network: "testnet", networkPassphrase, ...parties, decisions: [answer] })
        )
        if (bundle === null) return assert.fail("the account is closed")
        const file = join(yield* temporaryFolder, "bundle.json")
        writeFileSync(file, writeBundle(bundle))
        const { code, screen } = yield* inTerminal(
          ["bundle", "sign", "--from", parties.source, "--to", destination, "--decide", `${answer.id}=${answer.choice}`, file],
          { ...env, CLOSEOUT_SECRET: source.secret() },
          [[/The maker of the bundle warns[^]*Sign this transaction/, "n"]]
        )
        assert.strictEqual(code, 130, screen)
      })), 120_000)
  }
)
