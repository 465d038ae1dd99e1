/**
 * Runs service, clients, mediator, liars, strangers and the sandbox network in one process, all from one seed, in virtual time. Each seed
 * runs twice, and must have the same events both times.
 *
 *     npm run sim -- --seed 7 [--closes 4] [--log]      one seed, or several ("3,7,20-25"); `--log` prints every event
 *     npm run sim -- --seeds 1000 [--from 1] [--workers 2]      a campaign, which must meet every event that it looks for
 */
import { spawn } from "node:child_process"
import { enableCompileCache } from "node:module"
import { availableParallelism, totalmem } from "node:os"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { campaignOf, lineOf, type Replayed } from "../test/sim/CampaignReport.ts"
import { drawFrom } from "../test/sim/Seams.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    seeds: { type: "string" },
    from: { type: "string", default: "1" },
    closes: { type: "string", default: "50" },
    workers: { type: "string", default: String(availableParallelism()) },
    log: { type: "boolean", default: false },
    json: { type: "boolean", default: false }
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

const runHere = async (each: (one: Replayed) => void): Promise<boolean> => {
  enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compile", import.meta.url)))
  drawFrom(0, () => 0)
  const { replayed } = await import("../test/sim/Replay.ts")
  for (const seed of seeds) each(await replayed(seed, Number(values.closes), values.log ? console.log : null))
  return true
}

/**
 * Runs some seeds in a process of their own. Returns whether all ran: Ctrl-C ends a campaign early, with a report of the finished seeds.
 */
const runThere = (part: ReadonlyArray<number>, each: (one: Replayed) => void): Promise<boolean> =>
  new Promise((resolve) => {
    const own = ["--seed", part.join(), "--closes", values.closes, "--json"]
    const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), ...own], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    createInterface({ input: child.stdout }).on("line", (line) => each(JSON.parse(line) as Replayed))
    process.once("SIGINT", () => void child.kill())
    child.on("close", (code) => resolve(code === 0))
  })

const began = process.hrtime.bigint()
const all: Array<Replayed> = []
const taken = (one: Replayed) => {
  all.push(one)
  console.log(values.json ? JSON.stringify(one) : lineOf(one))
}
const workers = isCampaign ? Math.min(Number(values.workers), seeds.length) : 1
const parts = Array.from({ length: workers }, (_, at) => seeds.filter((_one, place) => place % workers === at))
const ends = workers === 1 ? [await runHere(taken)] : await Promise.all(parts.map((part) => runThere(part, taken)))
if (values.json) process.exit(0)

const { isFaultless, never, report } = campaignOf(all, Number(process.hrtime.bigint() - began) / 1e9)
console.log(report.join("\n"))
console.log(`${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`)
if (!ends.every(Boolean)) console.log("ended before all seeds were run")
if (isCampaign) { for (const one of never) console.log(`never met: ${one}`) }
process.exit(isFaultless && ends.every(Boolean) && (!isCampaign || never.length === 0) ? 0 : 1)
