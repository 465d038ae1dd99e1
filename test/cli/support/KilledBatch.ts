import { assert } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Random } from "effect"
import { statSync, watch, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fund } from "../../../src/sandbox/scenarios/Scenario.ts"
import { accountOf, lumensOf } from "../../close/support/LedgerView.ts"
import { Service } from "../../close/support/Service.ts"
import { temporaryFolder } from "../../support/TemporaryFolder.ts"
import { limitedProxy } from "./LimitedProxy.ts"
import { jsonLines } from "./Process.ts"
import { run } from "./Served.ts"

interface Batch {
  readonly accounts: number
  readonly kills: number
  readonly perSecond: number
  readonly concurrency: number
  /** The file of the command line; absent: the sources. */
  readonly main?: string
}

/** Lumens of each account. */
const lumensEach = 20n

/** Bytes that the journal has of each account in the end, about. */
const bytesEach = 500

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Closes accounts into one destination by `batch`, with fees paid by another account. Kills and restarts the process as often as given. */
export const killedBatch = ({ accounts, concurrency, kills, main, perSecond }: Batch) =>
  Effect.scoped(Effect.gen(function*() {
    const { on, url } = yield* Service
    const [destination, payer, ...sources] = Array.from({ length: accounts + 2 }, () => Keypair.random())
    if (destination === undefined || payer === undefined) return assert.fail("there is no destination")
    for (let from = 0; from < sources.length; from += 50) yield* on(fund(String(lumensEach), ...sources.slice(from, from + 50)))
    yield* on(fund("100", destination, payer))
    const before = yield* lumensOf(destination)
    const path = yield* temporaryFolder
    const [csv, journal] = [join(path, "accounts.csv"), join(path, "accounts.csv.journal")]
    const rows = sources.map((source) => `${source.publicKey()},${destination.publicKey()}`)
    writeFileSync(csv, `source,destination\n${rows.join("\n")}\n`)
    const proxy = yield* limitedProxy(url, perSecond)
    const begun = performance.now()
    const args = [
      "batch",
      "--yes",
      "--json",
      "--concurrency",
      String(concurrency),
      "--fee-payer",
      payer.publicKey(),
      "--secret-fd",
      "3",
      csv
    ]
    const given = {
      third: [payer, ...sources].map((one) => one.secret()).join("\n"),
      env: { CLOSEOUT_URL: proxy.url },
      ...(main === undefined ? {} : { main })
    }
    for (let killed = 0; killed < kills; killed++) {
      // Kills at a different moment each time: once the journal has grown so far.
      const most = sizeOf(journal) + 1 + (yield* Random.nextIntBetween(0, Math.max(1, Math.floor((bytesEach * accounts) / (kills + 1)))))
      const ended = yield* run(args, {
        ...given,
        started: (child) => {
          const watching = watch(path, () => {
            if (sizeOf(journal) >= most) child.kill("SIGKILL")
          })
          child.on("close", () => watching.close())
        }
      })
      assert.isNull(ended.code, "it was not killed")
    }
    const ended = yield* run(args, given)
    const seconds = (performance.now() - begun) / 1000
    const outcomes = jsonLines<{ source: string; state: string }>(ended)
    assert.strictEqual(ended.code, 0, JSON.stringify(outcomes.find(({ state }) => state !== "closed")) + ended.stderr)
    assert.deepStrictEqual(outcomes.map(({ source }) => source), sources.map((source) => source.publicKey()))
    for (const source of sources) assert.strictEqual(yield* accountOf(source), null)
    assert.strictEqual((yield* lumensOf(destination)) - before, BigInt(accounts) * lumensEach * 10_000_000n)
    return { seconds, ...proxy.counts }
  }))
