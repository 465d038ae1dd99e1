import { Either } from "effect"
import { i128 } from "../../stellar/ScValCodec.ts"
import type { ScValCodec } from "../../stellar/ScValCodec.ts"

/**
 * An amount as contracts keep it: an i128 that is not below zero. One that is was written by no one whose code is known, so it does not
 * decode: it is never taken for nothing.
 */
export const amount: ScValCodec<bigint> = {
  decode: (value) =>
    Either.filterOrLeft(i128.decode(value), (one) => one >= 0n, () => ({ path: [], expected: "an amount of at least zero" })),
  encode: i128.encode
}
