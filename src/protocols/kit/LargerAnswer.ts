import { Either } from "effect"
import type { Getter } from "../../chain/Getter.ts"
import type { ScValCodec } from "../../stellar/ScValCodec.ts"
import type { TwoOriginGetter } from "./Question.ts"

/** A getter of code that no file lists. What does not decode at either origin does not decode at all: it is never taken for nothing. */
export const atTwoOrigins = <A>(getter: Getter, codec: ScValCodec<A>, larger: (one: A, other: A) => A): TwoOriginGetter => ({
  ...getter,
  larger: (one, other) => {
    const [first, second] = [codec.decode(one), codec.decode(other)]
    if (Either.isLeft(first)) return one
    return Either.isLeft(second) ? other : codec.encode(larger(first.right, second.right))
  }
})

/** What either of two lists has; of what both have, the one with the larger amount. */
export const largerOfEach =
  <A>(nameOf: (one: A) => string, amountOf: (one: A) => bigint) => (some: ReadonlyArray<A>, others: ReadonlyArray<A>): ReadonlyArray<A> => {
    const all = new Map<string, A>()
    for (const one of [...some, ...others]) {
      const before = all.get(nameOf(one))
      if (before === undefined || amountOf(one) > amountOf(before)) all.set(nameOf(one), one)
    }
    return [...all.values()]
  }
