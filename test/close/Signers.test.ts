import { assert, describe, it } from "@effect/vitest"
import { Keypair, StrKey, xdr } from "@stellar/stellar-sdk"
import { heaviestSigning, signingOf } from "../../src/close/project/Signers.ts"
import { atomicGroup, type PlannedStep } from "../../src/close/situation/AtomicGroup.ts"
import { holdingsIn } from "../../src/close/situation/Holdings.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { InvokeContract } from "../../src/operations/InvokeContract.ts"
import type { Operation } from "../../src/operations/Operations.ts"
import { RestoreFootprint } from "../../src/operations/RestoreFootprint.ts"
import { preAuth, setOptions, setSigner, signerKeyOf } from "../ledger/support/Bodies.ts"
import { World } from "../ledger/support/World.ts"
import { leave } from "./leaving/support/Simulating.ts"

const [second, once] = [Keypair.random(), Buffer.alloc(32, 7)]
const preimage = Buffer.alloc(32, 9)

/** An account with a second signer, a hash and a transaction approved in advance, and another account. */
const scene = () => {
  const world = new World()
  const [source, other] = [world.account(), world.account()]
  world.succeed(source, [
    setSigner(signerKeyOf(second), 2),
    setSigner(xdr.SignerKey.signerKeyTypeHashX(preimage), 3),
    setSigner(preAuth(once), 9),
    setOptions({ lowThreshold: 1, medThreshold: 2, highThreshold: 3 })
  ])
  const [address, owner] = [source, other].map((pair) => AccountAddress.make(pair.publicKey())) as [AccountAddress, AccountAddress]
  const holdings = holdingsIn(world.state, address) ?? assert.fail("the account is missing")
  const planned = (...steps: ReadonlyArray<Partial<PlannedStep>>) => ({
    holdings,
    ledgerState: world.state,
    groups: steps.map((step) => atomicGroup([{ type: "MERGE", title: "", description: "", operations: [], ...step }]))
  })
  return { address, owner, planned }
}

const claim = (source: AccountAddress): Operation => ({ type: "claim_claimable_balance", source, balanceId: "00".repeat(36) })
const removal = (source: AccountAddress): Operation => ({ type: "manage_data", source, name: "a", value: null })
const merge = (source: AccountAddress): Operation => ({ type: "account_merge", source, destination: source })

const levels = (...signing: ReadonlyArray<ReturnType<typeof signingOf>[number]>) =>
  signing.map(({ account, level, requiredWeight }) => [account, level, requiredWeight])

describe("who signs a transaction", () => {
  it("is its account, with the weight of its heaviest operation and the signers that can sign it", () => {
    const { address, planned } = scene()
    assert.deepStrictEqual(signingOf(planned({ operations: [claim(address)] })), [{
      account: address,
      level: "low",
      requiredWeight: 1,
      availableWeight: 6,
      signers: [
        { key: address, weight: 1, type: "ed25519_public_key" },
        { key: second.publicKey(), weight: 2, type: "ed25519_public_key" },
        { key: StrKey.encodeSha256Hash(preimage), weight: 3, type: "hash_x" }
      ]
    }])
    assert.deepStrictEqual(levels(...signingOf(planned({ operations: [claim(address), removal(address)] }))), [[address, "med", 2]])
    assert.deepStrictEqual(levels(...signingOf(planned({ operations: [merge(address), removal(address)] }))), [[address, "high", 3]])
    assert.deepStrictEqual(levels(...signingOf(planned({ operations: [claim(address)] }, { operations: [merge(address)] }))), [[
      address,
      "high",
      3
    ]])
  })

  it("is any other account that acts in it too, behind its own, where it exists", () => {
    const { address, owner, planned } = scene()
    assert.deepStrictEqual(levels(...signingOf(planned({ operations: [removal(owner)] }))), [[address, "low", 1], [owner, "med", 1]])
    const missing = AccountAddress.make(Keypair.random().publicKey())
    assert.deepStrictEqual(levels(...signingOf(planned({ operations: [removal(missing)] }))), [[address, "low", 1]])
  })

  it("needs the medium threshold for a call, and the low one for a restoration", () => {
    const { address, planned } = scene()
    const call = (operation: NonNullable<PlannedStep["call"]>["operation"] | null) =>
      planned({ call: { operation: operation ?? assert.fail("it is not read"), feeStroops: 1n } })
    assert.deepStrictEqual(levels(...signingOf(call(InvokeContract.decode(InvokeContract.build(address, leave, []).body, address)))), [[
      address,
      "med",
      2
    ]])
    assert.deepStrictEqual(levels(...signingOf(call(RestoreFootprint.decode(RestoreFootprint.build(address).body, address, [])))), [[
      address,
      "low",
      1
    ]])
  })
})

describe("who signs a close", () => {
  it("is everyone who signs any of its transactions, each with the heaviest", () => {
    const { address, owner, planned } = scene()
    const close = [
      planned({ operations: [claim(address)] }),
      planned({ operations: [merge(address), claim(owner)] }),
      planned({ operations: [removal(address)] })
    ]
    assert.deepStrictEqual(levels(...heaviestSigning(close)), [[address, "high", 3], [owner, "low", 1]])
  })
})
