import { describe } from "@effect/vitest"
import { acceptedStories } from "../deep/support/accept/AcceptedStories.ts"

/** They hold a pair, rewards, a token with books of its own, and one that a pair buys; `npm run test:deep` goes on with more. */
const SEEDS = [1, 2, 3]

describe("closes by an acceptance, with a claimable balance, a token and shares from strangers in every ledger", () => {
  acceptedStories(SEEDS)
})
