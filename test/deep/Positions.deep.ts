import { describe } from "@effect/vitest"
import { closesWithPositions } from "./support/positions/PositionsProperty.ts"

/** `POSITIONS_SEEDS`: one seed, or the first and the last of some ("400-450"). */
const asked = process.env["POSITIONS_SEEDS"]

const [first = 1, last = first] = (asked ?? "1-150").split("-").map(Number)

/**
 * An account that was sent lumens for fees, and paid a debt with them, again and again; one that was sent exactly what a call lacked, whose rent
 * had grown by a few stroops when it was there; one whose claim, which was to pay for a debt, was taken for a call without end; one with a token
 * that keeps a unit back of what is sold.
 */
const found = [4568, 5001, 329, 413]

describe("random accounts with positions and contract tokens, each on a network of its own", () => {
  const seeds = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  if (asked === undefined) closesWithPositions([...seeds, ...found])
  else closesWithPositions(seeds, [])
})
