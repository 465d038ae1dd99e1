import { describe } from "@effect/vitest"
import { campaignOf } from "./support/campaign/Campaign.ts"

/** `CAMPAIGN_SEEDS`: single seeds, and the first and the last of some ("7,400-450"). */
const seeds = (process.env["CAMPAIGN_SEEDS"] ?? "1-500").split(",").flatMap((part) => {
  const [first = 1, last = first] = part.split("-").map(Number)
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
})

describe("random closes among strangers, moving prices and one lying endpoint of two", () => {
  campaignOf(seeds)
})
