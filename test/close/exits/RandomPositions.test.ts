import { describe } from "@effect/vitest"
import { closesWithPositions } from "../../deep/support/positions/PositionsProperty.ts"

/** Seeds in which between them everything happens; `npm run test:deep` goes on with others. */
const SEEDS = [125, 141, 146, 177, 178, 185, 247, 274, 278, 280, 286, 287, 288, 295, 304, 308, 309, 312, 316, 318, 478]

describe("random accounts with positions, each on a network of its own", () => {
  closesWithPositions(SEEDS)
})
