/**
 * Runs service, clients, mediator, liars, strangers and the sandbox network in one process, all from one seed, in virtual time. Each seed
 * runs twice, and must have the same events both times.
 *
 *     npm run sim -- --seed 7 [--closes 4] [--log]      one seed, or several ("3,7,20-25"); `--log` prints every event
 *     npm run sim -- --seeds 1000 [--from 1] [--workers 2]      a campaign, which must meet every event that it looks for
 */
import { fork } from "node:child_process"
import { availableParallelism, totalmem } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { campaignOf, lineOf, type Replayed } from "../test/sim/CampaignReport.ts"

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

const left = seeds.values()

/** Runs seeds in a process of its own until none is left. Returns whether it ended well: Ctrl-C ends a campaign early. */
const worked = (each: (one: Replayed) => void): Promise<boolean> =>
  new Promise((resolve) => {
    const worker = fork(fileOf("../test/sim/SeedWorker.ts"), [values.closes, ...(values.log ? ["--log"] : [])], {
      env: { ...process.env, NODE_COMPILE_CACHE: fileOf("../node_modules/.cache/compile") }
    })
    const deal = () => {
      const { done, value } = left.next()
      if (done === true) worker.disconnect()
      else worker.send(value)
    }
    worker.on("message", (one: Replayed) => {
      each(one)
      deal()
    })
    process.once("SIGINT", () => void worker.kill())
    worker.on("exit", (code) => resolve(code === 0))
    deal()
  })

const began = process.hrtime.bigint()
const all: Array<Replayed> = []
const workers = isCampaign ? Math.min(Number(values.workers), seeds.length) : 1
const ends = await Promise.all(Array.from({ length: workers }, () =>
  worked((one) => {
    all.push(one)
    console.log(lineOf(one))
  })))

const { isFaultless, never, report } = campaignOf(all, Number(process.hrtime.bigint() - began) / 1e9)
console.log(report.join("\n"))
console.log(`${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`)
if (!ends.every(Boolean)) console.log("ended before all seeds were run")
if (isCampaign) { for (const one of never) console.log(`never met: ${one}`) }
process.exit(isFaultless && ends.every(Boolean) && (!isCampaign || never.length === 0) ? 0 : 1)
