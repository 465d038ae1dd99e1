import { Option } from "effect"
import { chai } from "vitest"

/** False where two values differ in what chai does not compare by itself; null: its own rules decide. */
const comparator = (left: unknown, right: unknown): false | null => {
  const differ = Option.isOption(left) && Option.isOption(right)
    ? Option.isSome(left) !== Option.isSome(right)
    : left instanceof Error && right instanceof Error && !chai.util.eql({ ...left }, { ...right }, { comparator })
  return differ ? false : null
}

/**
 * Has `deepStrictEqual` tell an `Option` with a value from one without, and failures of one kind by their fields. By itself it compares
 * what an `Option` iterates over, which hides the value, and name and message of an error.
 */
export const compareEveryField = (): void => {
  chai.config.deepEqual = (left, right) => chai.util.eql(left, right, { comparator })
}
