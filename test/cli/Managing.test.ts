import { assert } from "@effect/vitest"
import { Keypair, Operation, StrKey } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { revocationProblem } from "../../src/cli/RevocationCheck.ts"
import { ContractAddress } from "../../src/domain/Address.ts"
import { invocationOf } from "../../src/operations/ContractCall.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { approveSpender, deployToken } from "../../src/sandbox/scenarios/Tokens.ts"
import { Pair } from "../close/support/Accounts.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import { temporaryFolder } from "../support/TemporaryFolder.ts"
import { isThorough } from "../support/Thorough.ts"
import { newestLedger } from "../tokens/support/Approving.ts"
import { rewrittenRevocations } from "./support/RewrittenRevocation.ts"
import { adminToken, run, served } from "./support/Served.ts"

layer(served, { excludeTestServices: true })("the command line", (it) => {
  it.effect("ends an allowance, once it has checked that nothing else is signed", () =>
    Effect.gen(function*() {
      const { call, on } = yield* Service
      const owner = Keypair.random()
      yield* on(fund("100", owner))
      const token = yield* on(deployToken({ symbol: "EXM" }))
      const spender = StrKey.encodeContract(createHash("sha256").update("a router").digest())
      yield* on(Effect.flatMap(newestLedger, (ledger) => approveSpender(token, { owner, spender, amount: 7n, liveUntil: ledger + 1000 })))
      const revoked = yield* run(
        ["revoke", "--json", "--token", token, "--spender", spender, "--secret-fd", "3", owner.publicKey()],
        { third: owner.secret() }
      )
      assert.strictEqual(revoked.code, 0, revoked.stdout + revoked.stderr)
      assert.match((JSON.parse(revoked.stdout) as { hash: string }).hash, /^[0-9a-f]{64}$/)
      const { body } = yield* call<{ allowances: ReadonlyArray<unknown> }>(
        "GET",
        `/testnet/allowances/${owner.publicKey()}?tokens=${token}`
      )
      assert.deepStrictEqual(body.allowances, [])
    }), 120_000)

  it.effect("signs no revocation that a lying service made something else of", () =>
    Effect.gen(function*() {
      const { call, on, passphrase } = yield* Service
      const owner = Keypair.random()
      yield* on(fund("100", owner))
      const [token, other] = yield* on(Effect.all([deployToken({ symbol: "EXM" }), deployToken({ symbol: "OTH" })]))
      const spender = StrKey.encodeContract(createHash("sha256").update("a router").digest())
      yield* on(Effect.flatMap(newestLedger, (ledger) => approveSpender(token, { owner, spender, amount: 7n, liveUntil: ledger + 1000 })))
      const allowance = { owner: owner.publicKey(), token, spender }
      const { body: { transaction: honest } } = yield* call<{ transaction: string }>("POST", "/testnet/allowances/revoke", allowance)
      const { seqNum } = (yield* accountOf(owner)) ?? assert.fail("there is no account")
      const wanted = { ...allowance, sequence: seqNum, now: Math.floor(Date.now() / 1000) }
      assert.isNull(revocationProblem(honest, passphrase, wanted))
      assert.isNotNull(revocationProblem(honest, passphrase, { ...wanted, spender: other }))
      const theft = invocationOf({ contract: ContractAddress.make(other), function: "transfer", args: [] })
      for (const [words, envelope] of rewrittenRevocations(honest, theft)) {
        assert.include(revocationProblem(envelope, passphrase, wanted), words)
      }
    }), 120_000)

  it.effect.runIf(isThorough)(
    "closes by two signers of three hands, who share nothing but files",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { on } = yield* Service
        const { destination, source } = yield* on(Pair())
        const second = Keypair.random()
        yield* on(perform("a second signer", {
          as: source,
          operations: [Operation.setOptions({
            signer: { ed25519PublicKey: second.publicKey(), weight: 1 },
            lowThreshold: 2,
            medThreshold: 2,
            highThreshold: 2
          })]
        }))
        const folder = yield* temporaryFolder
        const [answers, bare, ...signed] = ["answers", "bare", "one", "two", "all"].map((name) => join(folder, `${name}.json`))
        if (answers === undefined || bare === undefined) return assert.fail("there are no files")
        const parties = ["--from", source.publicKey(), "--to", destination.publicKey()]
        const [one = "", two = "", all = ""] = signed
        const prepared = yield* run(["bundle", "prepare", "--yes", ...parties, "--answers", answers, "--out", bare])
        assert.strictEqual(prepared.code, 0, prepared.stderr)
        const signing = ["bundle", "sign", "--yes", ...parties, "--decisions", answers, "--secret-fd", "3"]
        yield* Effect.all([
          run([...signing, "--out", one, bare], { third: source.secret() }),
          run([...signing, "--out", two, bare], { third: second.secret() })
        ], { concurrency: 2 })
        const merged = yield* run(["bundle", "merge", "--out", all, one, two])
        assert.strictEqual(merged.code, 0, merged.stderr)
        const submitted = yield* run(["bundle", "submit", "--json", ...parties, "--decisions", answers, all])
        assert.strictEqual(submitted.code, 0, submitted.stdout + submitted.stderr)
        assert.strictEqual(yield* accountOf(source), null)
      })),
    240_000
  )

  it.effect(
    "makes an API key of one's own, which the operator sees, and signs no challenge of another domain",
    () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const owner = Keypair.random()
        yield* on(fund("100", owner))
        const create = ["keys", "create", "--json", "--label", "a laptop", "--secret-fd", "3"]
        const relayed = yield* run(create, { third: owner.secret() })
        assert.strictEqual(relayed.code, 2, relayed.stdout + relayed.stderr)
        assert.include(relayed.stdout, "The challenge is that of close.example.org.")
        const made = yield* run([...create, "--domain", "close.example.org"], { third: owner.secret() })
        assert.strictEqual(made.code, 0, made.stdout + made.stderr)
        const { key, record } = JSON.parse(made.stdout) as { key: string; record: { id: string } }
        assert.match(key, /^lk_/)
        const listed = yield* run(["keys", "list", "--admin", "--json"], { env: { CLOSEOUT_ADMIN_TOKEN: adminToken } })
        assert.strictEqual(listed.code, 0, listed.stdout + listed.stderr)
        assert.include((JSON.parse(listed.stdout) as { keys: ReadonlyArray<{ id: string }> }).keys.map(({ id }) => id), record.id)
      }),
    120_000
  )
})
