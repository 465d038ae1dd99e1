import { assert } from "@effect/vitest"
import { Keypair, Networks } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Issued, Pair } from "../close/support/Accounts.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { exchanges } from "../close/support/Mediated.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import { temporaryFolder } from "../support/TemporaryFolder.ts"
import { isThorough } from "../support/Thorough.ts"
import { killedBatch } from "./support/KilledBatch.ts"
import { limitedProxy } from "./support/LimitedProxy.ts"
import { jsonLines } from "./support/Process.ts"
import { run, served } from "./support/Served.ts"

layer(served, { excludeTestServices: true })("a batch", (it) => {
  it.effect(
    "with an answer that only one account needs closes all but the one that does not exist, through a way that limits requests",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { on, url } = yield* Service
        const [holder, plain] = yield* on(Effect.all([Pair(), Pair()]))
        const { issuer } = yield* on(Issued("JUNK", [holder.source, "7"]))
        const csv = join(yield* temporaryFolder, "accounts.csv")
        const sources = [Keypair.random(), holder.source, plain.source]
        const rows = sources.map((source) => `${source.publicKey()},${holder.destination.publicKey()}`)
        writeFileSync(csv, `source,destination\n${rows.join("\n")}\n`)
        const proxy = yield* limitedProxy(url, 1000, sources.length)
        const answer = `asset:JUNK-${issuer.publicKey()}=return_to_issuer`
        const ended = yield* run(["batch", "--yes", "--json", "--decide", answer, "--secret-fd", "3", csv], {
          third: sources.map((source) => source.secret()).join("\n"),
          env: { CLOSEOUT_URL: proxy.url }
        })
        const outcomes = jsonLines<{ state: string; code?: string }>(ended)
        assert.deepStrictEqual(
          outcomes.map(({ code, state }) => [state, code]),
          [["failed", "not_found"], ["closed", undefined], ["closed", undefined]],
          ended.stdout + ended.stderr
        )
        assert.strictEqual(proxy.counts.refused, sources.length)
        assert.deepStrictEqual([yield* accountOf(holder.source), yield* accountOf(plain.source)], [null, null])
      })),
    120_000
  )

  it.effect(
    "closes some accounts directly, and others through the mediator that their rows name",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { mediator, on } = yield* Service
        const [direct, mediated] = yield* on(Effect.all([Pair(), Pair()]))
        const { payments } = yield* exchanges
        const csv = join(yield* temporaryFolder, "accounts.csv")
        const rows = [
          `${direct.source.publicKey()},${direct.destination.publicKey()},,,`,
          `${mediated.source.publicKey()},${payments},text,customer 7,${mediator}`
        ]
        writeFileSync(csv, `source,destination,memo_type,memo,mediator\n${rows.join("\n")}\n`)
        const ended = yield* run(["batch", "--yes", "--json", "--secret-fd", "3", csv], {
          third: [direct.source, mediated.source].map((source) => source.secret()).join("\n")
        })
        const outcomes = jsonLines<{ state: string }>(ended)
        assert.deepStrictEqual(outcomes.map(({ state }) => state), ["closed", "closed"], ended.stdout + ended.stderr)
        assert.deepStrictEqual([yield* accountOf(direct.source), yield* accountOf(mediated.source)], [null, null])
      })),
    120_000
  )

  it.effect(
    "skips what its journal shows as closed on this network with this memo, and nothing else",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { on } = yield* Service
        const { destination, source } = yield* on(Pair())
        const csv = join(yield* temporaryFolder, "accounts.csv")
        const journal = `${csv}.journal`
        const row = `${source.publicKey()},${destination.publicKey()}`
        writeFileSync(csv, `source,destination\n${row}\n`)
        const outcomeBy = (env: Readonly<Record<string, string>>, ...more: ReadonlyArray<string>) =>
          Effect.gen(function*() {
            const args = ["batch", "--yes", "--json", "--wait", "1 second", ...more, "--secret-fd", "3", csv]
            const ended = yield* run(args, { third: source.secret(), env })
            const [outcome] = jsonLines<{ state: string; hash?: string; code?: string; message?: string }>(ended)
            return outcome ?? assert.fail(ended.stdout + ended.stderr)
          })
        const closed = yield* outcomeBy({})
        assert.strictEqual(closed.state, "closed", closed.message)
        assert.strictEqual(statSync(journal).mode & 0o777, 0o600)
        const unreachable = { CLOSEOUT_URL: "http://127.0.0.1:1" }
        assert.deepStrictEqual(yield* outcomeBy(unreachable), closed)
        const elsewhere = yield* outcomeBy({ CLOSEOUT_PASSPHRASE: Networks.PUBLIC }, "--network", "mainnet")
        assert.deepStrictEqual([elsewhere.state, elsewhere.code], ["failed", "network_unavailable"])
        // A journal of an older version names neither: the ledger says what became of the account.
        writeFileSync(journal, `${JSON.stringify(closed)}\n`)
        assert.strictEqual((yield* outcomeBy(unreachable)).code, "ServiceUnreachable")
        assert.deepStrictEqual(yield* outcomeBy({}), closed)
        assert.deepStrictEqual(yield* outcomeBy(unreachable), closed, readFileSync(journal, "utf8"))
        writeFileSync(csv, `source,destination,memo_type,memo\n${row},id,4711\n`)
        const otherMemo = yield* outcomeBy({})
        assert.deepStrictEqual([otherMemo.state, otherMemo.code], ["failed", "not_found"])
        assert.include(otherMemo.message, "not as this request says")
      })),
    120_000
  )

  it.effect(
    "takes a row that failed with a corrected destination, and refuses a list that lacks what was closed or submitted",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { on } = yield* Service
        const [{ destination, source }, holder] = yield* on(Effect.all([Pair(), Pair()]))
        const { issuer } = yield* on(Issued("JUNK", [holder.source, "7"]))
        const [missing, left] = [Keypair.random().publicKey(), holder.source.publicKey()]
        const csv = join(yield* temporaryFolder, "accounts.csv")
        const journal = `${csv}.journal`
        const runInto = (to: string, ...more: ReadonlyArray<string>) => {
          writeFileSync(csv, ["source,destination", `${source.publicKey()},${to}`, ...more, ""].join("\n"))
          return run(["batch", "--yes", "--secret-fd", "3", csv], { third: source.secret() })
        }
        const failed = yield* runInto(missing, `${left},${destination.publicKey()}`)
        assert.include(failed.stdout, "0 of 2 accounts are closed.")
        assert.include(failed.stdout, `asset:JUNK-${issuer.publicKey()} needs a decision`)
        const corrected = yield* runInto(destination.publicKey())
        assert.strictEqual(corrected.code, 0, corrected.stdout + corrected.stderr)
        assert.isNull(yield* accountOf(source))
        const refused = yield* runInto(missing)
        assert.strictEqual(refused.code, 2, refused.stdout)
        assert.include(refused.stderr, `${source.publicKey()} was closed into ${destination.publicKey()}. Put that row back`)
        writeFileSync(journal, JSON.stringify({ source: left, destination: missing, state: "submitted", hash: "0".repeat(64) }))
        const lacking = yield* runInto(destination.publicKey())
        assert.strictEqual(lacking.code, 2, lacking.stdout)
        assert.include(lacking.stderr, `a transaction of the close of ${left} into ${missing} was submitted. Put that row back`)
      })),
    120_000
  )

  it.effect.runIf(isThorough)(
    "that is killed twice loses nothing and keeps its order, through a way that limits requests",
    () => Effect.asVoid(killedBatch({ accounts: 6, kills: 2, perSecond: 40, concurrency: 4 })),
    240_000
  )
})
