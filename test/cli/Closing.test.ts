import { assert } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { ChildProcess } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, rmdirSync, statSync } from "node:fs"
import { join } from "node:path"
import type { CloseEvent } from "../../src/client/Client.ts"
import { DroppedTransaction } from "../../src/sandbox/faults/SubmissionFaults.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { isLedgerInstalled } from "../client/support/LedgerInstalled.ts"
import { Issued, Pair } from "../close/support/Accounts.ts"
import { accountOf, lumensOf } from "../close/support/LedgerView.ts"
import { exchanges } from "../close/support/Mediated.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import { temporaryFolder } from "../support/TemporaryFolder.ts"
import { isThorough } from "../support/Thorough.ts"
import { federatedName } from "./support/FederationServer.ts"
import { closeout, type Ended, jsonLines } from "./support/Process.ts"
import { run, served } from "./support/Served.ts"

const closing = (destination: Keypair, source: Keypair) => ["close", "--yes", "--json", "--to", destination.publicKey(), source.publicKey()]

const errorOf = ({ stdout }: Ended) =>
  (JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as { error: { code: string; message: string } }).error

layer(served, { excludeTestServices: true })("closing on the command line", (it) => {
  it.effect(
    "closes with a secret of the environment, tells each event as a line of JSON, and keeps the receipt for its owner",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { on } = yield* Service
        const { destination, source } = yield* on(Pair())
        const before = yield* lumensOf(destination)
        const receipt = join(yield* temporaryFolder, "receipt.json")
        const ended = yield* run([...closing(destination, source), "--receipt", receipt], { env: { CLOSEOUT_SECRET: source.secret() } })
        assert.strictEqual(ended.code, 0, ended.stdout + ended.stderr)
        assert.strictEqual(yield* accountOf(source), null)
        const events = jsonLines<CloseEvent>(ended)
        const last = events.at(-1)
        if (last?._tag !== "receipt") return assert.fail("the last event is no receipt")
        assert.deepStrictEqual(JSON.parse(readFileSync(receipt, "utf8")), last.receipt)
        assert.strictEqual(statSync(receipt).mode & 0o777, 0o600)
        assert.strictEqual((yield* lumensOf(destination)) - before, 99_9999900n)
        assert.isTrue(events.filter(({ _tag }) => _tag === "signed").every((event) => !("envelope" in event)))
        assert.notInclude(ended.stdout + ended.stderr, source.secret())
      })),
    120_000
  )

  it.effect.runIf(isThorough)(
    "with --yes leaves a question that costs something open, and goes on once it is answered",
    () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { destination, source } = yield* on(Pair())
        const { issuer } = yield* on(Issued("JUNK", [source, "7"]))
        const given = { third: `${source.secret()}\n` }
        const [open, elsewhere] = yield* Effect.all([
          run([...closing(destination, source), "--secret-fd", "3"], given),
          run([...closing(destination, source), "--secret-fd", "3"], { third: Keypair.random().secret() })
        ], { concurrency: 2 })
        assert.deepStrictEqual([open.code, errorOf(open).code], [2, "UnansweredDecision"])
        assert.include(errorOf(open).message, "return_to_issuer")
        assert.strictEqual(elsewhere.code, 2)
        assert.isNotNull(yield* accountOf(source))
        const answer = `asset:JUNK-${issuer.publicKey()}=return_to_issuer`
        const ended = yield* run([...closing(destination, source), "--secret-fd", "3", "--decide", answer], given)
        assert.strictEqual(ended.code, 0, ended.stdout + ended.stderr)
        assert.strictEqual(yield* accountOf(source), null)
      }),
    120_000
  )

  it.effect("resolves a federation name, and closes into it only by a person's word", () =>
    Effect.scoped(Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const answer = { account_id: destination.publicKey(), memo_type: "text", memo: "deposit 7" }
      const name = yield* federatedName(JSON.stringify(answer))
      const close = ["close", "--yes", "--to", name, source.publicKey()]
      const [asText, asJson] = yield* Effect.all([run(close), run([...close, "--json"])], { concurrency: 2 })
      assert.deepStrictEqual([asText.code, asJson.code], [2, 2], asText.stdout + asJson.stdout)
      assert.include(asText.stderr, destination.publicKey())
      assert.include(errorOf(asJson).message, `stands for ${destination.publicKey()} with the memo "deposit 7" (text) now.`)
    })), 120_000)

  it.effect("closes nothing with a memo that is incomplete, or an option in capitals", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const parties = ["--to", destination.publicKey(), source.publicKey()]
      const cases = [
        [["--memo", "--json"], "--memo is followed by --json"],
        [["--json", "--MEMO", "4711"], "Received unknown argument: '4711'"]
      ] as const
      const given = { env: { CLOSEOUT_SECRET: source.secret() } }
      const ended = yield* Effect.forEach(cases, ([options]) => run(["close", "--yes", ...options, ...parties], given), { concurrency: 2 })
      for (const [index, [, says]] of cases.entries()) {
        const { code, stderr, stdout } = ended[index] ?? assert.fail("nothing ran")
        assert.strictEqual(code, 2, stdout + stderr)
        assert.include(stdout + stderr, says)
      }
      assert.isNotNull(yield* accountOf(source))
    }), 120_000)

  it.effect.runIf(isThorough && isLedgerInstalled)(
    "signs with a Ledger device, whose account it closes, in small envelopes",
    () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { destination, source } = yield* on(Pair())
        yield* on(perform("data", {
          as: source,
          operations: Array.from({ length: 60 }, (_, index) => Operation.manageData({ name: `${index} `.padEnd(64, "n"), value: "1" }))
        }))
        const close = ["close", "--yes", "--json", "--small-envelopes", "--to", destination.publicKey()]
        const device = { env: { LEDGER_SECRET: source.secret() } }
        const missing = yield* run([...close, "--ledger", "@ledgerhq/no-such-transport"], device)
        assert.deepStrictEqual([missing.code, (yield* accountOf(source)) === null], [2, false])
        assert.include(missing.stdout, "npm install @ledgerhq/no-such-transport")
        const ended = yield* run([...close, "--ledger", "./test/client/support/LedgerDevice.ts"], device)
        assert.strictEqual(ended.code, 0, ended.stdout + ended.stderr)
        assert.lengthOf(ended.stdout.split("\n").filter((line) => line.includes(`"_tag":"signed"`)), 2)
        assert.isNull(yield* accountOf(source))
      }),
    120_000
  )

  it.effect("signs with a key and a preimage together", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const preimage = randomBytes(32)
      yield* on(perform("a second signer", {
        as: source,
        operations: [
          Operation.setOptions({ signer: { sha256Hash: createHash("sha256").update(preimage).digest(), weight: 1 } }),
          Operation.setOptions({ lowThreshold: 2, medThreshold: 2, highThreshold: 2 })
        ]
      }))
      const third = `${source.secret()}\npreimage:${preimage.toString("hex")}\n`
      const ended = yield* run([...closing(destination, source), "--secret-fd", "3"], { third })
      assert.strictEqual(ended.code, 0, ended.stdout + ended.stderr)
      assert.strictEqual(yield* accountOf(source), null)
    }), 120_000)

  it.effect(
    "signs nothing where the receipt cannot be written, and shows a receipt whose file went away since",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { on } = yield* Service
        const { destination, source } = yield* on(Pair())
        const folder = join(yield* temporaryFolder, "receipts")
        const receipt = join(folder, "receipt.json")
        const env = { CLOSEOUT_SECRET: source.secret() }
        const close = [...closing(destination, source).filter((one) => one !== "--json"), "--receipt", receipt]
        const refused = yield* run(close, { env })
        assert.deepStrictEqual([refused.code, (yield* accountOf(source)) === null], [2, false], refused.stdout)
        assert.include(refused.stderr, "Nothing was signed.")
        mkdirSync(folder)
        const ended = yield* run(close, {
          env,
          started: (child) => child.stdout?.once("data", () => rmdirSync(folder))
        })
        assert.deepStrictEqual([ended.code, yield* accountOf(source)], [2, null], ended.stdout + ended.stderr)
        assert.include(ended.stdout, "The account is closed.")
        assert.include(ended.stderr, "Run the command again to get the receipt.")
      })),
    120_000
  )

  it.effect("closes the account and ends with its own status where the reader of its output goes away", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const given = {
        third: source.secret(),
        started: (child: ChildProcess) => {
          child.stdout?.destroy()
          child.stderr?.destroy()
        }
      }
      const close = [...closing(destination, source), "--secret-fd", "3"]
      const refused = yield* run([...close, "--accept", "101"], given)
      assert.deepStrictEqual([refused.code, (yield* accountOf(source)) === null], [4, false])
      const ended = yield* run(close, given)
      assert.deepStrictEqual([ended.code, yield* accountOf(source)], [0, null])
    }), 120_000)

  it.effect("says where a signal stops it, and which submitted transaction may still count", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* sandbox.faults.set({ fault: new DroppedTransaction() })
      const stopped = yield* run([...closing(destination, source), "--secret-fd", "3"], {
        third: source.secret(),
        started: (child) =>
          child.stdout?.on("data", (text: string) => {
            if (text.includes(`"_tag":"submitted"`)) child.kill("SIGINT")
          })
      }).pipe(Effect.ensuring(sandbox.faults.clear()))
      assert.deepStrictEqual([stopped.code, errorOf(stopped).code], [130, "stopped"], stopped.stdout)
      const submitted = jsonLines<CloseEvent>(stopped).findLast(({ _tag }) => _tag === "submitted")
      if (submitted?._tag !== "submitted") return assert.fail(stopped.stdout)
      assert.match(stopped.stderr, new RegExp(`transaction ${submitted.hash} was submitted and may still count until 20\\d\\d-`))
      assert.isNotNull(yield* accountOf(source))
    }), 120_000)

  it.effect.runIf(isThorough)("runs a sandbox that says where it is, until it is stopped", () =>
    Effect.gen(function*() {
      const ended = yield* closeout(["sandbox", "--json"], {
        started: (child) => child.stdout?.once("data", () => child.kill("SIGTERM"))
      })
      const [told] = jsonLines<{ url: string; accounts: ReadonlyArray<{ source: string }> }>({
        ...ended,
        stdout: ended.stdout.split("\n")[0] ?? ""
      })
      assert.match(told?.url ?? "", /^http:\/\/127\.0\.0\.1:\d+$/)
      assert.isAtLeast(told?.accounts.length ?? 0, 2)
      assert.strictEqual(ended.code, 130)
    }), 120_000)

  it.effect.runIf(isThorough)(
    "names no mediator by itself: it says which one the service names, to be compared",
    () =>
      Effect.gen(function*() {
        const { mediator, on } = yield* Service
        const { source } = yield* on(Pair())
        const { payments } = yield* exchanges
        const asked = ["close", "--yes", "--json", "--to", payments, "--memo", "7", source.publicKey()]
        const open = yield* run(asked, { env: { CLOSEOUT_SECRET: source.secret() } })
        assert.deepStrictEqual([open.code, errorOf(open).code], [2, "wrong_input"])
        assert.include(errorOf(open).message, `--mediator ${mediator}`)
        const ended = yield* run([...asked, "--mediator", mediator], { env: { CLOSEOUT_SECRET: source.secret() } })
        assert.strictEqual(ended.code, 0, ended.stdout + ended.stderr)
      }),
    120_000
  )
})
