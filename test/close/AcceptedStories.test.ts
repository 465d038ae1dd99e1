import { describe } from "@effect/vitest"
import { acceptedStories } from "../deep/support/accept/AcceptedStories.ts"
import { firstOf } from "../support/Thorough.ts"

/** They hold a pair, rewards, a token with books of its own, and one that a pair buys; `npm run test:deep` runs more. */
const SEEDS = [2, 3, 1]

describe("closes by an acceptance, with a claimable balance, a token and shares from strangers in every ledger", () => {
  acceptedStories(firstOf(1, SEEDS))
})
