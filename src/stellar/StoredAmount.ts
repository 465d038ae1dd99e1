import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import { fieldOf } from "./AllowanceKeys.ts"
import { i128 } from "./ScValCodec.ts"

/**
 * The amount in a value that a token stores, base units: a plain amount, or the field `amount` of a map, as contracts of assets keep it. Null
 * where there is neither.
 */
export const storedAmount = (value: xdr.ScVal): bigint | null => Either.getOrNull(i128.decode(fieldOf(value, "amount") ?? value))
