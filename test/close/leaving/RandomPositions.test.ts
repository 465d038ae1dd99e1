import { describe } from "@effect/vitest"
import { closesWithPositions } from "../../deep/support/positions/PositionsProperty.ts"
import { firstOf, isThorough } from "../../support/Thorough.ts"

/**
 * Seeds that between them cover every event. The first runs here; all of them and others run in `npm run test:deep`. In 88 an exit pays an
 * asset that is sold through contracts. Its books, which pay less than agreed, must not delay the steps before that sale.
 */
const SEEDS = [4, 15, 4083, 23, 3638, 88]

describe("random accounts with positions and contract tokens, each on a network of its own", () => {
  if (isThorough) closesWithPositions(SEEDS)
  else closesWithPositions(firstOf(1, SEEDS), [])
})
