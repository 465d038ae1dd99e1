import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { requiredWeight, usableSigners, usableWeight } from "../../src/close/situation/Weight.ts"
import { accountEntry, signerOf } from "./support/Entry.ts"

describe("weight", () => {
  it("counts the master key, further keys and hashes, and nothing fixed beforehand", () => {
    const [master, other] = [Keypair.random(), Keypair.random()]
    const account = accountEntry({
      thresholds: [2, 1, 2, 3],
      signers: [signerOf.key(4, other), signerOf.hash(8), signerOf.preauthorized(16), signerOf.payload(32)]
    }, master)
    assert.strictEqual(usableWeight(account), 14)
    assert.deepStrictEqual(usableSigners(account).map(({ type, weight }) => [type, weight]), [
      ["ed25519_public_key", 2],
      ["ed25519_public_key", 4],
      ["hash_x", 8]
    ])
    assert.deepStrictEqual(usableSigners(account).slice(0, 2).map(({ key }) => key), [master.publicKey(), other.publicKey()])
    assert.match(usableSigners(account)[2]?.key ?? "", /^X/)
  })

  it("leaves out a disabled master key and signers without weight", () => {
    const account = accountEntry({ thresholds: [0, 0, 0, 0], signers: [signerOf.key(0), signerOf.key(1)] })
    assert.lengthOf(usableSigners(account), 1)
    assert.strictEqual(usableWeight(account), 1)
  })

  it("is needed by level, and never none: a threshold of zero still takes one signature", () => {
    const account = accountEntry({ thresholds: [1, 0, 7, 255] })
    assert.deepStrictEqual((["low", "med", "high"] as const).map((level) => requiredWeight(account, level)), [1, 7, 255])
    assert.strictEqual(requiredWeight(accountEntry({ thresholds: [0, 0, 0, 0] }), "high"), 1)
  })

  it("of the heaviest signers is added up past what one threshold can ask", () => {
    const account = accountEntry({ thresholds: [255, 0, 0, 255], signers: Array.from({ length: 20 }, () => signerOf.key(255)) })
    assert.strictEqual(usableWeight(account), 21 * 255)
  })
})
