import { xdr } from "@stellar/stellar-sdk"
import { FastCheck } from "effect"
import { i128, struct, symbol, u128, u64 } from "../../../src/ledger/soroban/Values.ts"

const text = FastCheck.oneof(
  FastCheck.string({ maxLength: 40 }),
  FastCheck.constantFrom("amount", "decimal", "symbol", "METADATA", "Balance")
)

const symbolText = FastCheck.oneof(
  FastCheck.stringMatching(/^[a-zA-Z0-9_]{1,12}$/),
  FastCheck.constantFrom("amount", "decimal", "decimals", "symbol", "METADATA", "Meta", "Balance")
)

/** Amounts around the limits of a balance. */
export const anyI128 = FastCheck.oneof(
  FastCheck.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n }),
  FastCheck.constantFrom(0n, 1n, -1n, 2n ** 127n - 1n, -(2n ** 127n))
)

/** Contract values with a few levels of nesting. */
export const anyScVal: FastCheck.Arbitrary<xdr.ScVal> = FastCheck.letrec<{ readonly any: xdr.ScVal }>((tie) => ({
  any: FastCheck.oneof(
    { maxDepth: 3, depthIdentifier: "ScVal" },
    FastCheck.constant(xdr.ScVal.scvVoid()),
    FastCheck.boolean().map((value) => xdr.ScVal.scvBool(value)),
    FastCheck.nat(0xffff_ffff).map((value) => xdr.ScVal.scvU32(value)),
    FastCheck.nat(60).map((value) => xdr.ScVal.scvU32(value)),
    FastCheck.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(u64),
    anyI128.map(i128),
    FastCheck.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map(u128),
    text.map((value) => xdr.ScVal.scvString(value)),
    FastCheck.uint8Array({ maxLength: 40 }).map((value) => xdr.ScVal.scvString(value)),
    symbolText.map(symbol),
    FastCheck.array(tie("any"), { maxLength: 4 }).map((values) => xdr.ScVal.scvVec(values)),
    FastCheck.array(FastCheck.tuple(tie("any"), tie("any")), { maxLength: 4 }).map((pairs) =>
      xdr.ScVal.scvMap(pairs.map(([key, val]) => new xdr.ScMapEntry({ key, val })))
    ),
    FastCheck.dictionary(symbolText, tie("any"), { maxKeys: 4 }).map(struct)
  )
})).any
