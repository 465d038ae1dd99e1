import { Option } from "effect"
import { chai } from "vitest"

/** False for an `Option` with a value and one without; null: the usual rules decide. */
const comparator = (left: unknown, right: unknown): false | null =>
  Option.isOption(left) && Option.isOption(right) && Option.isSome(left) !== Option.isSome(right) ? false : null

/** Has `deepStrictEqual` tell an `Option` with a value from one without. By itself it compares what they iterate over, which hides the value. */
export const tellOptionsApart = (): void => {
  chai.config.deepEqual = (left, right) => chai.util.eql(left, right, { comparator })
}
