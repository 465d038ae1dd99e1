import { assert } from "@effect/vitest"
import { Account, Keypair, Networks, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readBundle, writeBundle } from "../../src/client/Client.ts"
import { hashOf } from "../../src/client/Envelope.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { HolderWithMarket } from "../close/support/Accounts.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import { temporaryFolder } from "../support/TemporaryFolder.ts"
import { isThorough } from "../support/Thorough.ts"
import { blockedReport, hostile } from "./support/HostileService.ts"
import { closeout } from "./support/Process.ts"
import { run, served } from "./support/Served.ts"

/** Codes for a terminal, and characters that turn the direction of writing. */
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

layer(served, { excludeTestServices: true })("the command line", (it) => {
  it.effect.runIf(isThorough)("reads accounts, allowances and prices as JSON, and a plan as a tree", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { asset, destination, source } = yield* on(HolderWithMarket())
      const account = source.publicKey()
      const commands = [
        ["account", "--json", account],
        ["preflight", "--json", account],
        ["allowances", "--json", account],
        ["paths", "--json", "--from", `${asset.getCode()}:${asset.getIssuer()}`, "--amount", "10"],
        ["plan", "--to", destination.publicKey(), account],
        ["plan", "--json", "--small-envelopes", "--to", destination.publicKey(), account]
      ]
      const ended = yield* Effect.forEach(commands, (command) => run(command), { concurrency: 2 })
      for (const { code, stderr, stdout } of ended) {
        assert.strictEqual(code, 0, stderr)
        assert.notMatch(stdout, unsafe)
      }
      const [state, report, allowances, paths] = ended.slice(0, 4).map(({ stdout }) => JSON.parse(stdout) as Record<string, unknown>)
      assert.deepStrictEqual([state?.["address"], report?.["status"], allowances?.["allowances"]], [account, "needs_decisions", []])
      assert.isNotNull(paths?.["path"])
      const { transactions } = JSON.parse(ended[5]?.stdout ?? "") as { readonly transactions: ReadonlyArray<{ envelopeBytes?: number }> }
      assert.isAbove(transactions[0]?.envelopeBytes ?? 0, 0)
      assert.match(ended[4]?.stdout ?? "", /Transaction 1\n.*sell 100 USD for at least [^]*arrives at least[^]*Question 1/)
    }), 120_000)

  it.effect("writes nothing raw that a terminal would obey, whatever a service says", () =>
    Effect.scoped(
      Effect.gen(function*() {
        const address = Keypair.random().publicKey()
        const text = "\u001b[31mred\u202egnp\u0007\u009b2J"
        const url = yield* hostile(blockedReport(address, text))
        const given = { env: { CLOSEOUT_URL: url } }
        const [shown, json] = yield* Effect.all([
          closeout(["preflight", address], given),
          closeout(["preflight", "--json", address], given)
        ], {
          concurrency: 2
        })
        assert.strictEqual(shown.code, 0, shown.stderr)
        assert.notMatch(shown.stdout, unsafe)
        assert.include(shown.stdout, "[31mredgnp2J")
        assert.notMatch(json.stdout, unsafe)
        assert.include(JSON.stringify(JSON.parse(json.stdout)), JSON.stringify(text).slice(1, -1))
      })
    ), 120_000)

  it.effect("writes neither a new key nor a bundle raw, and the bundle reads back as it was", () =>
    Effect.scoped(
      Effect.gen(function*() {
        const source = Keypair.random()
        const text = "\u202egnp\u009b2J"
        const record = {
          id: "one",
          owner: "us",
          label: null,
          last4: null,
          createdAt: "2026-01-01T00:00:00.000Z",
          expiresAt: null,
          revokedAt: null,
          rotatedFrom: null,
          lastUsedAt: null,
          rateLimit: null
        }
        const url = yield* hostile({ key: `lk_${text}`, record })
        const rotated = yield* closeout(["keys", "rotate", "--admin", "one"], { env: { CLOSEOUT_URL: url, CLOSEOUT_ADMIN_TOKEN: "token" } })
        assert.strictEqual(rotated.code, 0, rotated.stderr)
        assert.notMatch(rotated.stdout, unsafe)
        assert.include(rotated.stdout, "lk_gnp2J")
        const transaction = new TransactionBuilder(new Account(source.publicKey(), "7"), {
          fee: "100",
          networkPassphrase: Networks.TESTNET
        })
          .addOperation(Operation.bumpSequence({ bumpTo: "9" })).setTimeout(0).build()
        const bundle = readBundle(JSON.stringify({
          version: 1,
          networkPassphrase: Networks.TESTNET,
          planHash: null,
          intent: text,
          hash: hashOf(transaction),
          envelope: transaction.toXdr(),
          next: ["sign", "submit"],
          signing: [],
          validUntil: "2026-01-01T00:00:00.000Z",
          warnings: []
        }))
        const folder = yield* temporaryFolder
        const [file, out] = [join(folder, "bundle.json"), join(folder, "out.json")]
        writeFileSync(file, writeBundle(bundle))
        const [merged, written] = yield* Effect.all([
          closeout(["bundle", "merge", file]),
          closeout(["bundle", "merge", "--out", out, file])
        ], { concurrency: 2 })
        assert.deepStrictEqual([merged.code, written.code], [0, 0], merged.stderr + written.stderr)
        assert.notMatch(merged.stdout, unsafe)
        assert.deepStrictEqual(readBundle(merged.stdout), bundle)
        assert.deepStrictEqual(readBundle(readFileSync(out, "utf8")), bundle)
        assert.strictEqual(statSync(out).mode & 0o777, 0o600)
      })
    ), 120_000)

  it.effect.runIf(isThorough)("ends with a status that says what helps", () =>
    Effect.gen(function*() {
      const unknown = Keypair.random().publicKey()
      const secret = Keypair.random().secret()
      const cases = [
        { args: ["preflight", unknown], env: { CLOSEOUT_API_KEY: "wrong" }, code: 2, says: "unauthorized" },
        { args: ["preflight", "--url", "http://127.0.0.1:1", unknown], code: 3, says: "ServiceUnreachable" },
        { args: ["nothing"], code: 2, says: "wrong_input" },
        { args: ["close", "--to", unknown, secret], code: 2, says: "secret_in_arguments" },
        { args: ["close", "--to", unknown, unknown], code: 2, says: "Add --yes" }
      ]
      const ended = yield* Effect.forEach(cases, ({ args, env = {} }) => run([...args, "--json"], { env }), { concurrency: 2 })
      for (const [index, { code, says }] of cases.entries()) {
        const { stderr, stdout, ...one } = ended[index] ?? assert.fail("nothing ran")
        assert.strictEqual(one.code, code, stdout + stderr)
        assert.include(JSON.stringify(JSON.parse(stdout)), says)
        assert.notInclude(stdout + stderr, secret)
      }
    }), 120_000)

  it.effect("explains and verifies an envelope", () =>
    Effect.gen(function*() {
      const { call, on, passphrase } = yield* Service
      const [source, destination] = [Keypair.random(), Keypair.random()]
      yield* on(fund("100", source, destination))
      const [from, to] = [source.publicKey(), destination.publicKey()]
      const consent = `destination:${to}`
      const { body } = yield* call<{ transactions: ReadonlyArray<{ xdr: string }> }>("POST", "/v1/testnet/close/transactions", {
        source: from,
        destination: to,
        decisions: [{ id: consent, choice: "i_control_this_address" }]
      })
      const stdin = body.transactions[0]?.xdr ?? assert.fail("nothing was built")
      const verify = ["verify", "--json", "--from", from, "--decide", `${consent}=i_control_this_address`]
      const [explained, fits, differs] = yield* Effect.all([
        closeout(["explain", "--passphrase", passphrase, stdin]),
        run([...verify, "--to", to], { stdin }),
        run([...verify, "--to", Keypair.random().publicKey()], { stdin })
      ], { concurrency: 2 })
      assert.include(explained.stdout.replace(/\s+/g, " "), `Merges the account into ${to}`)
      assert.strictEqual(fits.code, 0, fits.stdout + fits.stderr)
      assert.isTrue((JSON.parse(fits.stdout) as { ok: boolean }).ok)
      assert.strictEqual(differs.code, 1, differs.stdout)
      assert.isFalse((JSON.parse(differs.stdout) as { ok: boolean }).ok)
      assert.notInclude(fits.stderr, "No question")
      assert.include(differs.stderr, `No question of the plan is ${consent}, so its answer is not used now.`)
    }), 120_000)
})
