import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { envelopeBytes, largeEnvelopes } from "../../src/close/project/LargeEnvelopes.ts"
import { holdingsIn } from "../../src/close/situation/Holdings.ts"
import { mostSignatures } from "../../src/close/situation/Weight.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { setOptions, setSigner, signerKeyOf } from "../ledger/support/Bodies.ts"
import { World } from "../ledger/support/World.ts"
import { readCorpus } from "../verify/support/Corpus.ts"

/** An account that nineteen signers of weight 1 close together, and a recorded contract call. */
const crowded = () => {
  const world = new World()
  const source = world.account()
  for (let count = 0; count < 18; count++) world.succeed(source, [setSigner(signerKeyOf(Keypair.random()), 1)])
  world.succeed(source, [setOptions({ masterWeight: 1, lowThreshold: 19, medThreshold: 19, highThreshold: 19 })])
  const holdings = holdingsIn(world.state, AccountAddress.make(source.publicKey())) ?? assert.fail("the account is missing")
  const call = readCorpus().find(({ name }) => name === "withdraw_position") ?? assert.fail("the corpus has no such call")
  const envelope = xdr.TransactionEnvelope.fromXdr(call.envelope, "base64")
  return { holdings, envelope, ledgerState: world.state, groups: [], isContract: true, simulatedAt: 7 }
}

const input = { envelopeLimit: 5_000, feePayer: "source" } as const

describe("a contract call that is too large for a small envelope", () => {
  it("is named with its size, which every signature that it may need is part of", () => {
    const large = crowded()
    assert.strictEqual(mostSignatures(large.holdings.account), 19)
    const bytes = large.envelope.toXdr().length + 19 * 72
    assert.isAbove(bytes, 5_000)
    assert.strictEqual(envelopeBytes({ input }, large), bytes)
    assert.strictEqual(envelopeBytes({ input: { ...input, feePayer: "fee_bump" } }, large), bytes + 132)
    const [named, ...more] = largeEnvelopes({ input }, [{ ...large, simulatedAt: null }, large])
    assert.deepStrictEqual(more, [])
    assert.deepInclude(named, { code: "envelope_large", subject: "transactions[1]" })
    assert.match(named?.message ?? "", new RegExp(`^The envelope of transaction 2 has ${bytes} bytes .* A contract call cannot be split`))
    assert.include(largeEnvelopes({ input }, [{ ...large, isContract: false }])[0]?.message, "What stands in it cannot be split")
    assert.deepStrictEqual(largeEnvelopes({ input: { ...input, envelopeLimit: null } }, [large]), [])
    assert.deepStrictEqual(largeEnvelopes({ input: { ...input, envelopeLimit: bytes } }, [large]), [])
  })
})
