import { describe } from "@effect/vitest"
import { closesWithPositions } from "../../deep/support/positions/PositionsProperty.ts"
import { isThorough } from "../../support/Thorough.ts"

/**
 * Seeds that between them cover every event. `npm run test:deep` runs them and others. In 88 an exit pays an asset that is sold through
 * contracts. Its books, which pay less than agreed, must not delay the steps before that sale.
 */
const SEEDS = [4, 15, 4083, 23, 3638, 88]

describe.runIf(isThorough)("random accounts with positions and contract tokens, each on a network of its own", () => {
  closesWithPositions(SEEDS)
})
