import { assert, describe, it } from "@effect/vitest"
import { Address, Keypair, nativeToScVal, xdr } from "@stellar/stellar-sdk"
import { AccountAddress, ContractAddress } from "../../src/domain/Address.ts"
import { type ContractCall, invocationOf } from "../../src/operations/ContractCall.ts"
import { decodeAll } from "../../src/operations/ContractOperations.ts"
import { InvokeContract } from "../../src/operations/InvokeContract.ts"
import { renderedValue } from "../../src/operations/RenderedValue.ts"
import { RestoreFootprint } from "../../src/operations/RestoreFootprint.ts"

const source = AccountAddress.make(Keypair.random().publicKey())
const pool = ContractAddress.make(Address.contract(Buffer.alloc(32, 1)).toString())
const token = ContractAddress.make(Address.contract(Buffer.alloc(32, 2)).toString())
const own = new Address(source).toScVal()

const leave: ContractCall = {
  contract: pool,
  function: "leave",
  args: [own, nativeToScVal(7n, { type: "i128" })],
  payouts: [],
  holds: [],
  subCalls: [],
  recipients: []
}

const invocation = (call: Pick<ContractCall, "contract" | "function" | "args">, ...below: Array<xdr.SorobanAuthorizedInvocation>) =>
  new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invocationOf(call)),
    subInvocations: below
  })

const agreed = (
  rootInvocation: xdr.SorobanAuthorizedInvocation,
  credentials: xdr.SorobanCredentials = xdr.SorobanCredentials.sorobanCredentialsSourceAccount()
) => new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation })

const seen = (operation: xdr.Operation) => InvokeContract.decode(xdr.Operation.fromXdr(operation.toXdr()).body, source)

describe("a contract call", () => {
  it("is shown with its arguments and everything its agreement reaches", () => {
    const below = { contract: token, function: "transfer", args: [own, new Address(pool).toScVal(), nativeToScVal(5n, { type: "i128" })] }
    const operation = InvokeContract.build(source, leave, [agreed(invocation(leave, invocation(below)))])
    const decoded = seen(operation)
    assert.deepStrictEqual(decoded, {
      type: "invoke_contract",
      source,
      contract: pool,
      function: "leave",
      args: [source, "7"],
      subInvocations: [{ contract: token, function: "transfer", args: [source, pool, "5"], subInvocations: [] }]
    })
    assert(decoded !== null)
  })

  const other = xdr.SorobanCredentials.sorobanCredentialsAddress(
    new xdr.SorobanAddressCredentials({
      address: new Address(source).toScAddress(),
      nonce: 1n,
      signatureExpirationLedger: 9,
      signature: xdr.ScVal.scvVoid()
    })
  )
  const refused: Readonly<Record<string, ReadonlyArray<xdr.SorobanAuthorizationEntry>>> = {
    "two agreements": [agreed(invocation(leave)), agreed(invocation(leave))],
    "an agreement with other credentials": [agreed(invocation(leave), other)],
    "an agreement to another contract": [agreed(invocation({ ...leave, contract: token }))],
    "an agreement to another function": [agreed(invocation({ ...leave, function: "transfer" }))],
    "an agreement to other arguments": [agreed(invocation({ ...leave, args: [own] }))]
  }
  for (const [what, auth] of Object.entries(refused)) {
    it(`with ${what} is none the service builds`, () => assert.isNull(seen(InvokeContract.build(source, leave, auth))))
  }

  it("is the only host function the service builds", () => {
    const upload = xdr.OperationBody.invokeHostFunction(
      new xdr.InvokeHostFunctionOp({ hostFunction: xdr.HostFunction.hostFunctionTypeUploadContractWasm(new Uint8Array(8)), auth: [] })
    )
    assert.isNull(InvokeContract.decode(upload, source))
  })
})

it("a restoration names the entries of its footprint", () => {
  const key = xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: new Uint8Array(32) }))
  const decoded = RestoreFootprint.decode(RestoreFootprint.build(source).body, source, [key])
  assert.deepStrictEqual(decoded, { type: "restore_footprint", source, keys: [key.toXdr("base64")] })
})

it("a foreign operation of a transaction is nothing the service knows", () => {
  const operation = new xdr.Operation({ sourceAccount: null, body: xdr.OperationBody.inflation() })
  const tx = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(Keypair.random().rawPublicKey()),
    fee: 100,
    seqNum: 1n,
    cond: xdr.Preconditions.precondNone(),
    memo: xdr.Memo.memoNone(),
    operations: [operation],
    ext: xdr.TransactionExt.v0()
  })
  assert.deepStrictEqual(decodeAll(tx, source), [null])
})

it("values are rendered for people", () => {
  const shown = [
    nativeToScVal(true),
    xdr.ScVal.scvVoid(),
    nativeToScVal(3, { type: "u32" }),
    nativeToScVal(-4n, { type: "i128" }),
    nativeToScVal("a \"b\"", { type: "string" }),
    nativeToScVal("leave", { type: "symbol" }),
    nativeToScVal(new Uint8Array([1, 255])),
    xdr.ScVal.scvVec([nativeToScVal(1n, { type: "u64" }), own]),
    xdr.ScVal.scvMap([new xdr.ScMapEntry({ key: nativeToScVal("amount", { type: "symbol" }), val: nativeToScVal(9n, { type: "i128" }) })])
  ].map(renderedValue)
  assert.deepStrictEqual(shown, ["true", "void", "3", "-4", "\"a \\\"b\\\"\"", "leave", "0x01ff", `[1, ${source}]`, "{amount: 9}"])
})
