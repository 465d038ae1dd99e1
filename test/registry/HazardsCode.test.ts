import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { randomBytes } from "node:crypto"
import { ProtocolCode } from "../../src/registry/ContractAddresses.ts"

const [one, other] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")]
const accepts = (code: unknown): boolean => Schema.decodeUnknownEither(ProtocolCode)(code)._tag === "Right"

describe("the code of a protocol", () => {
  it("is named by hashes, and one hash stands for one thing", () => {
    assert.isTrue(accepts({ poolV1: [one], poolV2: [other] }))
    assert.isFalse(accepts({ poolV1: [one], poolV2: [one] }))
    assert.isFalse(accepts({ poolV1: [one, one] }))
    assert.isFalse(accepts({ poolV1: [] }))
    assert.isFalse(accepts({ poolV1: [`${one}0`] }))
  })
})
