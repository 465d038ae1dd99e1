import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { Either, JSONSchema, Schema } from "effect"
import { LedgerEntryExtText } from "../../src/chain/xdr/XdrText.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { Amount, largestAmount, stroops } from "../../src/domain/Amount.ts"
import { AssetId } from "../../src/domain/Asset.ts"
import { Int } from "../../src/domain/Leaf.ts"
import { TransactionHash } from "../../src/domain/Ledger.ts"
import { StepType } from "../../src/domain/Plan.ts"

const reads = <A, I>(schema: Schema.Schema<A, I>) => (value: unknown) => Either.isRight(Schema.decodeUnknownEither(schema)(value))

const complaint = <A, I>(schema: Schema.Schema<A, I>, value: unknown) =>
  Either.match(Schema.decodeUnknownEither(schema)(value), { onLeft: ({ message }) => message, onRight: () => null })

describe("a schema that takes one step", () => {
  const account = Keypair.random().publicKey()
  const wrong = `${account.slice(0, -1)}${account.endsWith("A") ? "B" : "A"}`

  it("takes what its check takes, and nothing of another kind", () => {
    assert.deepStrictEqual([account, wrong, `${account}\n`, 7, null, [account]].map(reads(AccountAddress)), [
      true,
      false,
      false,
      false,
      false,
      false
    ])
    assert.deepStrictEqual(["native", `A:${account}`, `A:${wrong}`, `:${account}`, undefined].map(reads(AssetId)), [
      true,
      true,
      false,
      false,
      false
    ])
    const hash = "0".repeat(64)
    assert.deepStrictEqual([hash, hash.slice(1), `${hash}\n`, hash.replace("0", "G")].map(reads(TransactionHash)), [
      true,
      false,
      false,
      false
    ])
    assert.deepStrictEqual([-3, 0, 1.5, Number.NaN, 2 ** 53, "3", 3n].map(reads(Int)), [true, true, false, false, false, false, false])
    assert.deepStrictEqual(["MERGE", "merge", "toString", "", 0].map(reads(StepType)), [true, false, false, false, false])
  })

  it("says what it expected", () => {
    assert.strictEqual(complaint(AccountAddress, wrong), "an account address: G and 55 characters with a valid checksum")
    assert.strictEqual(complaint(Amount, "1e3"), "a decimal amount with at most seven fractional digits")
  })

  it("makes what is known to be right, and throws for anything else", () => {
    assert.strictEqual<string>(AccountAddress.make(account), account)
    assert.throws(() => AccountAddress.make(wrong))
  })

  it("reads amounts from texts and writes them, within what the ledger holds", () => {
    const read = Schema.decodeUnknownSync(Amount)
    assert.strictEqual<bigint>(read("12.5"), 125_000_000n)
    assert.deepStrictEqual(["922337203685.4775807", "922337203685.4775808", "-1", "01", "1.", "1.12345678", "", 1].map(reads(Amount)), [
      true,
      false,
      false,
      false,
      false,
      false,
      false,
      false
    ])
    assert.strictEqual(Schema.encodeSync(Amount)(stroops(largestAmount)), "922337203685.4775807")
    assert.throws(() => Schema.encodeUnknownSync(Amount)(-1n))
    assert.throws(() => Schema.encodeUnknownSync(Amount)(largestAmount + 1n))
  })

  it("keeps a value whole through whatever reads and writes both sides of it", () => {
    const Pair = Schema.transform(Schema.Struct({ at: Amount }), Schema.typeSchema(Schema.Struct({ amount: Amount })), {
      strict: true,
      decode: ({ at }) => ({ amount: at }),
      encode: ({ amount }) => ({ at: amount })
    }).pipe(Schema.filter(({ amount }) => amount > 0n))
    assert.deepStrictEqual(Schema.encodeSync(Pair)(Schema.decodeSync(Pair)({ at: "3.0000000" })), { at: "3.0000000" })
    const none = xdr.LedgerEntryExt.v0()
    const text = Schema.encodeSync(LedgerEntryExtText)(none)
    assert.strictEqual(text, none.toXdr("base64"))
    assert.deepStrictEqual(Schema.decodeSync(LedgerEntryExtText)(text), none)
    assert.deepStrictEqual([`${text}AAAA`, "", "!", 0].map(reads(LedgerEntryExtText)), [false, false, false, false])
  })

  it("is told in documents as texts and numbers are", () => {
    assert.deepInclude(JSONSchema.make(Schema.Struct({ type: StepType })).$defs?.["StepType"], {
      type: "string",
      enum: [...StepType.literals]
    })
    assert.deepInclude(JSONSchema.make(Amount), { type: "string", pattern: "^[0-9]+(\\.[0-9]{1,7})?$" })
  })
})
