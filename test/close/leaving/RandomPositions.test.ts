import { describe } from "@effect/vitest"
import { closesWithPositions } from "../../deep/support/positions/PositionsProperty.ts"
import { firstOf, isThorough } from "../../support/Thorough.ts"

/**
 * Seeds in which between them everything happens: the first here, all of them and others in `npm run test:deep`. In 88 an exit pays an asset that is sold through
 * contracts: its books, which pay less than was agreed, must not hold up what comes before that sale.
 */
const SEEDS = [4, 15, 4083, 23, 3638, 88]

describe("random accounts with positions and contract tokens, each on a network of its own", () => {
  if (isThorough) closesWithPositions(SEEDS)
  else closesWithPositions(firstOf(1, SEEDS), [])
})
