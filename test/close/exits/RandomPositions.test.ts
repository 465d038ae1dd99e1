import { describe } from "@effect/vitest"
import { closesWithPositions } from "../../deep/support/positions/PositionsProperty.ts"

/** Seeds in which between them everything happens; `npm run test:deep` goes on with others. */
const SEEDS = [4, 15, 23, 3638, 4083]

describe("random accounts with positions and contract tokens, each on a network of its own", () => {
  closesWithPositions(SEEDS)
})
