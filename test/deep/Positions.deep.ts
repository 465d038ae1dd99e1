import { describe } from "@effect/vitest"
import { closesWithPositions } from "./support/positions/PositionsProperty.ts"

/** `POSITIONS_SEEDS`: one seed, or the first and the last of some ("400-450"). */
const asked = process.env["POSITIONS_SEEDS"]

const [first = 1, last = first] = (asked ?? "1-150").split("-").map(Number)

describe("random accounts with positions and contract tokens, each on a network of its own", () => {
  closesWithPositions(Array.from({ length: last - first + 1 }, (_, at) => first + at), asked === undefined ? undefined : [])
})
