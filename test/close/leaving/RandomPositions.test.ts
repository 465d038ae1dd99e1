import { describe } from "@effect/vitest"
import { closesWithPositions } from "../../deep/support/positions/PositionsProperty.ts"

/**
 * Seeds in which between them everything happens; `npm run test:deep` goes on with others. In 88 an exit pays an asset that is sold through
 * contracts: its books, which pay less than was agreed, must not hold up what comes before that sale.
 */
const SEEDS = [4, 15, 23, 88, 3638, 4083]

describe("random accounts with positions and contract tokens, each on a network of its own", () => {
  closesWithPositions(SEEDS)
})
