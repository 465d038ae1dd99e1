import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import type { StateChange } from "../../../../src/chain/contract-rpc/SimulationAnswer.ts"
import { tokenCallProblem } from "../../../../src/close/leaving/simulation/TokenSafety.ts"
import { addressOf, addressVal, i128, struct, u32, variant } from "../../../../src/ledger/soroban/Values.ts"
import type { ContractCall } from "../../../../src/operations/ContractCall.ts"
import { agreed, changed, invocation, leave, left, own, pool, stranger, token, user } from "../support/Simulating.ts"

const balance = (of: string, before: bigint, after: bigint): StateChange =>
  changed(token, variant("Balance", addressVal(addressOf(of))), i128(before), i128(after))

const allowance = (after: bigint): StateChange =>
  changed(
    token,
    variant("Allowance", struct({ from: own, spender: addressVal(addressOf(pool)) })),
    struct({ amount: i128(5n), live_until_ledger: u32(99) }),
    struct({ amount: i128(after), live_until_ledger: u32(99) })
  )

const sending: ContractCall = {
  ...leave,
  contract: token,
  function: "transfer",
  args: [own, addressVal(addressOf(stranger)), i128(5n)],
  holds: [{ token, amount: 5n }],
  recipients: [stranger]
}

const revoking: ContractCall = {
  ...leave,
  contract: token,
  function: "approve",
  args: [own, addressVal(addressOf(pool)), i128(0n), u32(0)]
}

const sent = [balance(user, 5n, 0n), balance(stranger, 0n, 5n)]

const problemOf = (
  call: ContractCall,
  changes: ReadonlyArray<StateChange>,
  auth: ReadonlyArray<xdr.SorobanAuthorizationEntry> = [agreed(invocation(call))]
) => tokenCallProblem({ call, user, token, assets: new Map(), ownBooks: false }, { auth: [...auth], changes: [...changes] })

describe("a call of a token whose code is not known", () => {
  it("is made where it moves exactly its amount, or ends exactly its allowance", () => {
    assert.isNull(problemOf(sending, sent))
    assert.isNull(problemOf(revoking, [allowance(0n)]))
  })

  it("is refused where the account's authorisation is not asked for: anybody could make it", () => {
    for (const [call, changes] of [[sending, sent], [revoking, [allowance(0n)]]] as const) {
      assert.match(problemOf(call, changes, []) ?? "", /requires no authorisation/)
    }
  })

  it("is refused where it also changes what another contract keeps of the account", () => {
    for (const [call, changes] of [[sending, sent], [revoking, [allowance(0n)]]] as const) {
      assert.strictEqual(problemOf(call, [...changes, left]), `it would change the allowance of ${pool}`)
    }
  })

  it("is refused as a revocation where it changes what the account holds, up or down, or leaves a part of the allowance", () => {
    for (const after of [4n, 6n]) {
      assert.match(problemOf(revoking, [allowance(0n), balance(user, 5n, after)]) ?? "", /change the account's balance of the token/)
    }
    assert.match(problemOf(revoking, [allowance(1n)]) ?? "", /not change the allowance/)
  })
})
