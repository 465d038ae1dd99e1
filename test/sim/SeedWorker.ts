// First, so that no module keeps a real source of random numbers or of time.
import { drawFrom } from "./Seams.ts"

import type { Replayed } from "./CampaignReport.ts"
import { run } from "./Run.ts"

const [closes, print] = process.argv.slice(2)

drawFrom(0, () => 0)

/** Runs a seed twice. Only the first run is printed. */
const replayed = async (seed: number): Promise<Replayed> => {
  const options = { seed, closes: Number(closes) }
  const first = await run({ ...options, print: print === "--log" ? console.log : null })
  const second = await run({ ...options, print: null })
  return { ...first, seen: Object.fromEntries(first.seen), isSame: first.hash === second.hash }
}

process.on("message", async (seed) => process.send?.(await replayed(Number(seed))))
