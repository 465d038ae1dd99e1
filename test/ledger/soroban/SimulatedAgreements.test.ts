import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { withSequence } from "../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { compareKeys } from "../../../src/ledger/soroban/KeyOrder.ts"
import { simulateInvocation } from "../../../src/ledger/soroban/Simulation.ts"
import { u32, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { instanceVal, keyOf, keyOfAccount, keyOfInstance, keyOfNonce } from "../../../src/xdr/LedgerKeys.ts"
import { assetOf } from "../support/Bodies.ts"
import { idOf, networkPassphrase } from "../support/World.ts"
import { callOf, tree } from "./support/Agreements.ts"
import { addressIn, addressVal, recording } from "./support/ContractWorld.ts"
import { contractAt, nonceEntry } from "./support/Entries.ts"
import { belowRoot, overBudget, textOf } from "./support/HostErrors.ts"
import { called, estimate, fresh, now, type Scene, sceneOf, sizeOf } from "./support/SimulatedScene.ts"

const enforcing = { _tag: "Enforce" } as const

/** Agreement of an address to the work, still to be signed; that of the source without one. */
const agreement = ({ contract }: Scene, address?: xdr.ScAddress, expiry = 0, upgraded = false): xdr.SorobanAuthorizationEntry => {
  const { SorobanCredentials } = xdr
  const credentials = (of: xdr.ScAddress): xdr.SorobanCredentials => {
    const fields = new xdr.SorobanAddressCredentials({ address: of, nonce: 5n, signatureExpirationLedger: expiry, signature: voidVal })
    return upgraded ? SorobanCredentials.sorobanCredentialsAddressV2(fields) : SorobanCredentials.sorobanCredentialsAddress(fields)
  }
  return new xdr.SorobanAuthorizationEntry({
    credentials: address === undefined ? SorobanCredentials.sorobanCredentialsSourceAccount() : credentials(address),
    rootInvocation: tree(callOf(contract, "work"))
  })
}

describe("recorded agreements", () => {
  it("of the source cost instructions, and need no nonce", () => {
    const scene: Scene = sceneOf(({ requireAuth }) => requireAuth(addressIn(scene.alice)))
    const { auth, estimate: found } = scene.succeed()
    const agreed = [agreement(scene)]
    assert.deepStrictEqual([auth, found], [agreed, estimate(scene, { instructions: called + 15_000 + 50_000, auth: agreed })])
  })

  it("of others use up a nonce each, and read what their signatures will be checked with", () => {
    const scene: Scene = sceneOf(({ requireAuth }) => signers.forEach((signer) => requireAuth(signer)))
    const { guard, guardCode, world } = scene
    const bob = world.account()
    const bare = contractAt(1)
    const strange = contractAt(2)
    world.put(...dataEntries(strange, [instanceVal, u32(1)], "persistent", now))
    const others = [bare, strange, world.asset(assetOf(bob)), guard]
    const signers = [addressIn(bob), ...others]
    const account = world.entry(bob)
    const marked = newEntry(xdr.LedgerEntryData.account(withSequence(account, account.seqNum, { seqLedger: 0, seqTime: 0n })))
    const nonces = signers.map((signer) => nonceEntry(signer, 5n))
    for (const upgraded of [false, true]) {
      const { auth, changes, estimate: found } = scene.succeed({ authorization: { ...recording, coversAddress: upgraded } })
      assert.deepStrictEqual(auth, signers.map((signer) => agreement(scene, signer, 0, upgraded)))
      assert.deepStrictEqual(
        changes,
        nonces.map((after) => ({ key: keyOf(after), before: undefined, after })).toSorted((left, right) => compareKeys(left.key, right.key))
      )
      assert.deepStrictEqual(
        found,
        estimate(scene, {
          auth,
          readOnly: [keyOfAccount(idOf(bob)), ...others.map(keyOfInstance), guardCode],
          readWrite: signers.map((signer) => keyOfNonce(signer, 5n)).toSorted(compareKeys),
          instructions: 2_314_000,
          diskReadBytes: sizeOf(marked),
          writeBytes: sizeOf(...nonces),
          rent: nonces.map((nonce) => fresh(nonce, now + 3_110_399, "temporary"))
        })
      )
    }
  })

  it("have nonces of their own where none are given: 63 random bits", () => {
    const guards = Array.from({ length: 16 }, (_, at) => contractAt(at))
    const { alice, operation, world } = sceneOf(({ requireAuth }) => guards.forEach((guard) => requireAuth(guard)))
    const options = { networkPassphrase, contracts: world.options.contracts, authorization: recording }
    const simulated = simulateInvocation(world.state, operation(), idOf(alice), options)
    const auth = simulated._tag === "SimulatedCall" ? simulated.auth : assert.fail(simulated.error.message)
    const nonces = auth.map(({ credentials }) => (credentials.type === "sorobanCredentialsAddress" ? credentials.address.nonce : -1n))
    assert.strictEqual(new Set(nonces).size, 16)
    assert.isTrue(nonces.every((nonce) => nonce >= 0n && nonce < 1n << 63n))
    assert.isTrue(nonces.some((nonce) => nonce >= 1n << 48n))
  })

  it("begin below the outermost call only where that is allowed", () => {
    const scene: Scene = sceneOf(({ call }) => call(scene.guard, "ask", addressVal(scene.alice)))
    assert.strictEqual(textOf(scene.simulate()), belowRoot)
    const { auth } = scene.succeed({ authorization: { ...recording, allowNonRoot: true } })
    const agreed = callOf(scene.guard, "ask", [addressVal(scene.alice)])
    assert.deepStrictEqual(auth.map(({ rootInvocation }) => rootInvocation.function.toJson()), [agreed.toJson()])
  })

  it("of a call that was survived when it failed are none", () => {
    const scene: Scene = sceneOf(({ tryCall }) => tryCall(scene.guard, "refuse", addressVal(scene.alice)))
    assert.deepStrictEqual(scene.succeed({ authorization: { ...recording, allowNonRoot: true } }).auth, [])
  })

  it("are paid for by instructions, as all else is", () => {
    const outcomes = [0, 1].map((more) => {
      const scene: Scene = sceneOf(({ charge, requireAuth }) => {
        charge(400_000_000 - called - 415_000 + more)
        requireAuth(scene.guard)
      })
      const simulated = scene.simulate()
      return [textOf(simulated), simulated._tag === "FailedCall" && simulated.error.raisedIn]
    })
    assert.deepStrictEqual(outcomes, [
      ["success", false],
      [overBudget, null]
    ])
  })
})

describe("given agreements", () => {
  it("are enforced and passed on, and nothing is read to check them again", () => {
    const scene: Scene = sceneOf(({ requireAuth }) => requireAuth(scene.guard))
    const agreed = [agreement(scene, scene.guard, now + 10_000, true)]
    const { auth, estimate: found } = scene.succeed({ authorization: enforcing }, agreed)
    const nonce = nonceEntry(scene.guard, 5n)
    assert.deepStrictEqual(auth, agreed)
    assert.deepStrictEqual(
      found,
      estimate(scene, {
        auth: agreed,
        readOnly: [keyOfInstance(scene.guard), scene.guardCode],
        readWrite: [keyOfNonce(scene.guard, 5n)],
        instructions: called + 415_000 + 30_000 + 50_000,
        writeBytes: sizeOf(nonce),
        rent: [fresh(nonce, now + 10_000, "temporary")]
      })
    )
  })

  it("must be there, and signed", () => {
    const scene: Scene = sceneOf(({ requireAuth }) => requireAuth(addressIn(bob)))
    const bob = scene.world.account()
    const refusals = [[], [agreement(scene)], [agreement(scene, addressIn(bob), now)]].map((auth) =>
      textOf(scene.simulate({ authorization: enforcing }, auth))
    )
    const unauthorized = `HostError: Error(Auth, InvalidAction): Unauthorized function call for address ${bob.publicKey()}`
    assert.deepStrictEqual(refusals, [
      unauthorized,
      unauthorized,
      "HostError: Error(Auth, InvalidAction): failed account authentication with error Error(Value, UnexpectedType)"
    ])
  })
})
