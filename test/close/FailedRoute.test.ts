import { assert, describe, it } from "@effect/vitest"
import { Address, Keypair, xdr } from "@stellar/stellar-sdk"
import { repeatedRouteFailure } from "../../src/close/situation/RepeatedFailure.ts"
import { AccountAddress, type ContractAddress } from "../../src/domain/Address.ts"
import type { TokenRoute } from "../../src/tokens/TokenRoutes.ts"
import { anyContract } from "../support/Addresses.ts"

const user = AccountAddress.make(Keypair.random().publicKey())
const [router, token, first, second] = [anyContract(), anyContract(), anyContract(), anyContract()]

/** A sale through a router that names its pools by something other than their addresses. */
const route = (...pools: ReadonlyArray<ContractAddress>): Pick<TokenRoute, "call" | "pools"> => ({
  pools,
  call: ({ least }) => ({
    contract: router,
    function: "swap",
    args: [Address.fromString(token).toScVal(), xdr.ScVal.scvU32(Number(least))],
    payouts: [],
    holds: [],
    subCalls: [],
    recipients: []
  })
})

const trapped = xdr.TransactionResultResult.txFailed([
  xdr.OperationResult.opInner(
    xdr.OperationResultTr.invokeHostFunction(xdr.InvokeHostFunctionResult.invokeHostFunctionTrapped())
  )
])

/** An attempt of a route, in a ledger. */
const attempt = (ledger: number, { call, pools }: Pick<TokenRoute, "call" | "pools">, applied = false) => {
  const { args, function: functionName } = call({ user, least: 9n, deadline: 8n })
  const contractAddress = Address.fromString(router).toScAddress()
  const hostFunction = xdr.HostFunction.hostFunctionTypeInvokeContract(
    new xdr.InvokeContractArgs({ contractAddress, functionName, args: [...args] })
  )
  return {
    sequence: BigInt(ledger),
    ledger,
    writes: new Set<string>(),
    wrote: new Set<string>([...pools, token]),
    succeeded: applied,
    operations: [
      new xdr.Operation({
        sourceAccount: null,
        body: xdr.OperationBody.invokeHostFunction(new xdr.InvokeHostFunctionOp({ auth: [], hostFunction }))
      })
    ],
    result: new xdr.TransactionResult({
      feeCharged: 100n,
      result: applied ? xdr.TransactionResultResult.txSuccess([]) : trapped,
      ext: xdr.TransactionResultExt.v0()
    })
  }
}

const failed = (of: ReturnType<typeof route>, ...transactions: ReadonlyArray<ReturnType<typeof attempt>>) =>
  repeatedRouteFailure({ transactions, whole: true }, of, { since: 100, user })?.times ?? 0

describe("a route that failed", () => {
  const [one, other, longer] = [route(first), route(second), route(first, second)]

  it("is one whose last two attempts failed, whatever was sent between", () => {
    assert.strictEqual(failed(one, attempt(300, one)), 0)
    assert.strictEqual(failed(one, attempt(300, one), attempt(200, one)), 2)
    assert.strictEqual(failed(one, attempt(300, one), attempt(250, other, true), attempt(200, one)), 2)
    assert.strictEqual(failed(one, attempt(300, one), attempt(250, one, true), attempt(200, one)), 0)
    assert.strictEqual(failed(one, attempt(300, one, true), attempt(250, one), attempt(200, one)), 0)
  })

  it("is told from others of the same tokens by its pools", () => {
    assert.strictEqual(failed(other, attempt(300, one), attempt(200, one)), 0)
    assert.strictEqual(failed(longer, attempt(300, one), attempt(200, one)), 0)
  })

  it("is one like any other after a day", () => {
    assert.strictEqual(failed(one, attempt(102, one), attempt(101, one)), 2)
    assert.strictEqual(failed(one, attempt(101, one), attempt(100, one)), 0)
  })
})
