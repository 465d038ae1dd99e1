import { assert, describe, it } from "@effect/vitest"
import { Address, Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect, Exit, Fiber, Option, TestClock } from "effect"
import type { SimulationAnswer, StateChange } from "../../../src/chain/contract-rpc/SimulationAnswer.ts"
import { simulateCall, type SimulationContext } from "../../../src/close/exits/CallSimulator.ts"
import { AccountAddress, ContractAddress } from "../../../src/domain/Address.ts"
import { native } from "../../../src/domain/Asset.ts"
import { newAccount } from "../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { accountKey } from "../../../src/ledger/LedgerKey.ts"
import { dataKeyOf } from "../../../src/ledger/soroban/Keys.ts"
import { addressOf, addressVal, i128, symbol, variant } from "../../../src/ledger/soroban/Values.ts"
import { type ContractCall, invocationOf } from "../../../src/operations/ContractCall.ts"

const user = AccountAddress.make(Keypair.random().publicKey())
const stranger = AccountAddress.make(Keypair.random().publicKey())
const pool = ContractAddress.make(Address.contract(Buffer.alloc(32, 1)).toString())
const token = ContractAddress.make(Address.contract(Buffer.alloc(32, 2)).toString())
const own = addressVal(addressOf(user))

const leave: ContractCall = { contract: pool, function: "leave", args: [own], payouts: [], holds: [], subCalls: [], recipients: [] }

const invocation = (call: Pick<ContractCall, "contract" | "function" | "args">, ...below: Array<xdr.SorobanAuthorizedInvocation>) =>
  new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invocationOf(call)),
    subInvocations: below
  })

const agreed = (rootInvocation: xdr.SorobanAuthorizedInvocation) =>
  new xdr.SorobanAuthorizationEntry({ credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(), rootInvocation })

const resources = (readOnly: ReadonlyArray<xdr.LedgerKey> = [], readWrite: ReadonlyArray<xdr.LedgerKey> = [], minResourceFee = 1_000_000n) => ({
  minResourceFee,
  data: new xdr.SorobanTransactionData({
    ext: xdr.SorobanTransactionDataExt.v0(),
    resourceFee: minResourceFee,
    resources: new xdr.SorobanResources({
      footprint: new xdr.LedgerFootprint({ readOnly: [...readOnly], readWrite: [...readWrite] }),
      instructions: 1_000_000,
      diskReadBytes: 0,
      writeBytes: 100
    })
  })
})

type Simulated = Extract<SimulationAnswer, { readonly _tag: "Simulated" }>

const simulated = (more: Partial<Simulated> = {}): Simulated => ({
  _tag: "Simulated",
  resources: resources(),
  auth: [agreed(invocation(leave))],
  result: null,
  changes: [],
  events: [],
  restore: null,
  latestLedger: 11,
  ...more
})

/** A contract RPC that gives these answers one after the other, the last one for ever. */
const context = (...answers: readonly [SimulationAnswer, ...ReadonlyArray<SimulationAnswer>]): SimulationContext => {
  let asked = 0
  const never = Effect.dieMessage("not asked for here")
  return {
    user,
    currentSequence: 5n,
    assets: new Map([[token, native]]),
    lastChange: 10,
    mostResourceFee: 50_000_000n,
    entries: { one: () => never, answers: () => never, many: (keys) => Effect.succeed(keys.map(() => Option.none())) },
    rpc: {
      latestLedger: never,
      ledgerEntries: () => never,
      feeStats: never,
      sendTransaction: () => never,
      transaction: () => never,
      retention: never,
      events: () => never,
      endpoints: Effect.succeed([]),
      survey: never,
      simulateTransaction: () => Effect.sync(() => answers[Math.min(asked++, answers.length - 1)] ?? answers[0])
    }
  }
}

const balance = (of: string, lumens: bigint) => newEntry(xdr.LedgerEntryData.account(newAccount(xdr.PublicKey.publicKeyTypeEd25519(Keypair.fromPublicKey(of).rawPublicKey()), lumens, 1n)))
const moved = (of: string, before: bigint, after: bigint): StateChange => ({ key: accountKey(of), before: balance(of, before), after: balance(of, after) })

describe("simulating a call", () => {
  it.effect("gives what can be handed over, with leeway on the fee and what it does to the account", () =>
    Effect.gen(function*() {
      const outcome = yield* simulateCall(context(simulated({ changes: [moved(user, 5n, 25n)] })), leave, true)
      assert(outcome._tag === "Ready")
      assert.strictEqual(outcome.resources.resourceFee, 1_200_000n)
      assert.deepStrictEqual([...outcome.credits], [[native, 20n]])
    }))

  it.effect("makes writable what the same call may write a ledger later, and nothing else", () =>
    Effect.gen(function*() {
      const at = addressOf(pool)
      const epoch = dataKeyOf(at, symbol("Epoch"), "persistent")
      const rewards = dataKeyOf(addressOf(token), variant("Balance", own), "persistent")
      const foreign = dataKeyOf(addressOf(token), variant("Balance", addressVal(at)), "persistent")
      const instance = dataKeyOf(at, xdr.ScVal.scvLedgerKeyContractInstance(), "persistent")
      const written = accountKey(user)
      const outcome = yield* simulateCall(context(simulated({ resources: resources([instance, epoch, foreign, rewards], [written]) })), leave, true)
      assert(outcome._tag === "Ready")
      const { readOnly, readWrite } = outcome.resources.resources.footprint
      assert.deepStrictEqual(readOnly.map((key) => key.toXdr("base64")), [instance, foreign].map((key) => key.toXdr("base64")))
      assert.deepStrictEqual(readWrite.map((key) => key.toXdr("base64")), [written, rewards, epoch].map((key) => key.toXdr("base64")))
      assert.isAbove(Number(outcome.resources.resourceFee), 1_200_000)
    }))

  it.effect("waits for a ledger later than the account's last change", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.fork(simulateCall(context(simulated({ latestLedger: 10 }), simulated({ latestLedger: 10 }), simulated()), leave, true))
      yield* TestClock.adjust("1 seconds")
      assert.isTrue(Option.isNone(yield* Fiber.poll(fiber)))
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Ready")
    }))

  it.effect("asks to come again when no later ledger comes, and a plan does not wait", () =>
    Effect.gen(function*() {
      const behind = context(simulated({ latestLedger: 10 }))
      const fiber = yield* Effect.fork(Effect.flip(simulateCall(behind, leave, true)))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "DeadlineExceeded")
      assert.strictEqual((yield* simulateCall(behind, leave, false))._tag, "Ready")
    }))

  it.effect("restores first what the simulation says is archived", () =>
    Effect.gen(function*() {
      const key = dataKeyOf(addressOf(pool), symbol("Old"), "persistent")
      const outcome = yield* simulateCall(context(simulated({ restore: resources([], [key], 2_000_000n) })), leave, true)
      assert(outcome._tag === "Restore")
      assert.lengthOf(outcome.resources.resources.footprint.readWrite, 1)
      assert.strictEqual(outcome.resources.resourceFee, 2_400_000n)
    }))

  it.effect("tells failures, and fees above the setting", () =>
    Effect.gen(function*() {
      const failed = yield* simulateCall(context({ _tag: "Failed", error: "HostError: Error(Contract, #10)\n\nEvent log", latestLedger: 11 }), leave, true)
      assert.deepStrictEqual(failed, { _tag: "Failed", reason: "HostError: Error(Contract, #10)" })
      const dear = yield* simulateCall(context(simulated({ resources: resources([], [], 50_000_000n) })), leave, true)
      assert.deepStrictEqual(dear, { _tag: "TooDear", resourceFee: 60_000_000n })
    }))

  const naming: ContractCall = { ...leave, args: [own, addressVal(addressOf(stranger))] }
  const transfer = (to: string) => ({ contract: token, function: "transfer", args: [own, addressVal(addressOf(to)), i128(5n)], subCalls: [] })
  const unsafe: Readonly<Record<string, readonly [ContractCall, Partial<Simulated>]>> = {
    "a second agreement": [leave, { auth: [agreed(invocation(leave)), agreed(invocation(leave))] }],
    "a call below that was not declared": [leave, { auth: [agreed(invocation(leave, invocation(transfer(pool))))] }],
    "a declared call that is missing": [{ ...leave, subCalls: [transfer(pool)] }, {}],
    "another root": [leave, { auth: [agreed(invocation({ ...leave, function: "transfer" }))] }],
    "credentials of an address": [leave, {
      auth: [new xdr.SorobanAuthorizationEntry({
        rootInvocation: invocation(leave),
        credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(
          new xdr.SorobanAddressCredentials({ address: addressOf(user), nonce: 1n, signatureExpirationLedger: 9, signature: xdr.ScVal.scvVoid() })
        )
      })]
    }],
    "a transfer to somebody who is no recipient": [{ ...leave, subCalls: [transfer(stranger)] }, { auth: [agreed(invocation(leave, invocation(transfer(stranger))))] }],
    "an account that it names and did not declare": [naming, { auth: [agreed(invocation(naming))] }],
    "a transfer to a bystander": [
      { ...leave, subCalls: [transfer(stranger)], bystanders: [stranger] },
      { auth: [agreed(invocation(leave, invocation(transfer(stranger))))] }
    ],
    "a payment to a bystander": [{ ...naming, bystanders: [stranger] }, { auth: [agreed(invocation(naming))], changes: [moved(stranger, 1n, 2n)] }],
    "a payment to somebody who was not named": [leave, { changes: [moved(stranger, 1n, 2n)] }],
    "more taken than declared": [{ ...leave, holds: [{ token, amount: 4n }] }, { changes: [moved(user, 9n, 4n)] }]
  }
  for (const [what, [call, answer]] of Object.entries(unsafe)) {
    it.effect(`refuses ${what}`, () =>
      Effect.gen(function*() {
        const outcome = yield* Effect.exit(simulateCall(context(simulated(answer)), call, true))
        assert(Exit.isSuccess(outcome))
        assert.strictEqual(outcome.value._tag, "Unsafe", JSON.stringify(outcome.value))
      }))
  }

  it.effect("admits what was declared: a transfer to the pool, a named recipient, and no more than it needs", () =>
    Effect.gen(function*() {
      const call: ContractCall = { ...leave, subCalls: [transfer(pool)], holds: [{ token, amount: 5n }], recipients: [stranger] }
      const answer = simulated({ auth: [agreed(invocation(leave, invocation(transfer(pool))))], changes: [moved(user, 9n, 4n), moved(stranger, 1n, 2n)] })
      assert.strictEqual((yield* simulateCall(context(answer), call, true))._tag, "Ready")
    }))

  it.effect("admits an account that the call names and that gets nothing, as the owner of the entry before in a list", () =>
    Effect.gen(function*() {
      const answer = simulated({ auth: [agreed(invocation(naming))] })
      assert.strictEqual((yield* simulateCall(context(answer), { ...naming, bystanders: [stranger] }, true))._tag, "Ready")
    }))
})
