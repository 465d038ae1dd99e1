import { atomicGroup } from "../situation/AtomicGroup.ts"
import type { StepRule } from "./StepRule.ts"

/** Data entries hold a reserve each. */
export const removeDataEntries: StepRule = function*({ holdings }) {
  for (const name of holdings.dataNames) {
    yield atomicGroup([{
      type: "REMOVE_DATA_ENTRIES",
      title: `Remove the data entry ${name}`,
      description: "Its reserve is freed.",
      entry: name,
      operations: [{ type: "manage_data", source: holdings.address, name, value: null }]
    }])
  }
}
