import { assert } from "@effect/vitest"
import { Address, scValToNative, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { strkeyOf } from "../../../../src/ledger/soroban/Values.ts"
import { amm1ContractsAt } from "../../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { lendingContracts } from "../../../../src/sandbox/scenarios/LendingContracts.ts"
import { pairsContracts } from "../../../../src/sandbox/scenarios/PairsContracts.ts"
import { stakedPoolsContracts } from "../../../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import { vaultsContracts } from "../../../../src/sandbox/scenarios/VaultsContracts.ts"
import type { Offered } from "../../../close/support/Client.ts"
import { decoded } from "../../../close/support/Signing.ts"
import type { PositionsScene } from "./PositionsScene.ts"

type Intended = Extract<Offered["intent"]["operations"][number], { readonly type: "invoke_contract" }>

const { backstop, comet, pool } = lendingContracts
const { concentrated, constantProduct, gauge, stable } = amm1ContractsAt
const stakedPools = [stakedPoolsContracts.five, stakedPoolsContracts.six, stakedPoolsContracts.stable]
const called = [
  backstop,
  comet,
  pool,
  vaultsContracts.vaults,
  concentrated,
  constantProduct,
  gauge,
  stable,
  pairsContracts.router,
  ...stakedPools.flatMap((one) => [one.pool, one.stake])
].map(strkeyOf)

const shapeOf = (
  invocation: xdr.SorobanAuthorizedInvocation
): {
  readonly contract: string
  readonly fn: string
  readonly args: ReadonlyArray<unknown>
  readonly subs: ReadonlyArray<xdr.SorobanAuthorizedInvocation>
} => {
  const { function: call, subInvocations } = invocation
  if (call.type !== "sorobanAuthorizedFunctionTypeContractFn") return assert.fail("a signature would cover more than calls")
  const { args, contractAddress, functionName } = call.contractFn
  return {
    contract: Address.fromScAddress(contractAddress).toString(),
    fn: functionName.toString(),
    args: args.map((arg) => scValToNative(arg)),
    subs: subInvocations
  }
}

/** Contracts of tokens that may be called directly. */
const tokensOf = ({ tokens: { allowances, held } }: PositionsScene): ReadonlyArray<string> => [
  ...held.map(({ contract }) => contract),
  ...allowances.map(({ token }) => token)
]

/**
 * Checks that a token's own call is one transfer to an account of the scene, or ends one allowance. The authorization covers only that
 * call.
 */
const assertTokenCall = (
  fn: string,
  args: ReadonlyArray<unknown>,
  auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>,
  { destination, lender, source }: PositionsScene
): void => {
  assert.include(["transfer", "approve"], fn)
  assert.strictEqual(args[0], source.publicKey())
  if (fn === "transfer") assert.include([destination.publicKey(), lender.publicKey()], args[1])
  else assert.deepStrictEqual(args.slice(2), [0n, 0])
  assert.deepStrictEqual(auth.map(({ rootInvocation }) => rootInvocation.subInvocations.length), [0])
}

/** Checks that a contract transaction calls a protocol, has the right intent, and moves tokens only to the called contract. */
const assertCall = (operation: xdr.Operation, intended: Intended, scene: PositionsScene): void => {
  const { pools: { amm2 }, source } = scene
  const { body } = operation
  if (body.type !== "invokeHostFunction" || body.invokeHostFunctionOp.hostFunction.type !== "hostFunctionTypeInvokeContract") {
    return assert.fail("no contract call")
  }
  const { auth, hostFunction: { invokeContract } } = body.invokeHostFunctionOp
  const contract = Address.fromScAddress(invokeContract.contractAddress).toString()
  const args = invokeContract.args.map((arg) => scValToNative(arg))
  const fn = invokeContract.functionName.toString()
  const isOfTokens = called.every((one) => one !== contract)
  if (isOfTokens) {
    assert.include(tokensOf(scene), contract)
    assertTokenCall(fn, args, auth, scene)
  }
  assert.deepStrictEqual([intended.contract, intended.function], [contract, fn])
  assert.isAtMost(auth.length, 1)
  for (const { credentials, rootInvocation } of auth) {
    assert.strictEqual(credentials.type, "sorobanCredentialsSourceAccount")
    const root = shapeOf(rootInvocation)
    assert.deepStrictEqual([root.contract, root.fn], [contract, fn])
    assert.deepStrictEqual(root.args, args)
    const subs = root.subs.map(shapeOf)
    assert.deepStrictEqual(
      intended.subInvocations.map((sub) => [sub.contract, sub.function]).toSorted(),
      subs.map((sub) => [sub.contract, sub.fn]).toSorted()
    )
    for (const sub of subs) {
      assert.isEmpty(sub.subs)
      assert.strictEqual(sub.args[0], source.publicKey())
      if (sub.fn === "burn") continue
      assert.strictEqual(sub.fn, "transfer")
      // The router of pairs transfers shares to the pair itself.
      const pairs = contract === strkeyOf(pairsContracts.router)
        ? [...Object.values(amm2?.pairs ?? {}).map(strkeyOf), ...scene.tokens.pairs]
        : []
      assert.include([contract, ...pairs], sub.args[1])
    }
  }
}

/** Checks that an offered transaction matches its description, and pays only accounts of the scene. */
export const assertHonest = (offer: Offered, scene: PositionsScene) =>
  Effect.map(decoded(offer), (transaction) => {
    const { source } = scene
    assert.strictEqual(transaction.source, source.publicKey())
    const envelope = transaction.toEnvelope()
    if (envelope.type !== "envelopeTypeTx") return assert.fail("no plain envelope")
    const { operations } = envelope.v1.tx
    assert.lengthOf(offer.intent.operations, operations.length)
    for (const [at, intended] of offer.intent.operations.entries()) {
      const operation = operations[at] ?? assert.fail("an operation too few")
      if (operation.body.type === "invokeHostFunction") {
        assert.strictEqual(intended.type, "invoke_contract")
        assert.lengthOf(operations, 1)
        if (intended.type === "invoke_contract") assertCall(operation, intended, scene)
      } else {
        assert.notStrictEqual(intended.type, "invoke_contract")
      }
    }
    return undefined
  })
