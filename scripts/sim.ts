/**
 * Runs service, clients, mediator, liars, strangers and the sandbox network in one process, all from one seed, in virtual time. Each seed
 * runs twice, in any of the worker processes, and must have the same events both times.
 *
 *     npm run sim -- --seed 7 [--closes 4] [--log]      one seed, or several ("3,7,20-25"); `--log` prints every event
 *     npm run sim -- --seeds 1000 [--from 1] [--workers 2]      a campaign, which must meet every event that it looks for
 */
import { fork } from "node:child_process"
import { availableParallelism, totalmem } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { campaignOf, lineOf, type Replayed } from "../test/sim/CampaignReport.ts"
import type { RunResult } from "../test/sim/Run.ts"
import type { DealtRun } from "../test/sim/SeedWorker.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    seeds: { type: "string" },
    from: { type: "string", default: "1" },
    closes: { type: "string", default: "50" },
    workers: { type: "string", default: String(availableParallelism()) },
    log: { type: "boolean", default: false }
  }
})

/** `3,7,20-25` as numbers. */
const numbersIn = (text: string): ReadonlyArray<number> =>
  text.split(",").flatMap((part) => {
    const [first = 1, last = first] = part.split("-").map(Number)
    return Array.from({ length: last - first + 1 }, (_, at) => first + at)
  })

const isCampaign = values.seeds !== undefined

const seeds = isCampaign
  ? Array.from({ length: Number(values.seeds) }, (_, at) => Number(values.from) + at)
  : numbersIn(values.seed)

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Each seed twice, for the next free process: two processes have seen different seeds before. */
const left = seeds.flatMap((seed) => [values.log, false].map((isPrinted): DealtRun => ({ seed, closes: Number(values.closes), isPrinted })))
  .values()

/** Does runs in a process of its own until none is left. Returns whether it ended well: Ctrl-C ends a campaign early. */
const worked = (each: (one: RunResult) => void): Promise<boolean> =>
  new Promise((resolve) => {
    const worker = fork(fileOf("../test/sim/SeedWorker.ts"), {
      env: { ...process.env, NODE_COMPILE_CACHE: fileOf("../node_modules/.cache/compile") },
      serialization: "advanced"
    })
    const deal = () => {
      const { done, value } = left.next()
      if (done === true) worker.disconnect()
      else worker.send(value)
    }
    worker.on("message", (one: RunResult) => {
      each(one)
      deal()
    })
    process.once("SIGINT", () => void worker.kill())
    worker.on("exit", (code) => resolve(code === 0))
    deal()
  })

const began = process.hrtime.bigint()
const firsts = new Map<number, RunResult>()
const all: Array<Replayed> = []
// One process where events are printed: those of two seeds must not mix.
const workers = values.log ? 1 : Math.min(Number(values.workers), 2 * seeds.length)
const ends = await Promise.all(Array.from({ length: workers }, () =>
  worked((run) => {
    const first = firsts.get(run.seed)
    if (first === undefined) return void firsts.set(run.seed, run)
    const one = { ...run, isSame: first.hash === run.hash }
    all.push(one)
    console.log(lineOf(one))
  })))

const { isFaultless, never, report } = campaignOf(all, Number(process.hrtime.bigint() - began) / 1e9)
console.log(report.join("\n"))
console.log(`${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`)
if (!ends.every(Boolean)) console.log("ended before all seeds were run")
if (isCampaign) { for (const one of never) console.log(`never met: ${one}`) }
process.exit(isFaultless && ends.every(Boolean) && (!isCampaign || never.length === 0) ? 0 : 1)
