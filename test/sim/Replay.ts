import type { Replayed } from "./CampaignReport.ts"
import { run } from "./Run.ts"

/** Runs a seed twice. Only the first run is printed. */
export const replayed = async (seed: number, closes: number, print: ((line: string) => void) | null): Promise<Replayed> => {
  const first = await run({ seed, closes, print })
  const second = await run({ seed, closes, print: null })
  return { ...first, seen: Object.fromEntries(first.seen), isSame: first.hash === second.hash }
}
