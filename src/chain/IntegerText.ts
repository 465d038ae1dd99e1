import { writtenAsText } from "../domain/Leaf.ts"

/** A non-negative integer that a source writes as a string of at most so many digits. */
export const integerText = (mostDigits: number) => {
  const digits = new RegExp(`^[0-9]{1,${mostDigits}}$`)
  return writtenAsText<bigint>({
    is: (value) => typeof value === "bigint",
    read: (text) => (digits.test(text) ? BigInt(text) : null),
    write: String
  }, { expected: `an integer of at most ${mostDigits} digits` })
}
