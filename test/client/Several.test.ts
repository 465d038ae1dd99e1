import { assert, describe, it } from "@effect/vitest"
import { fewestOf } from "../../src/client/signing/Several.ts"

const rowOf = (requiredWeight: number, weights: Readonly<Record<string, number>>) => ({
  account: "GA",
  level: "med" as const,
  requiredWeight,
  availableWeight: 255,
  signers: Object.entries(weights).map(([key, weight]) => ({
    key,
    weight,
    type: key.startsWith("X") ? "hash_x" as const : "ed25519_public_key" as const
  }))
})

const chosen = (requiredWeight: number, weights: Readonly<Record<string, number>>, available = Object.keys(weights)) =>
  fewestOf(new Set(available), rowOf(requiredWeight, weights))

describe("several signers", () => {
  it("are chosen by weight, none of them superfluous", () => {
    assert.deepStrictEqual(chosen(10, { GA: 1, GB: 10, GC: 5 }), ["GB"])
    assert.deepStrictEqual(chosen(10, { GA: 1, GB: 10, GC: 5, GD: 5 }, ["GA", "GC", "GD"]), ["GC", "GD"])
    assert.deepStrictEqual(chosen(2, { GA: 0, GB: 1 }), ["GB"])
  })

  it("reveal a preimage only where keys do not suffice", () => {
    assert.deepStrictEqual(chosen(10, { GA: 10, XA: 255 }), ["GA"])
    assert.deepStrictEqual(chosen(10, { GA: 5, GB: 5, XA: 10 }), ["GA", "GB"])
    assert.deepStrictEqual(chosen(10, { GA: 5, XA: 10 }), ["XA"])
    assert.deepStrictEqual(chosen(10, { GA: 6, XA: 4 }), ["GA", "XA"])
  })
})
